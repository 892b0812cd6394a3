import { Int32 } from 'bson';
import { compilePipeline } from './aggregation/pipeline.ts';
import type { Documents } from './aggregation/stage.ts';
import type { CompareStrings } from './bson/compare.ts';
import { type Doc, encode, fromInteger, isDoc, isNumber, toNumber } from './bson/values.ts';
import { countDocuments } from './count-documents.ts';
import { type FindRequest, findDocuments, toBytes } from './find-documents.ts';
import { parseFilter } from './query/parse-filter.ts';
import { readSort } from './query/sort.ts';
import type { Catalog } from './storage/catalog.ts';

/** What an aggregation reads from, and under which rules. */
export interface AggregateRequest {
  catalog: Catalog;
  db: string;
  name: string;
  pipeline: readonly Doc[];
  variables: Doc;
  compareStrings?: CompareStrings | undefined;
  hint?: unknown;
}

/** Runs an aggregation; its results as bytes, made as they are read. */
export function aggregate(request: AggregateRequest): Iterable<Buffer> {
  const { find, rest } = splitPipeline(request);
  const collection = request.catalog.find(request.db, request.name);
  const counter = countField(rest);
  if (counter && collection) return countResult(countDocuments(collection, { ...find, sort: [] }), counter);
  if (rest.length === 0) return collection ? toBytes(findDocuments(collection, find), undefined) : [];
  return encodeAll(compile(rest, request)(collection ? decodeAll(findDocuments(collection, find)) : []));
}

/** The same, as documents, for pipelines within stages. */
function aggregateDocuments(request: AggregateRequest): Documents {
  const { find, rest } = splitPipeline(request);
  const collection = request.catalog.find(request.db, request.name);
  return compile(rest, request)(collection ? decodeAll(findDocuments(collection, find)) : []);
}

function compile(pipeline: readonly Doc[], request: AggregateRequest): ReturnType<typeof compilePipeline> {
  const { variables, compareStrings } = request;
  return compilePipeline(pipeline, {
    variables,
    compareStrings,
    readCollection: (name, inner, innerVariables) =>
      aggregateDocuments({ ...request, hint: undefined, name, pipeline: inner, variables: innerVariables }),
  });
}

function* encodeAll(documents: Documents): Generator<Buffer> {
  for (const doc of documents) yield encode(doc);
}

function* decodeAll(matches: ReturnType<typeof findDocuments>): Generator<Doc> {
  for (const match of matches) yield match.doc();
}

const isWhole = (value: unknown, least: number): boolean =>
  isNumber(value) && Number.isInteger(toNumber(value)) && toNumber(value) >= least;

/** What the pipeline's first stages ask is found by indexes; the rest is left to the stages themselves. */
export function splitPipeline({ pipeline, variables, compareStrings, hint }: AggregateRequest): {
  find: FindRequest;
  rest: readonly Doc[];
} {
  const isStage = (name: string, at: number): boolean => Object.keys(pipeline[at] ?? {}).join() === name;
  let at = 0;
  const filters: Doc[] = [];
  while (isStage('$match', at) && isDoc(pipeline[at]!.$match)) filters.push(pipeline[at++]!.$match as Doc);
  const find: FindRequest = {
    filter: parseFilter(filters.length > 1 ? { $and: filters } : (filters[0] ?? {}), { compareStrings, variables }),
    sort: [],
    skip: 0,
    limit: Number.POSITIVE_INFINITY,
    hint,
    compareStrings,
  };
  if (isStage('$sort', at)) {
    const sort = readSort(pipeline[at]!.$sort);
    if (sort.length > 0) {
      find.sort = sort;
      at++;
    }
  }
  if (isStage('$skip', at) && isWhole(pipeline[at]!.$skip, 0)) find.skip = toNumber(pipeline[at++]!.$skip as Int32);
  if (isStage('$limit', at) && isWhole(pipeline[at]!.$limit, 1)) find.limit = toNumber(pipeline[at++]!.$limit as Int32);
  return { find, rest: pipeline.slice(at) };
}

/** A pipeline that only counts (as drivers' countDocuments does) needs no documents. */
interface Counter {
  field: string;
  id: { _id: unknown } | Record<string, never>;
}

function countField(rest: readonly Doc[]): Counter | undefined {
  const [stage, ...more] = rest;
  if (!stage || more.length > 0) return undefined;
  if (typeof stage.$count === 'string' && /^[^$.][^.]*$/.test(stage.$count)) return { field: stage.$count, id: {} };
  if (!isDoc(stage.$group)) return undefined;
  const { _id, ...fields } = stage.$group;
  const [entry, ...others] = Object.entries(fields);
  const isConstant = _id === null || isNumber(_id);
  const sum = entry && isDoc(entry[1]) ? entry[1] : {};
  const isOne = Object.keys(sum).join() === '$sum' && sum.$sum instanceof Int32 && sum.$sum.value === 1;
  return entry && others.length === 0 && isConstant && isOne && !/[.$]/.test(entry[0])
    ? { field: entry[0], id: { _id } }
    : undefined;
}

const countResult = (total: number, { field, id }: Counter): Buffer[] =>
  total === 0 ? [] : [encode({ ...id, [field]: fromInteger(total) })];
