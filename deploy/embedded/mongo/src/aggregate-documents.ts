import { Int32 } from 'bson';
import { compilePipeline } from './aggregation/pipeline.ts';
import { type Doc, encode, fromInteger, isDoc, isNumber, toNumber } from './bson/values.ts';
import { countDocuments, type FindRequest, findDocuments, toBytes } from './find-documents.ts';
import { parseFilter } from './query/parse-filter.ts';
import { readSort } from './query/sort.ts';
import type { Catalog } from './storage/catalog.ts';

/** An aggregation: collection, pipeline and options. */
export interface AggregateRequest {
  catalog: Catalog;
  db: string;
  name: string;
  pipeline: readonly Doc[];
}

/** Runs an aggregation. Results are encoded lazily, as the caller reads them. */
export function aggregate(request: AggregateRequest): Iterable<Buffer> {
  const { find, rest } = splitPipeline(request.pipeline);
  const collection = request.catalog.find(request.db, request.name);
  const counter = readCounter(rest);
  if (counter) return countResult(collection ? countDocuments(collection, { ...find, sort: [] }) : 0, counter);
  const run = compilePipeline(rest);
  if (!collection) return encodeAll(run([]));
  const matches = findDocuments(collection, find);
  return rest.length === 0 ? toBytes(matches, undefined) : encodeAll(run(decodeAll(matches)));
}

function* encodeAll(documents: Iterable<Doc>): Generator<Buffer> {
  for (const doc of documents) yield encode(doc);
}

function* decodeAll(matches: ReturnType<typeof findDocuments>): Generator<Doc> {
  for (const match of matches) yield match.doc();
}

function isIntegerFrom(min: number, value: unknown): value is Int32 {
  return isNumber(value) && Number.isInteger(toNumber(value)) && toNumber(value) >= min;
}

/** Splits a pipeline into the leading stages that a find can execute with indexes, and the remaining stages. */
export function splitPipeline(pipeline: readonly Doc[]): { find: FindRequest; rest: readonly Doc[] } {
  const isStage = (name: string, at: number): boolean => Object.keys(pipeline[at] ?? {}).join() === name;
  let at = 0;
  const filters: Doc[] = [];
  while (isStage('$match', at) && isDoc(pipeline[at]!.$match)) filters.push(pipeline[at++]!.$match as Doc);
  const find: FindRequest = {
    filter: parseFilter(filters.length > 1 ? { $and: filters } : (filters[0] ?? {})),
    sort: [],
    skip: 0,
    limit: Number.POSITIVE_INFINITY,
  };
  if (isStage('$sort', at)) {
    const sort = readSort(pipeline[at]!.$sort);
    if (sort.length > 0) {
      find.sort = sort;
      at++;
    }
  }
  const skip = isStage('$skip', at) ? pipeline[at]!.$skip : undefined;
  if (isIntegerFrom(0, skip)) {
    find.skip = toNumber(skip);
    at++;
  }
  const limit = isStage('$limit', at) ? pipeline[at]!.$limit : undefined;
  if (isIntegerFrom(1, limit)) {
    find.limit = toNumber(limit);
    at++;
  }
  return { find, rest: pipeline.slice(at) };
}

/** The final group of drivers' countDocuments. It only counts, so it needs no documents. */
interface Counter {
  field: string;
  id: unknown;
}

/** Recognizes `{$group: {_id: <constant>, <field>: {$sum: 1}}}` as the only stage. */
function readCounter(rest: readonly Doc[]): Counter | undefined {
  const group = rest.length === 1 ? rest[0]!.$group : undefined;
  if (!isDoc(group)) return undefined;
  const { _id: id, ...fields } = group;
  const [[field, accumulator] = ['', undefined], ...others] = Object.entries(fields);
  const isConstant = id === null || isNumber(id);
  if (others.length > 0 || !isConstant || !isDoc(accumulator)) return undefined;
  const isOne = Object.keys(accumulator).join() === '$sum' && accumulator.$sum instanceof Int32;
  return isOne && (accumulator.$sum as Int32).value === 1 ? { field, id } : undefined;
}

function countResult(total: number, { field, id }: Counter): Buffer[] {
  return total === 0 ? [] : [encode({ _id: id, [field]: fromInteger(total) })];
}
