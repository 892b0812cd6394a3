import { Int32 } from 'bson';
import { type Doc, decode } from '../bson/values.ts';
import { type CommandContext, collectionName } from '../engine.ts';
import { mongoError } from '../errors.ts';
import { findDocuments } from '../find-documents.ts';
import { parseFilter } from '../query/parse-filter.ts';
import { type Project, readProjection } from '../query/projection.ts';
import { compileUpdate } from '../update/compile-update.ts';
import { updateOne, upsert } from '../write-documents.ts';
import type { CommandTable } from './definition.ts';
import { readBoolean, readDocument } from './fields.ts';
import { findRequest } from './write-commands.ts';

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
