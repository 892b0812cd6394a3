import { type Doc, decode } from '../bson/values.ts';

/** Opcodes of MongoDB's wire protocol. https://www.mongodb.com/docs/manual/reference/mongodb-wire-protocol/ */
export const OPCODES = { reply: 1, query: 2004, message: 2013 } as const;

/** Maximum message size, as announced by `hello`. */
export const MAX_MESSAGE_BYTES = 48_000_000;
/** Maximum document size. */
export const MAX_DOCUMENT_BYTES = 16 * 1024 * 1024;

const HEADER_BYTES = 16;
const FLAG_CHECKSUM = 1;
const FLAG_MORE_TO_COME = 2;
/** Bits 0 to 15 are required. Only these two are defined. */
const UNKNOWN_REQUIRED_FLAGS = 0xffff & ~(FLAG_CHECKSUM | FLAG_MORE_TO_COME);

export interface Request {
  requestId: number;
  /** The request's opcode determines the reply's. */
  opcode: typeof OPCODES.message | typeof OPCODES.query;
  /** The command with its document sequences. Documents to insert stay raw bytes. */
  command: Doc;
  /** Whether the client expects a reply; false for unacknowledged writes. */
  wantsReply: boolean;
}

/** Bytes that violate MongoDB's wire protocol. The connection must be closed. */
export class ProtocolError extends Error {}

/** The length of the first message in these bytes, or undefined if its header is incomplete. @throws {ProtocolError} */
export function messageLength(header: Buffer): number | undefined {
  if (header.length < 4) return undefined;
  const length = header.readInt32LE(0);
  if (length < HEADER_BYTES || length > MAX_MESSAGE_BYTES) throw new ProtocolError(`message length ${length}`);
  return length;
}

/** Decodes one complete message. @throws {ProtocolError | BSONError | RangeError} on malformed bytes */
export function readMessage(bytes: Buffer): Request {
  const requestId = bytes.readInt32LE(4);
  const opcode = bytes.readInt32LE(12);
  if (opcode === OPCODES.message) return { requestId, opcode, ...readSections(bytes) };
  if (opcode === OPCODES.query) return { requestId, opcode, command: readQuery(bytes), wantsReply: true };
  throw new ProtocolError(`opcode ${opcode}`);
}

function readSections(bytes: Buffer): { command: Doc; wantsReply: boolean } {
  const flags = bytes.readUInt32LE(HEADER_BYTES);
  if (flags & UNKNOWN_REQUIRED_FLAGS) throw new ProtocolError(`flags ${flags}`);
  const end = bytes.length - (flags & FLAG_CHECKSUM ? 4 : 0);
  let command: Doc | undefined;
  const sequences: [name: string, documents: Buffer[]][] = [];
  let at = HEADER_BYTES + 4;
  while (at < end) {
    const kind = bytes[at++];
    const size = bytes.readInt32LE(at);
    if (size < 5 || at + size > end) throw new ProtocolError(`section of ${size} bytes`);
    const section = bytes.subarray(at, at + size);
    if (kind === 0 && !command) command = decodeCommand(section);
    else if (kind === 1) sequences.push(readSequence(section));
    else throw new ProtocolError(`section kind ${kind}`);
    at += size;
  }
  if (!command) throw new ProtocolError('no body section');
  for (const [name, documents] of sequences) {
    if (Object.hasOwn(command, name)) throw new ProtocolError(`field ${name} twice`);
    command[name] = isInsert(command) && name === 'documents' ? documents : documents.map((raw) => decode(raw));
  }
  return { command, wantsReply: !(flags & FLAG_MORE_TO_COME) };
}

/** A command's name is its first field. An insert's documents stay raw, so that they are stored byte for byte. */
function decodeCommand(body: Buffer): Doc {
  const name = body.toString('latin1', 5, 12);
  return name === 'insert\0' ? decode(body, { documents: true }) : decode(body);
}

const isInsert = (command: Doc): boolean => Object.keys(command)[0] === 'insert';

function readSequence(section: Buffer): [name: string, documents: Buffer[]] {
  const nameEnd = section.indexOf(0, 4);
  if (nameEnd < 0) throw new ProtocolError('unterminated sequence name');
  const documents: Buffer[] = [];
  let at = nameEnd + 1;
  while (at < section.length) {
    const size = section.readInt32LE(at);
    if (size < 5 || at + size > section.length) throw new ProtocolError(`document of ${size} bytes`);
    documents.push(section.subarray(at, at + size));
    at += size;
  }
  return [section.toString('utf8', 4, nameEnd), documents];
}

/** Drivers use OP_QUERY only for their first hello, so only commands are supported. */
function readQuery(bytes: Buffer): Doc {
  const nameEnd = bytes.indexOf(0, HEADER_BYTES + 4);
  if (nameEnd < 0) throw new ProtocolError('unterminated collection name');
  const at = nameEnd + 1 + 8;
  const size = bytes.readInt32LE(at);
  if (size < 5 || at + size > bytes.length) throw new ProtocolError(`query of ${size} bytes`);
  const query = decode(bytes.subarray(at, at + size));
  const namespace = bytes.toString('utf8', HEADER_BYTES + 4, nameEnd);
  return { ...query, $db: namespace.split('.')[0] };
}
