import { Int32, Long } from 'bson';
import { type AggregateRequest, aggregate } from '../aggregate-documents.ts';
import { compareValues } from '../bson/compare.ts';
import { type Doc, isDoc, isNumber, toNumber } from '../bson/values.ts';
import type { Batch } from '../cursors.ts';
import { type CommandContext, collectionName, findCollection } from '../engine.ts';
import { mongoError, notSupported } from '../errors.ts';
import { countDocuments, type FindRequest, findDocuments, toBytes } from '../find-documents.ts';
import { parseFilter } from '../query/parse-filter.ts';
import { type Project, readProjection } from '../query/projection.ts';
import { readSort } from '../query/sort.ts';
import { indexKeys } from '../storage/index-keys.ts';
import { RawDocuments } from '../wire/reply.ts';
import type { CommandTable } from './definition.ts';
import { readBoolean, readCount, readDocument } from './fields.ts';

/** A cursor's batch in the format of a reply. */
export function cursorReply(batch: Batch, namespace: string, field: 'firstBatch' | 'nextBatch'): Doc {
  return { cursor: { [field]: new RawDocuments(batch.documents), id: batch.id, ns: namespace } };
}

/** Parses the query, order and limits of a find. A limit of 0 means no limit. */
export function readFind(command: Doc): { request: FindRequest; project: Project | undefined; singleBatch: boolean } {
  const request: FindRequest = {
    filter: parseFilter(readDocument(command, 'filter')),
    sort: readSort(command.sort),
    skip: readCount(command, 'skip', 0),
    limit: readCount(command, 'limit', 0) || Number.POSITIVE_INFINITY,
  };
  const project = readProjection(command.projection);
  return { request, project, singleBatch: readBoolean(command, 'singleBatch') };
}

function find(command: Doc, context: CommandContext): Doc {
  const collection = findCollection(command, 'find', context);
  const { request, project, singleBatch } = readFind(command);
  const namespace = `${context.db}.${collectionName(command, 'find')}`;
  const documents = collection ? toBytes(findDocuments(collection, request), project) : [];
  const options = {
    batchSize: readCount(command, 'batchSize', 101),
    singleBatch,
    neverExpires: readBoolean(command, 'noCursorTimeout'),
  };
  return cursorReply(context.engine.cursors.start(namespace, documents, options), namespace, 'firstBatch');
}

function getMore(command: Doc, { engine, db }: CommandContext): Doc {
  const id = command.getMore;
  if (!(id instanceof Long))
    throw mongoError('TypeMismatch', "BSON field 'getMore.getMore' is the wrong type, expected type 'long'");
  if (command.maxTimeMS !== undefined)
    throw mongoError('BadValue', 'cannot set maxTimeMS on getMore command for a non-awaitData cursor');
  const namespace = `${db}.${collectionName(command, 'collection')}`;
  const batchSize = readCount(command, 'batchSize', 0) || Number.POSITIVE_INFINITY;
  return cursorReply(engine.cursors.next(id, namespace, batchSize), namespace, 'nextBatch');
}

function killCursors(command: Doc, { engine }: CommandContext): Doc {
  const ids = command.cursors;
  if (!Array.isArray(ids) || !ids.every((id) => id instanceof Long)) {
    throw mongoError(
      'TypeMismatch',
      "BSON field 'killCursors.cursors' is the wrong type, expected type 'array' of longs",
    );
  }
  const cursorsKilled: Long[] = [];
  const cursorsNotFound: Long[] = [];
  for (const id of ids) (engine.cursors.kill(id) ? cursorsKilled : cursorsNotFound).push(id);
  return { cursorsKilled, cursorsNotFound, cursorsAlive: [], cursorsUnknown: [] };
}

function count(command: Doc, context: CommandContext): Doc {
  const collection = findCollection(command, 'count', context);
  const { request } = readFind({ ...command, filter: command.query ?? {}, limit: absolute(command.limit) });
  return { n: new Int32(collection ? countDocuments(collection, request) : 0) };
}

/** For count, a negative limit means the same as a positive one. */
const absolute = (limit: unknown): unknown => (isNumber(limit) ? new Int32(Math.abs(toNumber(limit))) : limit);

function distinct(command: Doc, context: CommandContext): Doc {
  const collection = findCollection(command, 'distinct', context);
  const { key } = command;
  if (typeof key !== 'string' || key === '')
    throw mongoError('TypeMismatch', "BSON field 'distinct.key' is the wrong type, expected type 'string'");
  const { request } = readFind({ ...command, filter: command.query ?? {} });
  const values: unknown[] = [];
  const seen = new Set<string>();
  for (const match of collection ? findDocuments(collection, request) : []) {
    for (const {
      bytes,
      values: [found],
      isMissing,
    } of indexKeys(match.doc(), [[key, 1]]).keys) {
      const text = bytes.toString('latin1');
      if (isMissing || found === undefined || seen.has(text)) continue;
      seen.add(text);
      values.push(found);
    }
  }
  return { values: values.sort(compareValues) };
}

export const READ_COMMANDS: CommandTable = {
  find: {
    fields: [
      'filter',
      'sort',
      'projection',
      'skip',
      'limit',
      'batchSize',
      'singleBatch',
      'allowDiskUse',
      'noCursorTimeout',
      'allowPartialResults',
      'oplogReplay',
    ],
    refuses: ['hint', 'collation', 'let', 'tailable', 'awaitData', 'min', 'max', 'returnKey', 'showRecordId'],
    run: find,
  },
  getMore: { fields: ['collection', 'batchSize'], run: getMore },
  killCursors: { fields: ['cursors'], run: killCursors },
  count: { fields: ['query', 'limit', 'skip'], refuses: ['hint', 'collation'], run: count },
  distinct: { fields: ['key', 'query'], refuses: ['hint', 'collation'], run: distinct },
};

/** Parses an aggregate command. @throws {CommandError} TypeMismatch, CommandNotSupported without a collection */
export function readAggregate(command: Doc, { engine, db }: CommandContext): AggregateRequest {
  if (typeof command.aggregate !== 'string') throw notSupported('An aggregation without a collection');
  const { pipeline } = command;
  if (!Array.isArray(pipeline) || !pipeline.every(isDoc))
    throw mongoError('TypeMismatch', "'pipeline' option must be specified as an array of objects");
  return { catalog: engine.catalog, db, name: collectionName(command, 'aggregate'), pipeline };
}

function run(command: Doc, context: CommandContext): Doc {
  if (!isDoc(command.cursor))
    throw mongoError(
      'FailedToParse',
      "The 'cursor' option is required, except for aggregate with the explain argument",
    );
  const request = readAggregate(command, context);
  const namespace = `${request.db}.${request.name}`;
  const batchSize = readCount(readDocument(command, 'cursor'), 'batchSize', 101);
  return cursorReply(
    context.engine.cursors.start(namespace, aggregate(request), { batchSize }),
    namespace,
    'firstBatch',
  );
}

export const AGGREGATE_COMMANDS: CommandTable = {
  aggregate: {
    fields: ['pipeline', 'cursor', 'allowDiskUse', 'bypassDocumentValidation'],
    refuses: ['explain', 'hint', 'collation', 'let'],
    run,
  },
};
