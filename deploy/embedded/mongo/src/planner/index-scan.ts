import { equalValues } from '../bson/compare.ts';
import { TYPES } from '../bson/values.ts';
import { isPosition } from '../query/paths.ts';
import type { Index, KeyRange } from '../storage/collection.ts';
import type { IndexField } from '../storage/index-keys.ts';
import type { Conjunction, PathFilter } from './conjunctions.ts';
import { type Bounds, boundsOf, cutBytes, directed, intersectRanges, type ValueRange } from './value-ranges.ts';

/** The maximum number of separate ranges per scan. */
const MAX_RANGES = 10_000;

/** A range of an index, with the end of each leading field that is bound to a single value. */
export interface ScanRange extends KeyRange {
  /** For each leading field bound to a single value, the end of its bytes. */
  prefixEnds: number[];
}

export interface IndexBounds {
  ranges: ScanRange[];
  /** How many leading fields are bound to single values. */
  pointFields: number;
  /** Whether the field after those is bound to a range. */
  hasRange: boolean;
  /** Whether every entry in the ranges matches the whole filter. */
  isExact: boolean;
}

/** An index's bounds for a conjunction. Without a useful predicate, the whole index. Undefined if it must not be used. */
export function indexBounds(index: Index, conjunction: Conjunction): IndexBounds | undefined {
  if (index.fields.some(([path]) => path.split('.').some(isPosition))) return undefined;
  if (index.partial && !isImplied(index, conjunction.predicates)) return undefined;
  const levels: ValueRange[][] = [];
  const used = new Set<PathFilter>();
  let isExact = conjunction.isWhole;
  let multikeyUsed = false;
  for (const [i, [path, direction]] of index.fields.entries()) {
    const isMultikey = index.multikey[i] ?? false;
    if (isMultikey && multikeyUsed) break;
    const found = fieldBounds(path, conjunction.predicates, isMultikey, used);
    if (!found) break;
    multikeyUsed ||= isMultikey;
    isExact &&= found.isExact;
    levels.push(
      found.ranges
        .map((range) => directed(range, direction))
        .sort((a, b) => Buffer.compare(cutBytes(a.lower), cutBytes(b.lower))),
    );
    if (!found.ranges.every((range) => range.isPoint)) break;
    if (levels.reduce((product, level) => product * level.length, 1) > MAX_RANGES) {
      levels.pop();
      isExact = false;
      break;
    }
  }
  if (index.sparse && !excludesMissing(levels[0])) return undefined;
  const ranges = combine(levels);
  const pointFields = levels.filter((level) => level.every((range) => range.isPoint)).length;
  isExact &&= conjunction.predicates.every((predicate) => used.has(predicate));
  return { ranges, pointFields, hasRange: levels.length > pointFields, isExact };
}

/** The bounds of one field from all its predicates. A multikey field uses only one, because two may match different elements. */
function fieldBounds(
  path: string,
  predicates: PathFilter[],
  isMultikey: boolean,
  used: Set<PathFilter>,
): Bounds | undefined {
  let bounds: Bounds | undefined;
  for (const predicate of predicates) {
    if (predicate.path !== path) continue;
    const found = boundsOf(predicate);
    if (!found || (bounds && isMultikey)) continue;
    used.add(predicate);
    bounds = bounds
      ? { ranges: intersectRanges(bounds.ranges, found.ranges), isExact: bounds.isExact && found.isExact }
      : found;
  }
  return bounds;
}

/** Combines the fields' ranges into key ranges, in key order. */
function combine(levels: ValueRange[][]): ScanRange[] {
  let prefixes: { bytes: Buffer; ends: number[] }[] = [{ bytes: Buffer.alloc(0), ends: [] }];
  for (const [depth, level] of levels.entries()) {
    const isLast = depth === levels.length - 1;
    if (isLast) {
      return prefixes.flatMap(({ bytes, ends }) =>
        level.map((range) => {
          const from = Buffer.concat([bytes, cutBytes(range.lower)]);
          const to = Buffer.concat([bytes, cutBytes(range.upper)]);
          // A point's lower cut is `before` in either direction, so its bytes are the field's own.
          return { from, to, prefixEnds: range.isPoint ? [...ends, from.length] : ends };
        }),
      );
    }
    prefixes = prefixes.flatMap(({ bytes, ends }) =>
      level.map((range) => {
        const joined = Buffer.concat([bytes, range.lower.bytes]);
        return { bytes: joined, ends: [...ends, joined.length] };
      }),
    );
  }
  return [{ from: Buffer.alloc(0), to: Buffer.from([0xff]), prefixEnds: [] }];
}

const NULL_BYTES = new Set<number>([TYPES.null.order, ~TYPES.null.order & 0xff]);

/** Whether the first field's bounds exclude null, so that no document without the field can match. */
const excludesMissing = (level: ValueRange[] | undefined): boolean =>
  level?.every((range) => !NULL_BYTES.has(range.lower.bytes[0]!)) ?? false;

/** Whether a partial index contains all documents that match the query. */
function isImplied(index: Index, predicates: PathFilter[]): boolean {
  const required = index.partial && (index.partial.kind === 'and' ? index.partial.children : [index.partial]);
  return (
    required?.every((wanted) => {
      if (wanted.kind !== 'path') return false;
      return predicates.some(
        (given) =>
          given.path === wanted.path &&
          ((given.operator === wanted.operator && equalValues(given.operand, wanted.operand)) ||
            isCertain(given, wanted)),
      );
    }) ?? false
  );
}

/** Whether equality with a value implies another predicate on the same path. */
function isCertain(given: PathFilter, wanted: PathFilter): boolean {
  const values =
    given.operator === '$eq' ? [given.operand] : given.operator === '$in' ? (given.operand as unknown[]) : [];
  if (values.length === 0 || given.path.includes('.')) return false;
  return values.every((value) => value !== null && !Array.isArray(value) && wanted.test({ [given.path]: value }));
}

/** How a scan can provide a sort order. */
export interface ScanOrder {
  direction: 1 | -1;
  /** How many leading fields are constant within each run of the scan. */
  prefixFields: number;
}

/**
 * Whether an index can provide a sort order: by its fields, in either direction, after leading fields that are constant in
 * every range. A multikey field has no single order.
 */
export function scanOrder(
  index: Index,
  sort: readonly IndexField[],
  ranges: readonly ScanRange[],
): ScanOrder | undefined {
  if (ranges.length === 0) return { direction: 1, prefixFields: 0 };
  const fixed = Math.min(...ranges.map((range) => range.prefixEnds.length));
  const isSingle = ranges.every((range) => samePrefix(range, ranges[0]!, fixed));
  const constant = new Set(
    isSingle ? index.fields.slice(0, fixed).flatMap(([path], i) => (index.multikey[i] ? [] : [path])) : [],
  );
  const wanted = sort.filter(([path]) => !constant.has(path));
  if (wanted.length === 0) return { direction: 1, prefixFields: fixed };
  for (let prefixFields = 0; prefixFields <= fixed; prefixFields++) {
    const provided = index.fields.slice(prefixFields);
    const direction = provided[0] && ((provided[0][1] * wanted[0]![1]) as 1 | -1);
    const isMatch = wanted.every(([path, sign], i) => {
      const field = provided[i];
      return field?.[0] === path && field[1] * sign === direction && !index.multikey[prefixFields + i];
    });
    if (isMatch && direction) return { direction, prefixFields };
  }
  return undefined;
}

function samePrefix(a: ScanRange, b: ScanRange, fields: number): boolean {
  const end = fields === 0 ? 0 : a.prefixEnds[fields - 1]!;
  return fields === 0 || (end === b.prefixEnds[fields - 1] && a.from.subarray(0, end).equals(b.from.subarray(0, end)));
}
