import {
  Binary,
  BSONRegExp,
  BSONSymbol,
  Code,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
} from 'bson';
import { isDoc } from './values.ts';

/** A BSON type: its number on the wire, its alias in `$type`, and its rank in MongoDB's order across types. */
export interface BsonType {
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
