import { Double, Int32, Long } from 'bson';
import { type Doc, encode, isDoc, isNumber, toNumber } from '../bson/values.ts';
import { type CommandContext, letVariables } from '../engine.ts';
import { mongoError } from '../errors.ts';
import { RawDocuments } from '../wire/reply.ts';
import { deleteDocuments, insertRaw, updateDocuments } from '../write-documents.ts';
import type { CommandTable } from './definition.ts';
import { readBoolean, readDocuments } from './fields.ts';
import { readDelete, readUpdate } from './write-commands.ts';
import { runBulk } from './write-errors.ts';

/** The totals of all operations. */
interface Totals {
  nInserted: number;
  nMatched: number;
  nModified: number;
  nUpserted: number;
  nDeleted: number;
}

/** Runs one operation. Returns its entry in the reply's cursor. */
type RunOperation = (
  operation: Doc,
  at: { db: string; name: string },
  context: CommandContext,
  variables: Doc,
  totals: Totals,
) => Doc;

const OPERATIONS: Record<string, RunOperation> = {
  insert: (operation, { db, name }, { engine }, _variables, totals) => {
    if (!isDoc(operation.document))
      throw mongoError('TypeMismatch', "BSON field 'bulkWrite.ops.document' is the wrong type, expected type 'object'");
    insertRaw(engine.catalog.ensure(db, name), encode(operation.document));
    totals.nInserted++;
    return { n: new Int32(1) };
  },
  update: (operation, { db, name }, { engine }, variables, totals) => {
    const { update: _at, filter, updateMods, constants, ...options } = operation;
    const request = readUpdate(
      { q: filter, u: updateMods, ...(constants === undefined ? {} : { c: constants }), ...options },
      variables,
    );
    const collection = request.upsert ? engine.catalog.ensure(db, name) : engine.catalog.find(db, name);
    if (!collection) return { n: new Int32(0), nModified: new Int32(0) };
    const { matched, modified, upserted } = updateDocuments(collection, request);
    totals.nMatched += matched;
    totals.nModified += modified;
    if (!upserted) return { n: new Int32(matched), nModified: new Int32(modified) };
    totals.nUpserted++;
    return { n: new Int32(1), nModified: new Int32(0), upserted: { _id: upserted._id } };
  },
  delete: (operation, { db, name }, { engine }, variables, totals) => {
    const { delete: _at, filter, multi: _multi, ...options } = operation;
    const find = readDelete(
      { q: filter, limit: new Int32(readBoolean(operation, 'multi') ? 0 : 1), ...options },
      variables,
    );
    const collection = engine.catalog.find(db, name);
    const n = collection ? deleteDocuments(collection, find) : 0;
    totals.nDeleted += n;
    return { n: new Int32(n) };
  },
};

function bulkWrite(command: Doc, context: CommandContext): Doc {
  const namespaces = readDocuments(command, 'nsInfo').map(({ ns }) => readNamespace(ns));
  const operations = readDocuments(command, 'ops');
  const ordered = readBoolean(command, 'ordered', true);
  const errorsOnly = readBoolean(command, 'errorsOnly');
  const variables = letVariables(command);
  const totals: Totals = { nInserted: 0, nMatched: 0, nModified: 0, nUpserted: 0, nDeleted: 0 };
  const results: Doc[] = [];
  const errors = runBulk(context.engine.catalog, operations, ordered, (operation, index) => {
    const [kind = ''] = Object.keys(operation);
    const run = Object.hasOwn(OPERATIONS, kind) ? OPERATIONS[kind] : undefined;
    const number = operation[kind];
    const at = isNumber(number) ? namespaces[toNumber(number)] : undefined;
    if (!run)
      throw mongoError('FailedToParse', `BulkWrite ops element must be an insert, update or delete, not '${kind}'`);
    if (!at) throw mongoError('BadValue', `BulkWrite ops entry ${index} has an invalid nsInfo index.`);
    results.push({ ok: new Double(1), idx: new Int32(index), ...run(operation, at, context, variables, totals) });
  });
  const failures = errors.map(({ index, ...error }) => ({ ok: new Double(0), idx: index, n: new Int32(0), ...error }));
  const shown = [...(errorsOnly ? [] : results), ...failures].sort((a, b) => position(a) - position(b));
  const counts = Object.fromEntries(Object.entries(totals).map(([name, value]) => [name, new Int32(value)]));
  const cursor = { id: Long.ZERO, firstBatch: new RawDocuments(shown.map(encode)), ns: 'admin.$cmd.bulkWrite' };
  return { cursor, nErrors: new Int32(errors.length), ...counts };
}

const position = (result: Doc): number => (result.idx as Int32).value;

function readNamespace(ns: unknown): { db: string; name: string } {
  const dot = typeof ns === 'string' ? ns.indexOf('.') : -1;
  if (typeof ns !== 'string' || dot < 1 || dot === ns.length - 1)
    throw mongoError('InvalidNamespace', `Invalid namespace specified for bulkWrite: '${String(ns)}'`);
  return { db: ns.slice(0, dot), name: ns.slice(dot + 1) };
}

function run(command: Doc, context: CommandContext): Doc {
  if (context.db !== 'admin') throw mongoError('Unauthorized', 'bulkWrite may only be run against the admin database.');
  return bulkWrite(command, context);
}

/** bulkWrite: writes to several collections in one command. */
export const BULK_WRITE_COMMANDS: CommandTable = {
  bulkWrite: {
    fields: ['ops', 'nsInfo', 'ordered', 'errorsOnly', 'let', 'bypassDocumentValidation', 'cursor'],
    writes: true,
    run,
  },
};
