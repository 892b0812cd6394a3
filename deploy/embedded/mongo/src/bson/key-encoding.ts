import { type Binary, type BSONRegExp, type Code, Decimal128, Long, type ObjectId, type Timestamp } from 'bson';
import { notSupported } from '../errors.ts';
import { type BsonNumber, type Doc, isDoc, TYPES, toNumber, typeOf } from './values.ts';

/**
 * An order-preserving encoding of int32, int64 and double, identical for equal values: the greatest double that is not
 * above the number, and for an int64 that no double represents, the distance to it.
 * @throws {CommandError} CommandNotSupported for a Decimal128
 */
export function encodeNumber(value: BsonNumber): Buffer {
  if (value instanceof Decimal128) throw notSupported('Comparing, sorting or indexing a Decimal128');
  const nearest = toNumber(value);
  if (!(value instanceof Long) || Number.isSafeInteger(nearest)) return encodeDouble(nearest, EXACT);
  const exact = value.toBigInt();
  const floor = BigInt(nearest) > exact ? previousDouble(nearest) : nearest;
  const distance = Number(exact - BigInt(floor));
  return encodeDouble(floor, distance === 0 ? EXACT : Buffer.from([1, distance >> 8, distance & 0xff]));
}

const EXACT = Buffer.from([0]);

function encodeDouble(value: number, rest: Uint8Array): Buffer {
  const bytes = Buffer.alloc(8 + rest.length);
  bytes.set(rest, 8);
  if (Number.isNaN(value)) return bytes;
  bytes.writeDoubleBE(value === 0 ? 0 : value, 0);
  if (bytes[0]! & 0x80) for (let i = 0; i < 8; i++) bytes[i] = ~bytes[i]! & 0xff;
  else bytes[0] = bytes[0]! | 0x80;
  return bytes;
}

const bits = new DataView(new ArrayBuffer(8));

function previousDouble(value: number): number {
  bits.setFloat64(0, value);
  bits.setBigUint64(0, bits.getBigUint64(0) + (value > 0 ? -1n : 1n));
  return bits.getFloat64(0);
}

/** The terminator of an encoded string. Without it, the encoding would be a prefix of all longer strings' encodings. */
export const TEXT_END_BYTES = 2;

/**
 * Encodes a value so that bytes compare as MongoDB orders values, across types; equal values (1 and 1.0, null and
 * missing) have equal bytes. No encoding is a prefix of another, so that encodings of several fields can be concatenated;
 * a descending field has its bits inverted.
 */
export function encodeKey(value: unknown): Buffer {
  const parts: Uint8Array[] = [];
  write(value, parts);
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
}

/** Inverts every bit, which turns ascending order into descending. */
export function invertKey(key: Buffer): Buffer {
  const inverted = Buffer.allocUnsafe(key.length);
  for (let i = 0; i < key.length; i++) inverted[i] = ~key[i]! & 0xff;
  return inverted;
}

const END = Buffer.from([0]);
const TEXT_END = '\0\u0001';

function write(value: unknown, parts: Uint8Array[]): void {
  const { order } = typeOf(value);
  parts.push(Buffer.from([order]));
  switch (order) {
    case TYPES.double.order:
      parts.push(encodeNumber(value as BsonNumber));
      break;
    case TYPES.string.order:
      parts.push(encodeText(String(value)));
      break;
    case TYPES.object.order:
      writeFields(value as Doc, parts);
      break;
    case TYPES.array.order:
      for (const item of value as unknown[]) write(item, parts);
      parts.push(END);
      break;
    case TYPES.binData.order:
      parts.push(encodeBinary(value as Binary));
      break;
    case TYPES.objectId.order:
      parts.push((value as ObjectId).id);
      break;
    case TYPES.bool.order:
      parts.push(Buffer.from([value === true ? 1 : 0]));
      break;
    case TYPES.date.order:
      parts.push(encodeDate(value as Date));
      break;
    case TYPES.timestamp.order:
      parts.push(encodeTimestamp(value as Timestamp));
      break;
    case TYPES.regex.order:
      parts.push(encodeText((value as BSONRegExp).pattern), encodeText((value as BSONRegExp).options));
      break;
    case TYPES.javascript.order:
    case TYPES.javascriptWithScope.order:
      parts.push(encodeText((value as Code).code));
      if (isDoc((value as Code).scope)) writeFields((value as Code).scope as Doc, parts);
      break;
    default:
      break;
  }
}

/** MongoDB compares a document field by field: type, then name, then value. */
function writeFields(doc: Doc, parts: Uint8Array[]): void {
  for (const [name, item] of Object.entries(doc)) {
    parts.push(Buffer.from([typeOf(item).order]), encodeText(name));
    write(item, parts);
  }
  parts.push(END);
}

/** UTF-8, terminated by 0x00 0x01. A 0x00 inside becomes 0x00 0x02, so that no encoding is a prefix of another. */
function encodeText(text: string): Buffer {
  return Buffer.from(`${text.includes('\0') ? text.replaceAll('\0', '\0\u0002') : text}${TEXT_END}`, 'utf8');
}

function encodeBinary(value: Binary): Buffer {
  const header = Buffer.alloc(5);
  header.writeUInt32BE(value.length(), 0);
  header[4] = value.sub_type;
  return Buffer.concat([header, value.value()]);
}

function encodeDate(value: Date): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigInt64BE(BigInt(value.getTime()), 0);
  bytes[0] = bytes[0]! ^ 0x80;
  return bytes;
}

function encodeTimestamp(value: Timestamp): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32BE(value.getHighBitsUnsigned(), 0);
  bytes.writeUInt32BE(value.getLowBitsUnsigned(), 4);
  return bytes;
}
