import type { Filter } from '../query/parse-filter.ts';
import type { Collection, Index } from '../storage/collection.ts';
import type { IndexField } from '../storage/index-keys.ts';
import { type Conjunction, toConjunctions } from './conjunctions.ts';
import { indexBounds, type ScanOrder, type ScanRange, scanOrder } from './index-scan.ts';

export type Plan =
  | { kind: 'collection'; direction: 1 | -1; isExact: boolean; providesSort: boolean }
  | { kind: 'index'; index: Index; ranges: ScanRange[]; order: ScanOrder; isExact: boolean; providesSort: boolean }
  | { kind: 'union'; plans: Plan[]; isExact: false; providesSort: boolean };

export interface Request {
  filter: Filter;
  sort: readonly IndexField[];
}

/** Chooses the index that binds most of the filter and provides the sort, or else a collection scan. */
export function planQuery(collection: Collection, request: Request): Plan {
  const [first] = request.sort;
  if (first?.[0] === '$natural') return scanCollection(request, first[1], true);
  const conjunctions = toConjunctions(request.filter);
  const best = bestIndex(collection.indexes, conjunctions, request);
  if (best) return best;
  if (conjunctions.length > 1) {
    const plans = conjunctions.map((conjunction) =>
      bestIndex(collection.indexes, [conjunction], { ...request, sort: [] }),
    );
    if (plans.every((plan) => plan !== undefined))
      return { kind: 'union', plans, isExact: false, providesSort: request.sort.length === 0 };
  }
  return scanCollection(request, 1, request.sort.length === 0);
}

function scanCollection(request: Request, direction: 1 | -1, providesSort: boolean): Plan {
  const isExact = request.filter.kind === 'and' && request.filter.children.length === 0;
  return { kind: 'collection', direction, isExact, providesSort };
}

function bestIndex(indexes: readonly Index[], conjunctions: Conjunction[], request: Request): Plan | undefined {
  let best: { plan: Plan; score: number } | undefined;
  for (const index of indexes) {
    const found = planIndex(index, conjunctions, request);
    if (found && (!best || found.score > best.score)) best = found;
  }
  return best?.plan;
}

const SCORE = { uniqueMatch: 1000, pointField: 4, range: 2, sort: 5, sortAlone: 1, exact: 0.5 };

function planIndex(
  index: Index,
  conjunctions: Conjunction[],
  { sort }: Request,
): { plan: Plan; score: number } | undefined {
  const all = conjunctions.map((conjunction) => indexBounds(index, conjunction));
  if (!all.every((bounds) => bounds !== undefined)) return undefined;
  const isBound = all.every((bounds) => bounds.pointFields > 0 || bounds.hasRange);
  const ranges = isBound
    ? unionScanRanges(all.flatMap((bounds) => bounds.ranges))
    : [{ from: Buffer.alloc(0), to: Buffer.from([0xff]), prefixEnds: [] }];
  const order = scanOrder(index, sort, ranges);
  const providesSort = sort.length === 0 || order !== undefined;
  if (!isBound && (sort.length === 0 || !providesSort)) return undefined;
  const pointFields = Math.min(...all.map((bounds) => bounds.pointFields));
  const isExact = isBound && all.every((bounds) => bounds.isExact);
  let score = isBound
    ? SCORE.pointField * pointFields + (all.every((bounds) => bounds.hasRange) ? SCORE.range : 0)
    : SCORE.sortAlone;
  if (isBound && sort.length > 0 && providesSort) score += SCORE.sort;
  if (index.unique && pointFields === index.fields.length) score += SCORE.uniqueMatch;
  if (isExact) score += SCORE.exact;
  const plan: Plan = {
    kind: 'index',
    index,
    ranges,
    order: order ?? { direction: 1, prefixFields: 0 },
    isExact,
    providesSort,
  };
  return { plan, score };
}

/** Sorts the ranges of several branches and merges those that overlap. A merged range keeps only the common prefix. */
function unionScanRanges(ranges: ScanRange[]): ScanRange[] {
  const joined: ScanRange[] = [];
  for (const range of [...ranges].sort((a, b) => Buffer.compare(a.from, b.from))) {
    const last = joined.at(-1);
    if (!last || Buffer.compare(range.from, last.to) >= 0) {
      joined.push(range);
      continue;
    }
    const prefixEnds = last.prefixEnds.filter(
      (end, i) => end === range.prefixEnds[i] && last.from.subarray(0, end).equals(range.from.subarray(0, end)),
    );
    joined[joined.length - 1] = {
      from: last.from,
      to: Buffer.compare(range.to, last.to) > 0 ? range.to : last.to,
      prefixEnds,
    };
  }
  return joined;
}
