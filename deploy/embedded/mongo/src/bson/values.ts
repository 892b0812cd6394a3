import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  Decimal128,
  Double,
  deserialize,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  serialize,
  Timestamp,
} from 'bson';
import { mongoError, notSupported } from '../errors.ts';

/**
 * Adds in the wider type of the two: double, int64, int32. An int32 grows to an int64, an int64 to a double.
 * @throws {CommandError} CommandNotSupported for a Decimal128
 */
export function add(a: BsonNumber, b: BsonNumber): BsonNumber {
  if (a instanceof Decimal128 || b instanceof Decimal128) throw notSupported('Adding a Decimal128');
  if (a instanceof Double || b instanceof Double) return new Double(toNumber(a) + toNumber(b));
  const sum = toBigInt(a) + toBigInt(b);
  if (a instanceof Int32 && b instanceof Int32 && BigInt.asIntN(32, sum) === sum) return new Int32(Number(sum));
  return BigInt.asIntN(64, sum) === sum ? Long.fromBigInt(sum) : new Double(Number(sum));
}

function toBigInt(value: Int32 | Long): bigint {
  return value instanceof Long ? value.toBigInt() : BigInt(value.value);
}

/**
 * A decoded document. Numbers are always `Int32`, `Double`, `Long` or `Decimal128`, never JavaScript numbers, so that an
 * unchanged value keeps its type.
 */
export type Doc = Record<string, unknown>;

const DBREF_KEY = Buffer.from('$ref\0');

/** Decodes one document and keeps every type distinct. @throws {BSONError} on malformed bytes */
export function decode(bytes: Uint8Array, rawArrays?: Record<string, true>): Doc {
  const doc = deserialize(bytes, {
    promoteValues: false,
    bsonRegExp: true,
    ...(rawArrays ? { fieldsAsRaw: rawArrays } : {}),
  }) as Doc;
  const mayHoldReference = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).includes(DBREF_KEY);
  return mayHoldReference ? (withPlainReferences(doc) as Doc) : doc;
}

/** bson decodes `{$ref, $id}` as a DBRef. For the server it is a plain document. */
function withPlainReferences(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPlainReferences);
  const reference = value as { _bsontype?: string; collection: string; oid: unknown; db?: string; fields: Doc };
  if (isObject(value) && reference._bsontype === 'DBRef') {
    const plain: Doc = { $ref: reference.collection, $id: reference.oid };
    if (reference.db) plain.$db = reference.db;
    return Object.assign(plain, withPlainReferences(reference.fields));
  }
  if (!isDoc(value)) return value;
  const plain: Doc = {};
  for (const [key, item] of Object.entries(value)) setField(plain, key, withPlainReferences(item));
  return plain;
}

/** The maximum size of an encoded document: 16 MB, plus room for the enclosing reply. */
const MAX_ENCODED_BYTES = 16 * 1024 * 1024 + 16 * 1024;

/** Encodes a document. BSON's deprecated undefined becomes null. @throws {CommandError} BSONObjectTooLarge */
export function encode(doc: Doc): Buffer {
  const bytes = serialize(doc, { ignoreUndefined: false });
  if (bytes.length > MAX_ENCODED_BYTES) throw tooLarge(bytes.length);
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

const tooLarge = (size: number): Error =>
  mongoError(
    'BSONObjectTooLarge',
    `BSONObj size: ${size} is invalid. Size must be between 0 and ${MAX_ENCODED_BYTES}(16MB)`,
  );

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** Whether a value is an embedded document, rather than an array, a scalar or an object of the bson package. */
export function isDoc(value: unknown): value is Doc {
  if (!isObject(value)) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** One of bson's four number types. */
export type BsonNumber = Int32 | Double | Long | Decimal128;

export function isNumber(value: unknown): value is BsonNumber {
  // A Timestamp is a Long in JavaScript, but not a number in MongoDB.
  if (value instanceof Long) return !(value instanceof Timestamp);
  return value instanceof Int32 || value instanceof Double || value instanceof Decimal128;
}

/** The nearest JavaScript number. */
export function toNumber(value: BsonNumber): number {
  if (value instanceof Int32 || value instanceof Double) return value.value;
  if (value instanceof Long) return value.toNumber();
  return Number(value.toString());
}

/** Converts an integer to the narrowest of int32, int64 and double that holds it. */
export function fromInteger(value: number): BsonNumber {
  if (Number.isInteger(value) && value >= -0x80000000 && value <= 0x7fffffff) return new Int32(value);
  return Number.isSafeInteger(value) ? Long.fromNumber(value) : new Double(value);
}

/** A field's own value, or undefined if the document has no such field. */
export function getField(doc: Doc, name: string): unknown {
  return Object.hasOwn(doc, name) ? doc[name] : undefined;
}

/** Sets a field without touching the prototype, even for `__proto__`. */
export function setField(doc: Doc, name: string, value: unknown): void {
  if (name === '__proto__') {
    Object.defineProperty(doc, name, { value, enumerable: true, configurable: true, writable: true });
  } else {
    doc[name] = value;
  }
}

/** Deep-copies documents and arrays. Scalars are shared, because they are immutable. */
export function copyValue<T>(value: T): T {
  if (Array.isArray(value)) return value.map(copyValue) as T;
  if (!isDoc(value)) return value;
  const copy: Doc = {};
  for (const key of Object.keys(value)) setField(copy, key, copyValue(value[key]));
  return copy as T;
}

/** Whether a value is truthy in MongoDB: everything but false, null, missing and zero. */
export function isTruthy(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return false;
  return isNumber(value) ? toNumber(value) !== 0 : true;
}

/** Converts a regular expression, JavaScript's or BSON's, to BSON's. Undefined for any other value. */
export function toBsonRegExp(value: unknown): BSONRegExp | undefined {
  if (value instanceof BSONRegExp) return value;
  return value instanceof RegExp ? new BSONRegExp(value.source, value.flags) : undefined;
}

/** A BSON type: its number on the wire, its alias in `$type`, and its rank in MongoDB's order across types. */
interface BsonType {
  number: number;
  alias: string;
  /** Values of the same order compare with one another; it is also the first byte of an encoded key. */
  order: number;
}

const type = (number: number, alias: string, order: number): BsonType => ({ number, alias, order });

/** All types, in MongoDB's comparison order. No order is 0x00 or 0xff, even with its bits inverted. */
export const TYPES = {
  minKey: type(-1, 'minKey', 0x10),
  undefined: type(6, 'undefined', 0x14),
  null: type(10, 'null', 0x18),
  double: type(1, 'double', 0x20),
  int: type(16, 'int', 0x20),
  long: type(18, 'long', 0x20),
  decimal: type(19, 'decimal', 0x20),
  string: type(2, 'string', 0x28),
  symbol: type(14, 'symbol', 0x28),
  object: type(3, 'object', 0x30),
  array: type(4, 'array', 0x38),
  binData: type(5, 'binData', 0x40),
  objectId: type(7, 'objectId', 0x48),
  bool: type(8, 'bool', 0x50),
  date: type(9, 'date', 0x58),
  timestamp: type(17, 'timestamp', 0x60),
  regex: type(11, 'regex', 0x68),
  javascript: type(13, 'javascript', 0x70),
  javascriptWithScope: type(15, 'javascriptWithScope', 0x74),
  maxKey: type(127, 'maxKey', 0x7e),
} as const satisfies Record<string, BsonType>;

const CLASSES: [abstract new (...args: never[]) => unknown, BsonType][] = [
  [Int32, TYPES.int],
  [Double, TYPES.double],
  [ObjectId, TYPES.objectId],
  [Date, TYPES.date],
  [Timestamp, TYPES.timestamp],
  [Long, TYPES.long],
  [Decimal128, TYPES.decimal],
  [Binary, TYPES.binData],
  [BSONRegExp, TYPES.regex],
  [RegExp, TYPES.regex],
  [BSONSymbol, TYPES.symbol],
  [MinKey, TYPES.minKey],
  [MaxKey, TYPES.maxKey],
];

/** A value's type. JavaScript's undefined counts as BSON's deprecated undefined, so the caller must recognize missing fields. */
export function typeOf(value: unknown): BsonType {
  if (typeof value === 'string') return TYPES.string;
  if (value === null) return TYPES.null;
  if (value === undefined) return TYPES.undefined;
  if (typeof value === 'boolean') return TYPES.bool;
  if (Array.isArray(value)) return TYPES.array;
  if (isDoc(value)) return TYPES.object;
  for (const [valueClass, found] of CLASSES) if (value instanceof valueClass) return found;
  if (value instanceof Code) return value.scope ? TYPES.javascriptWithScope : TYPES.javascript;
  if (typeof value === 'number') return Number.isInteger(value) ? TYPES.int : TYPES.double;
  throw new TypeError(`No BSON type for ${Object.prototype.toString.call(value)}`);
}

/** A document as MongoDB prints it in messages: `{ email: "a@b.c", n: 1 }`. */
export function formatKey(doc: Doc): string {
  const fields = Object.entries(doc).map(([name, value]) => `${name}: ${formatValue(value)}`);
  return fields.length ? `{ ${fields.join(', ')} }` : '{}';
}

/** A value as MongoDB prints it in messages. */
export function formatValue(value: unknown): string {
  if (value === undefined) return 'undefined';
  if (value === null || typeof value === 'boolean') return String(value);
  if (typeof value === 'string') return `"${value}"`;
  if (value instanceof ObjectId) return `ObjectId('${value.toHexString()}')`;
  if (value instanceof Date) return `new Date(${value.getTime()})`;
  if (value instanceof Double) return Number.isInteger(value.value) ? value.value.toFixed(1) : String(value.value);
  if (value instanceof Timestamp) return `Timestamp(${value.getHighBitsUnsigned()}, ${value.getLowBitsUnsigned()})`;
  if (value instanceof Int32 || value instanceof Long) return value.toString();
  if (value instanceof Decimal128) return value.toString();
  if (value instanceof Binary)
    return value.sub_type === 4
      ? `UUID("${value.toUUID().toString()}")`
      : `BinData(${value.sub_type}, ${value.toString('hex').toUpperCase()})`;
  if (value instanceof BSONRegExp) return `/${value.pattern}/${value.options}`;
  if (Array.isArray(value)) return value.length ? `[ ${value.map(formatValue).join(', ')} ]` : '[]';
  return isDoc(value) ? formatKey(value) : String(value);
}
