import { type Doc, decode } from '../bson/values.ts';
import type { Filter } from '../query/parse-filter.ts';
import type { Collection, IndexEntry } from '../storage/collection.ts';
import { checkTimeLimit } from '../time-limit.ts';
import type { Plan } from './plan.ts';

/** A document that a query has found. */
export interface Match {
  rid: number;
  raw: Buffer;
  /** Decodes the document, at most once. */
  doc: () => Doc;
}

/** Execution statistics of a query. */
export interface ExecutionStats {
  keysExamined: number;
  docsExamined: number;
}

/** Executes a plan, yielding documents one by one in the plan's order. @throws {CommandError} MaxTimeMSExpired */
export function* execute(collection: Collection, plan: Plan, filter: Filter, stats: ExecutionStats): Generator<Match> {
  const matchesAll = filter.kind === 'and' && filter.children.length === 0;
  for (const { rid, raw } of candidates(collection, plan, stats)) {
    checkTimeLimit();
    stats.docsExamined++;
    let decoded: Doc | undefined;
    const doc = (): Doc => {
      decoded ??= decode(raw);
      return decoded;
    };
    if (matchesAll || filter.test(doc())) yield { rid, raw, doc };
  }
}

function* candidates(
  collection: Collection,
  plan: Plan,
  stats: ExecutionStats,
): Generator<{ rid: number; raw: Buffer }> {
  if (plan.kind === 'collection') {
    yield* collection.documents(plan.direction);
    return;
  }
  for (const rid of rowsOf(collection, plan, stats)) {
    const raw = collection.fetch(rid);
    if (raw) yield { rid, raw };
  }
}

/** The rows of an index plan, each once, without reading their documents. */
export function* rowsOf(collection: Collection, plan: Plan, stats: ExecutionStats): Generator<number> {
  if (plan.kind === 'collection') throw new Error('A collection scan has no index rows');
  const mayRepeat = plan.kind === 'union' || plan.index.multikey.includes(true);
  const seen = new Set<number>();
  for (const rid of plan.kind === 'union'
    ? unionRows(collection, plan.plans, stats)
    : indexRows(collection, plan, stats)) {
    if (mayRepeat) {
      if (seen.has(rid)) continue;
      seen.add(rid);
    }
    yield rid;
  }
}

function* unionRows(collection: Collection, plans: Plan[], stats: ExecutionStats): Generator<number> {
  for (const plan of plans) yield* rowsOf(collection, plan, stats);
}

type IndexPlan = Extract<Plan, { kind: 'index' }>;

/** Ranges with the same leading values form a sorted run. Several runs are merged by the remaining values. */
function* indexRows(collection: Collection, plan: IndexPlan, stats: ExecutionStats): Generator<number> {
  const { prefixFields, direction } = plan.order;
  const runs = new Map<string, { prefixLength: number; ranges: IndexPlan['ranges'] }>();
  const ordered = direction === 1 ? plan.ranges : [...plan.ranges].reverse();
  for (const range of ordered) {
    const prefixLength = plan.providesSort && prefixFields > 0 ? range.prefixEnds[prefixFields - 1]! : 0;
    const prefix = range.from.toString('latin1', 0, prefixLength);
    const run = runs.get(prefix);
    if (run) run.ranges.push(range);
    else runs.set(prefix, { prefixLength, ranges: [range] });
  }
  const readers = [...runs.values()].map(({ prefixLength, ranges }) => ({ prefixLength, entries: readRanges(ranges) }));
  yield* readers.length === 1 ? rids(readers[0]!.entries) : mergeRuns(readers, direction);

  function* readRanges(ranges: IndexPlan['ranges']): Generator<IndexEntry> {
    for (const range of ranges) {
      for (const entry of collection.entries(plan.index, range, direction)) {
        checkTimeLimit();
        stats.keysExamined++;
        yield entry;
      }
    }
  }
}

function* rids(entries: Iterable<IndexEntry>): Generator<number> {
  for (const entry of entries) yield entry.rid;
}

interface Reader {
  prefixLength: number;
  entries: Generator<IndexEntry>;
}

function* mergeRuns(readers: Reader[], direction: 1 | -1): Generator<number> {
  const heads = readers.flatMap((reader) => {
    const next = reader.entries.next();
    return next.done ? [] : [{ reader, entry: next.value }];
  });
  const suffix = ({ reader, entry }: (typeof heads)[number]): Buffer => entry.key.subarray(reader.prefixLength);
  while (heads.length > 0) {
    let least = heads[0]!;
    for (const head of heads) if (Buffer.compare(suffix(head), suffix(least)) * direction < 0) least = head;
    yield least.entry.rid;
    const next = least.reader.entries.next();
    if (next.done) heads.splice(heads.indexOf(least), 1);
    else least.entry = next.value;
  }
}
