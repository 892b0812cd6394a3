import { Int32 } from 'bson';
import { type Doc, decode, isNumber, toNumber } from '../bson/values.ts';
import { type CommandContext, collectionName } from '../engine.ts';
import { mongoError, notSupported } from '../errors.ts';
import { type FindRequest, findDocuments } from '../find-documents.ts';
import { type Filter, parseFilter } from '../query/parse-filter.ts';
import { type Project, readProjection } from '../query/projection.ts';
import { readSort } from '../query/sort.ts';
import type { Collection } from '../storage/collection.ts';
import { compileUpdate } from '../update/compile-update.ts';
import {
  deleteDocuments,
  insertRaw,
  type UpdateRequest,
  updateDocuments,
  updateOne,
  upsert,
} from '../write-documents.ts';
import type { CommandTable } from './definition.ts';
import { checkType, readBoolean, readDocument, readDocuments, refuseUnknownFields, requireField } from './fields.ts';
import { runBulk } from './write-errors.ts';

/** The collection of a write. It is created only once there is something to store. */
function lazily(
  command: Doc,
  field: string,
  { engine, db }: CommandContext,
): { find: () => Collection | undefined; ensure: () => Collection } {
  const name = collectionName(command, field);
  return { find: () => engine.catalog.find(db, name), ensure: () => engine.catalog.ensure(db, name) };
}

const withErrors = (reply: Doc, errors: Doc[]): Doc => (errors.length ? { ...reply, writeErrors: errors } : reply);

function insert(command: Doc, context: CommandContext): Doc {
  const target = lazily(command, 'insert', context);
  const documents = command.documents as unknown[];
  if (!Array.isArray(documents) || !documents.every(Buffer.isBuffer)) {
    throw mongoError(
      'TypeMismatch',
      "BSON field 'insert.documents' is the wrong type, expected type 'array' of objects",
    );
  }
  if (documents.length === 0)
    throw mongoError('InvalidLength', 'Write batch sizes must be between 1 and 100000. Got 0 operations.');
  const collection = target.ensure();
  let n = 0;
  const errors = runBulk(context.engine.catalog, documents, readBoolean(command, 'ordered', true), (raw) => {
    insertRaw(collection, raw);
    n++;
  });
  return withErrors({ n: new Int32(n) }, errors);
}

const UPDATE_FIELDS = ['q', 'u', 'multi', 'upsert', 'sort', 'comment'];

/** @throws {CommandError} CommandNotSupported for an unsupported MongoDB option */
function refuseLacking(operation: Doc): void {
  const lacking = ['arrayFilters', 'collation', 'hint', 'c'].find((option) => option in operation);
  if (lacking) throw notSupported(`The option '${lacking}' of a write`);
}

/** Parses an entry of `updates`. */
function readUpdate(operation: Doc): UpdateRequest {
  refuseLacking(operation);
  refuseUnknownFields('update.updates', operation, UPDATE_FIELDS);
  const filter = parseFilter(readDocument(operation, 'q'));
  const update = compileUpdate(operation.u);
  const multi = readBoolean(operation, 'multi');
  if (multi && update.kind === 'replacement')
    throw mongoError('FailedToParse', 'multi update is not supported for replacement-style update');
  if (multi && operation.sort !== undefined) throw mongoError('FailedToParse', 'Cannot specify sort with multi=true');
  return {
    find: findRequest(filter, operation, 1),
    update,
    multi,
    upsert: readBoolean(operation, 'upsert'),
    filter,
  };
}

/** The query of a write. */
export function findRequest(filter: Filter, operation: Doc, limit: number): FindRequest {
  return { filter, sort: readSort(operation.sort), skip: 0, limit };
}

function update(command: Doc, context: CommandContext): Doc {
  const target = lazily(command, 'update', context);
  const result = { n: 0, nModified: 0, upserted: [] as Doc[] };
  const errors = runBulk(
    context.engine.catalog,
    readDocuments(command, 'updates'),
    readBoolean(command, 'ordered', true),
    (operation, index) => {
      const request = readUpdate(operation);
      const collection = request.upsert ? target.ensure() : target.find();
      if (!collection) return;
      const { matched, modified, upserted } = updateDocuments(collection, request);
      result.n += matched + (upserted ? 1 : 0);
      result.nModified += modified;
      if (upserted) result.upserted.push({ index: new Int32(index), _id: upserted._id });
    },
  );
  const reply: Doc = { n: new Int32(result.n), nModified: new Int32(result.nModified) };
  if (result.upserted.length) reply.upserted = result.upserted;
  return withErrors(reply, errors);
}

/** Parses an entry of `deletes`. */
function readDelete(operation: Doc): FindRequest {
  refuseLacking(operation);
  refuseUnknownFields('delete.deletes', operation, ['q', 'limit', 'comment']);
  return findRequest(parseFilter(readDocument(operation, 'q')), operation, readDeleteLimit(operation));
}

/** The `limit` of a delete is 0 for all, or 1. */
function readDeleteLimit(operation: Doc): number {
  const limit = requireField('delete.deletes', operation, 'limit');
  checkType('delete.deletes.limit', limit, 'number');
  const number = isNumber(limit) ? toNumber(limit) : Number.NaN;
  if (number !== 0 && number !== 1)
    throw mongoError('FailedToParse', `The limit field in delete objects must be 0 or 1. Got ${number}`);
  return number === 0 ? Number.POSITIVE_INFINITY : 1;
}

function remove(command: Doc, context: CommandContext): Doc {
  const target = lazily(command, 'delete', context);
  let n = 0;
  const errors = runBulk(
    context.engine.catalog,
    readDocuments(command, 'deletes'),
    readBoolean(command, 'ordered', true),
    (operation) => {
      const find = readDelete(operation);
      const collection = target.find();
      if (collection) n += deleteDocuments(collection, find);
    },
  );
  return withErrors({ n: new Int32(n) }, errors);
}

export const WRITE_COMMANDS: CommandTable = {
  insert: { fields: ['documents', 'ordered', 'bypassDocumentValidation'], writes: true, run: insert },
  update: { fields: ['updates', 'ordered', 'bypassDocumentValidation'], refuses: ['let'], writes: true, run: update },
  delete: { fields: ['deletes', 'ordered'], refuses: ['let'], writes: true, run: remove },
};

function findAndModify(command: Doc, { engine, db }: CommandContext): Doc {
  const name = collectionName(command, 'findAndModify');
  const filter = parseFilter(readDocument(command, 'query'));
  const project = readProjection(command.fields);
  const find = findRequest(filter, command, 1);
  const { removes, returnsNew, upserts } = readOptions(command);
  const update = removes ? undefined : compileUpdate(command.update);
  const existing = engine.catalog.find(db, name);
  const match = existing && [...findDocuments(existing, find)][0];
  if (!update) {
    if (!match) return reply(0, null);
    existing.remove(match.rid, decode(match.raw));
    return reply(1, shown(match.doc(), project));
  }
  if (match) {
    const { after } = updateOne(existing, match, update);
    return reply(1, shown(returnsNew ? after : match.doc(), project), { updatedExisting: true });
  }
  if (!upserts) return reply(0, null, { updatedExisting: false });
  const made = upsert(engine.catalog.ensure(db, name), { filter, update });
  return reply(1, returnsNew ? shown(made, project) : null, {
    updatedExisting: false,
    upserted: made._id,
  });
}

const shown = (doc: Doc, project: Project | undefined): Doc => (project ? project(doc) : doc);

const reply = (n: number, value: Doc | null, more: Doc = {}): Doc => ({
  lastErrorObject: { n: new Int32(n), ...more },
  value,
});

interface Options {
  removes: boolean;
  returnsNew: boolean;
  upserts: boolean;
}

function readOptions(command: Doc): Options {
  const removes = readBoolean(command, 'remove');
  const returnsNew = readBoolean(command, 'new');
  const upserts = readBoolean(command, 'upsert');
  const hasUpdate = command.update !== undefined;
  if (!removes && !hasUpdate) throw mongoError('FailedToParse', 'Either an update or remove=true must be specified');
  if (removes && hasUpdate) throw mongoError('FailedToParse', 'Cannot specify both an update and remove=true');
  if (removes && upserts) throw mongoError('FailedToParse', 'Cannot specify both upsert=true and remove=true');
  if (removes && returnsNew)
    throw mongoError(
      'FailedToParse',
      "Cannot specify both new=true and remove=true; 'remove' always returns the deleted document",
    );
  return { removes, returnsNew, upserts };
}

export const FIND_AND_MODIFY_COMMANDS: CommandTable = {
  findAndModify: {
    fields: ['query', 'sort', 'remove', 'update', 'new', 'fields', 'upsert', 'bypassDocumentValidation'],
    refuses: ['arrayFilters', 'collation', 'hint', 'let'],
    writes: true,
    run: findAndModify,
  },
};
