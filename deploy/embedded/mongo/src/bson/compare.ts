import { Decimal128, Long, type ObjectId } from 'bson';
import { encodeKey, encodeNumber } from './key-encoding.ts';
import { type BsonNumber, type Doc, TYPES, toNumber, typeOf } from './values.ts';

/** MongoDB's sort order of any two values, within and across types. Strings compare by their UTF-8 bytes. */
export function compareValues(a: unknown, b: unknown): number {
  const order = typeOf(a).order;
  const difference = order - typeOf(b).order;
  if (difference !== 0) return difference;
  switch (order) {
    case TYPES.string.order:
      return compareText(String(a), String(b));
    case TYPES.double.order:
      return compareNumbers(a as BsonNumber, b as BsonNumber);
    case TYPES.date.order:
      return (a as Date).getTime() - (b as Date).getTime();
    case TYPES.bool.order:
      return Number(a) - Number(b);
    case TYPES.objectId.order:
      return Buffer.compare((a as ObjectId).id, (b as ObjectId).id);
    case TYPES.array.order:
      return compareLists(a as unknown[], b as unknown[], compareValues);
    case TYPES.object.order:
      return compareLists(Object.entries(a as Doc), Object.entries(b as Doc), ([nameA, itemA], [nameB, itemB]) => {
        const types = typeOf(itemA).order - typeOf(itemB).order;
        return types || compareText(nameA, nameB) || compareValues(itemA, itemB);
      });
    case TYPES.null.order:
    case TYPES.undefined.order:
    case TYPES.minKey.order:
    case TYPES.maxKey.order:
      return 0;
    default:
      return Buffer.compare(encodeKey(a), encodeKey(b));
  }
}

/** Whether MongoDB considers two values equal: numbers across types, documents only with the same field order. */
export function equalValues(a: unknown, b: unknown): boolean {
  return compareValues(a, b) === 0;
}

function compareNumbers(a: BsonNumber, b: BsonNumber): number {
  if (isWide(a) || isWide(b)) return Buffer.compare(encodeNumber(a), encodeNumber(b));
  const left = toNumber(a);
  const right = toNumber(b);
  if (Number.isNaN(left) || Number.isNaN(right)) return Number(Number.isNaN(right)) - Number(Number.isNaN(left));
  return left < right ? -1 : left > right ? 1 : 0;
}

/** Whether a JavaScript number might not represent this value exactly. */
const isWide = (value: BsonNumber): boolean =>
  value instanceof Decimal128 || (value instanceof Long && !Number.isSafeInteger(value.toNumber()));

function compareLists<T>(a: T[], b: T[], compare: (x: T, y: T) => number): number {
  for (let i = 0; i < a.length && i < b.length; i++) {
    const difference = compare(a[i]!, b[i]!);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}

/** Compares strings by code points, which is the order of their UTF-8 bytes. JavaScript compares UTF-16 code units. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0;
  const end = Math.min(a.length, b.length);
  for (let i = 0; i < end; i++) {
    const left = a.charCodeAt(i);
    const right = b.charCodeAt(i);
    if (left !== right) return isSurrogate(left) !== isSurrogate(right) ? (isSurrogate(left) ? 1 : -1) : left - right;
  }
  return a.length - b.length;
}

const isSurrogate = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdfff;
