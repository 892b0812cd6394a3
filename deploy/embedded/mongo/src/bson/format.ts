import { Binary, BSONRegExp, Decimal128, Double, Int32, Long, ObjectId, Timestamp } from 'bson';
import { type Doc, isDoc } from './values.ts';

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
