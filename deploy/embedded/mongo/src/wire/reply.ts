import { type Doc, encode, isDoc } from '../bson/values.ts';
import { OPCODES, type Request } from './message.ts';

/** Documents that go into a reply as stored, without decoding. */
export class RawDocuments {
  readonly documents: Buffer[];
  constructor(documents: Buffer[]) {
    this.documents = documents;
  }
}

export function writeReply(request: Request, responseId: number, reply: Doc): Buffer {
  const body = encodeWithRaw(reply);
  const prefix = request.opcode === OPCODES.query ? replyPrefix() : messagePrefix();
  const opcode = request.opcode === OPCODES.query ? OPCODES.reply : OPCODES.message;
  const header = Buffer.alloc(16);
  header.writeInt32LE(16 + prefix.length + body.length, 0);
  header.writeInt32LE(responseId, 4);
  header.writeInt32LE(request.requestId, 8);
  header.writeInt32LE(opcode, 12);
  return Buffer.concat([header, prefix, body]);
}

/** No flags, then one section of kind 0. */
const messagePrefix = (): Buffer => Buffer.alloc(5);

/** OP_REPLY: flags (AwaitCapable), cursor id, starting from, number returned. */
function replyPrefix(): Buffer {
  const prefix = Buffer.alloc(20);
  prefix.writeInt32LE(8, 0);
  prefix.writeInt32LE(1, 16);
  return prefix;
}

const ELEMENT = { document: 0x03, array: 0x04 } as const;

function encodeWithRaw(doc: Doc): Buffer {
  if (!holdsRaw(doc)) return encode(doc);
  const elements: Buffer[] = [];
  for (const [name, value] of Object.entries(doc)) {
    if (value instanceof RawDocuments)
      elements.push(elementHeader(ELEMENT.array, name), encodeRawArray(value.documents));
    else if (isDoc(value) && holdsRaw(value))
      elements.push(elementHeader(ELEMENT.document, name), encodeWithRaw(value));
    else elements.push(encode({ [name]: value }).subarray(4, -1));
  }
  return envelope(elements);
}

const holdsRaw = (doc: Doc): boolean =>
  Object.values(doc).some((value) => value instanceof RawDocuments || (isDoc(value) && holdsRaw(value)));

const elementHeader = (type: number, name: string): Buffer =>
  Buffer.from(`${String.fromCharCode(type)}${name}\0`, 'utf8');

const encodeRawArray = (documents: Buffer[]): Buffer =>
  envelope(documents.flatMap((raw, i) => [elementHeader(ELEMENT.document, String(i)), raw]));

/** A BSON document or array: its length, the encoded elements, and 0x00. */
function envelope(elements: Buffer[]): Buffer {
  const size = elements.reduce((sum, part) => sum + part.length, 5);
  const length = Buffer.alloc(4);
  length.writeInt32LE(size, 0);
  return Buffer.concat([length, ...elements, Buffer.alloc(1)], size);
}
