import type { BSONRegExp } from 'bson';
import { encodeKey, invertKey, TEXT_END_BYTES } from '../bson/key-encoding.ts';
import { isNumber, TYPES, toBsonRegExp, toNumber, typeOf } from '../bson/values.ts';
import type { Filter } from '../query/parse-filter.ts';

/** A boundary before or after all encoded values that start with these bytes. */
export interface Cut {
  bytes: Buffer;
  after: boolean;
}

/** The values of one field between two boundaries, in ascending order. */
export interface ValueRange {
  lower: Cut;
  upper: Cut;
  isPoint: boolean;
}

export interface Bounds {
  ranges: ValueRange[];
  /** Whether every value in the ranges matches, so documents need no further test. */
  isExact: boolean;
}

type PathFilter = Extract<Filter, { kind: 'path' }>;

const AFTER = Buffer.from([0xff]);
const before = (bytes: Buffer): Cut => ({ bytes, after: false });
const after = (bytes: Buffer): Cut => ({ bytes, after: true });
const typeByte = (order: number): Buffer => Buffer.from([order]);

/** A boundary as key bytes. No field's encoding starts with 0xff, inverted or not. */
export function cutBytes(cut: Cut): Buffer {
  return cut.after ? Buffer.concat([cut.bytes, AFTER]) : cut.bytes;
}

/** A range in the byte order of a field's direction. */
export function directed(range: ValueRange, direction: 1 | -1): ValueRange {
  if (direction === 1) return range;
  const flip = (cut: Cut): Cut => ({ bytes: invertKey(cut.bytes), after: !cut.after });
  return { lower: flip(range.upper), upper: flip(range.lower), isPoint: range.isPoint };
}

function point(value: unknown): ValueRange {
  const bytes = encodeKey(value);
  return { lower: before(bytes), upper: after(bytes), isPoint: true };
}

/** The bounds of one predicate, or undefined if an index in binary order can't be used for it. */
export function boundsOf({ operator, operand }: PathFilter): Bounds | undefined {
  switch (operator) {
    case '$eq':
      return equalityBounds([operand]);
    case '$in':
      return equalityBounds(operand as unknown[]);
    case '$regex':
      return regExpBounds(operand as BSONRegExp);
    case '$gt':
    case '$gte':
    case '$lt':
    case '$lte':
      return comparisonBounds(operator, operand);
    default:
      return undefined;
  }
}

const SCALARS = new Set<number>([
  TYPES.double.order,
  TYPES.string.order,
  TYPES.binData.order,
  TYPES.objectId.order,
  TYPES.bool.order,
  TYPES.date.order,
  TYPES.timestamp.order,
]);

function equalityBounds(values: unknown[]): Bounds | undefined {
  let isExact = true;
  const ranges: ValueRange[] = [];
  for (const value of values) {
    const { order } = typeOf(value);
    if (order === TYPES.null.order) {
      isExact = false;
      ranges.push(point(undefined), point(null));
    } else if (SCALARS.has(order)) {
      ranges.push(point(value));
    } else if (order === TYPES.object.order) {
      isExact = false;
      ranges.push(point(value));
    } else {
      return undefined;
    }
  }
  return { ranges: unionRanges(ranges), isExact };
}

function comparisonBounds(operator: '$gt' | '$gte' | '$lt' | '$lte', operand: unknown): Bounds | undefined {
  const { order } = typeOf(operand);
  const isNotANumber = isNumber(operand) && Number.isNaN(toNumber(operand));
  if (!SCALARS.has(order) || isNotANumber) return undefined;
  const bytes = encodeKey(operand);
  const first = before(typeByte(order));
  const last = after(typeByte(order));
  const range = {
    $gt: { lower: after(bytes), upper: last },
    $gte: { lower: before(bytes), upper: last },
    $lt: { lower: first, upper: before(bytes) },
    $lte: { lower: first, upper: after(bytes) },
  }[operator];
  // NaN sorts below all numbers, but isn't less than any.
  const holdsNaN = isNumber(operand) && operator.startsWith('$l');
  return { ranges: [{ ...range, isPoint: false }], isExact: !holdsNaN };
}

/** A pattern with a literal prefix needs only the strings with that prefix, and stored regular expressions. */
function regExpBounds(operand: BSONRegExp): Bounds | undefined {
  const prefix = /^\^((?:[\w\s@,;:<>=!%&'"~#/-]|\\[.^$*+?()[\]{}|\\/-])+)/.exec(operand.pattern)?.[1];
  if (!prefix || operand.options !== '' || operand.pattern.includes('|')) return undefined;
  const next = operand.pattern[prefix.length + 1];
  const isLastOptional = next !== undefined && '*?{'.includes(next);
  const literal = prefix.replace(/\\(.)/g, '$1').slice(0, isLastOptional ? -1 : undefined);
  if (literal === '') return undefined;
  const bytes = encodeKey(literal).subarray(0, -TEXT_END_BYTES);
  const strings = { lower: before(bytes), upper: after(bytes), isPoint: false };
  return { ranges: [strings, point(toBsonRegExp(operand))], isExact: false };
}

const compareCuts = (a: Cut, b: Cut): number => Buffer.compare(cutBytes(a), cutBytes(b));

/** Sorts ranges and merges those that overlap. */
export function unionRanges(ranges: ValueRange[]): ValueRange[] {
  const sorted = [...ranges].sort((a, b) => compareCuts(a.lower, b.lower));
  const joined: ValueRange[] = [];
  for (const range of sorted) {
    const last = joined.at(-1);
    if (!last || compareCuts(range.lower, last.upper) >= 0) joined.push(range);
    else if (compareCuts(range.upper, last.upper) > 0)
      joined[joined.length - 1] = { ...last, upper: range.upper, isPoint: false };
  }
  return joined;
}

/** The intersection of two lists of ranges. */
export function intersectRanges(a: ValueRange[], b: ValueRange[]): ValueRange[] {
  return a.flatMap((left) =>
    b.flatMap((right) => {
      const lower = compareCuts(left.lower, right.lower) >= 0 ? left.lower : right.lower;
      const upper = compareCuts(left.upper, right.upper) <= 0 ? left.upper : right.upper;
      return compareCuts(lower, upper) < 0 ? [{ lower, upper, isPoint: left.isPoint || right.isPoint }] : [];
    }),
  );
}
