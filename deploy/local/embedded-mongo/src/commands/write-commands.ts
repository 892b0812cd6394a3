import { type Doc, isNumber, isTruthy, toNumber } from '../bson/values.ts';
import { type CommandContext, collectionName, docField, letVariables } from '../engine.ts';
import { locationError, mongoError } from '../errors.ts';
import type { FindRequest } from '../find-documents.ts';
import { readCollation } from '../query/collation.ts';
import { type Filter, type FilterContext, parseFilter } from '../query/parse-filter.ts';
import { readSort } from '../query/sort.ts';
import type { Collection } from '../storage/collection.ts';
import { compileUpdate } from '../update/compile-update.ts';
import {
  deleteDocuments,
  insertRaw,
  readDeleteLimit,
  type UpdateRequest,
  updateDocuments,
} from '../write-documents.ts';
import { type CommandTable, docList, int } from './definition.ts';
import { runBulk } from './write-errors.ts';

/** A write names its collection into being, but only when there is something to put there. */
const lazily = (
  command: Doc,
  field: string,
  { engine, db }: CommandContext,
): { find: () => Collection | undefined; ensure: () => Collection } => {
  const name = collectionName(command, field);
  return { find: () => engine.catalog.find(db, name), ensure: () => engine.catalog.ensure(db, name) };
};

const isOrdered = (command: Doc): boolean => command.ordered === undefined || isTruthy(command.ordered);

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
  const errors = runBulk(context.engine.catalog, documents, isOrdered(command), (raw) => {
    insertRaw(collection, raw);
    n++;
  });
  return withErrors({ n: int(n) }, errors);
}

function checkOperation(kind: string, operation: Doc, fields: readonly string[]): void {
  const unknown = Object.keys(operation).find((field) => !fields.includes(field));
  if (unknown) throw locationError(40415, `BSON field '${kind}.${unknown}' is an unknown field.`);
}

const UPDATE_FIELDS = [
  'q',
  'u',
  'c',
  'multi',
  'upsert',
  'collation',
  'arrayFilters',
  'hint',
  'sort',
  'comment',
  'upsertSupplied',
];

/** Reads one entry of `updates`. */
export function readUpdate(operation: Doc, variables: Doc): UpdateRequest {
  checkOperation('update.updates', operation, UPDATE_FIELDS);
  const compareStrings = readCollation(operation.collation);
  const context: FilterContext = {
    compareStrings,
    variables: operation.c === undefined ? variables : { ...variables, ...docField(operation, 'c') },
  };
  const filter = parseFilter(docField(operation, 'q'), context);
  const update = compileUpdate(operation.u, operation.arrayFilters, context);
  const multi = isTruthy(operation.multi);
  if (multi && update.kind === 'replacement')
    throw mongoError('FailedToParse', 'multi update is not supported for replacement-style update');
  if (multi && operation.sort !== undefined) throw mongoError('FailedToParse', 'Cannot specify sort with multi=true');
  return {
    find: findRequest(filter, operation, compareStrings, 1),
    update,
    multi,
    upsert: isTruthy(operation.upsert),
    filter,
  };
}

/** What a write finds by. */
export function findRequest(
  filter: Filter,
  operation: Doc,
  compareStrings: FindRequest['compareStrings'],
  limit: number,
): FindRequest {
  return { filter, sort: readSort(operation.sort), skip: 0, limit, hint: operation.hint, compareStrings };
}

function update(command: Doc, context: CommandContext): Doc {
  const target = lazily(command, 'update', context);
  const variables = letVariables(command);
  const result = { n: 0, nModified: 0, upserted: [] as Doc[] };
  const errors = runBulk(
    context.engine.catalog,
    docList(command, 'updates'),
    isOrdered(command),
    (operation, index) => {
      const request = readUpdate(operation, variables);
      const collection = request.upsert ? target.ensure() : target.find();
      if (!collection) return;
      const { matched, modified, upserted } = updateDocuments(collection, request);
      result.n += matched + (upserted ? 1 : 0);
      result.nModified += modified;
      if (upserted) result.upserted.push({ index: int(index), _id: upserted._id });
    },
  );
  const reply: Doc = { n: int(result.n), nModified: int(result.nModified) };
  if (result.upserted.length) reply.upserted = result.upserted;
  return withErrors(reply, errors);
}

/** Reads one entry of `deletes`. */
export function readDelete(operation: Doc, variables: Doc): FindRequest {
  checkOperation('delete.deletes', operation, ['q', 'limit', 'collation', 'hint', 'comment']);
  const compareStrings = readCollation(operation.collation);
  const filter = parseFilter(docField(operation, 'q'), { compareStrings, variables });
  if (!isNumber(operation.limit))
    throw locationError(40414, "BSON field 'delete.deletes.limit' is missing but a required field");
  return findRequest(filter, operation, compareStrings, readDeleteLimit(toNumber(operation.limit)));
}

function remove(command: Doc, context: CommandContext): Doc {
  const target = lazily(command, 'delete', context);
  const variables = letVariables(command);
  let n = 0;
  const errors = runBulk(context.engine.catalog, docList(command, 'deletes'), isOrdered(command), (operation) => {
    const find = readDelete(operation, variables);
    const collection = target.find();
    if (collection) n += deleteDocuments(collection, find);
  });
  return withErrors({ n: int(n) }, errors);
}

/** insert, update and delete. */
export const WRITE_COMMANDS: CommandTable = {
  insert: { fields: ['documents', 'ordered', 'bypassDocumentValidation'], writes: true, run: insert },
  update: { fields: ['updates', 'ordered', 'bypassDocumentValidation', 'let'], writes: true, run: update },
  delete: { fields: ['deletes', 'ordered', 'let'], writes: true, run: remove },
};
