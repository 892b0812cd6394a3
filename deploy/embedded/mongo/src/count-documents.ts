import { type FindRequest, findDocuments } from './find-documents.ts';
import { type ExecutionStats, rowsOf } from './planner/execute.ts';
import { type Plan, planQuery } from './planner/plan.ts';
import type { Collection } from './storage/collection.ts';

/** Counts matching documents, from index entries alone where the plan's ranges cover exactly the filter. Adds its work to `stats`. */
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
    // An array has several entries, so their rows must be counted once.
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
