import { type FindRequest, findDocuments, planFor } from './find-documents.ts';
import { rowsOf } from './planner/execute.ts';
import type { Collection } from './storage/collection.ts';

/** Counts from index entries alone where the plan's ranges are exactly the filter. */
export function countDocuments(collection: Collection, request: FindRequest): number {
  const { filter, skip, limit } = request;
  const isAll = filter.kind === 'and' && filter.children.length === 0;
  const plan = planFor(collection, { ...request, sort: [] });
  if (isAll && request.hint === undefined) return within(collection.count(), skip, limit);
  if (plan.kind === 'index' && plan.isExact) {
    if (!plan.index.multikey.includes(true)) {
      const total = plan.ranges.reduce((sum, range) => sum + collection.countEntries(plan.index, range), 0);
      return within(total, skip, limit);
    }
    return within([...rowsOf(collection, plan, { keysExamined: 0, docsExamined: 0 })].length, skip, limit);
  }
  let count = 0;
  for (const _ of findDocuments(collection, { ...request, sort: [] }, plan)) count++;
  return count;
}

const within = (total: number, skip: number, limit: number): number => Math.max(0, Math.min(total - skip, limit));
