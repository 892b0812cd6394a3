import { type Doc, encode } from './bson/values.ts';
import { type ExecutionStats, execute, type Match, rowsOf } from './planner/execute.ts';
import { type Plan, planQuery } from './planner/plan.ts';
import type { Filter } from './query/parse-filter.ts';
import type { Project } from './query/projection.ts';
import { sortBy } from './query/sort.ts';
import type { Collection } from './storage/collection.ts';
import type { IndexField } from './storage/index-keys.ts';

/** Counts matching documents, from index entries alone if the plan's ranges cover the filter exactly. Adds its work to `stats`. */
export function countDocuments(
  collection: Collection,
  request: FindRequest,
  plan: Plan = planQuery(collection, { ...request, sort: [] }),
  stats: ExecutionStats = { keysExamined: 0, docsExamined: 0 },
): number {
  const { filter, skip, limit } = request;
  const isAll = filter.kind === 'and' && filter.children.length === 0;
  if (isAll && plan.kind === 'collection') return within(collection.count(), skip, limit);
  if (plan.kind === 'index' && plan.isExact) {
    const { index, ranges } = plan;
    // An array has several entries, so each row must be counted only once.
    if (index.multikey.includes(true)) return within([...rowsOf(collection, plan, stats)].length, skip, limit);
    const total = ranges.reduce((sum, range) => sum + collection.countEntries(index, range), 0);
    stats.keysExamined += total;
    return within(total, skip, limit);
  }
  let count = 0;
  for (const _ of findDocuments(collection, { ...request, sort: [] }, plan, stats)) count++;
  return count;
}

const within = (total: number, skip: number, limit: number): number => Math.max(0, Math.min(total - skip, limit));

/** A query with its sort order and limits. */
export interface FindRequest {
  filter: Filter;
  sort: readonly IndexField[];
  skip: number;
  /** Infinity for no limit. */
  limit: number;
}

/** Finds documents in order, one at a time. Adds its work to `stats`. */
export function* findDocuments(
  collection: Collection,
  request: FindRequest,
  plan = planQuery(collection, request),
  stats: ExecutionStats = { keysExamined: 0, docsExamined: 0 },
): Generator<Match> {
  const { filter, sort, skip, limit } = request;
  if (limit === 0) return;
  let matches: Iterable<Match> = execute(collection, plan, filter, stats);
  if (!plan.providesSort) {
    const read = (match: Match): { doc: Doc; sizeBytes: number } => ({ doc: match.doc(), sizeBytes: match.raw.length });
    matches = sortBy(matches, sort, read, skip + limit);
  }
  let position = 0;
  for (const match of matches) {
    position++;
    if (position > skip) yield match;
    if (position >= skip + limit) return;
  }
}

/** Encodes matches for a reply. Without a projection the stored bytes are reused. */
export function* toBytes(matches: Iterable<Match>, project: Project | undefined): Generator<Buffer> {
  for (const match of matches) yield project ? encode(project(match.doc())) : match.raw;
}
