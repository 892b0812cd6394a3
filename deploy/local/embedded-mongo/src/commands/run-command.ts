import { Double } from 'bson';
import { type Doc, isDoc, isTruthy } from '../bson/values.ts';
import type { CommandContext, Engine } from '../engine.ts';
import { mongoError } from '../errors.ts';
import { AGGREGATE_COMMANDS } from './aggregate-command.ts';
import { BULK_WRITE_COMMANDS } from './bulk-write-command.ts';
import { CATALOG_COMMANDS } from './catalog-commands.ts';
import { type CommandTable, checkFields } from './definition.ts';
import { EXPLAIN_COMMANDS } from './explain-command.ts';
import { FIND_AND_MODIFY_COMMANDS } from './find-and-modify.ts';
import { INDEX_COMMANDS } from './index-commands.ts';
import { READ_COMMANDS } from './read-commands.ts';
import { SERVER_COMMANDS } from './server-commands.ts';
import { WRITE_COMMANDS } from './write-commands.ts';
import { errorReply, toCommandError } from './write-errors.ts';

const COMMANDS: CommandTable = {
  ...SERVER_COMMANDS,
  ...READ_COMMANDS,
  ...AGGREGATE_COMMANDS,
  ...WRITE_COMMANDS,
  ...BULK_WRITE_COMMANDS,
  ...EXPLAIN_COMMANDS,
  ...FIND_AND_MODIFY_COMMANDS,
  ...INDEX_COMMANDS,
  ...CATALOG_COMMANDS,
};

/** Answers a command: its reply with `ok: 1`, or the error with `ok: 0`. It never throws. */
export function runCommand(engine: Engine, command: Doc, connectionId: number): Doc {
  try {
    return { ...dispatch(engine, command, connectionId), ok: new Double(1) };
  } catch (error) {
    if (toCommandError(error).codeName === 'InternalError')
      engine.log(error instanceof Error ? String(error.stack) : String(error));
    return errorReply(error);
  }
}

function dispatch(engine: Engine, command: Doc, connectionId: number): Doc {
  const name = Object.keys(command)[0] ?? '';
  const definition = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!definition) throw mongoError('CommandNotFound', `no such command: '${name}'`);
  checkFields(name, command, definition);
  if (typeof command.$db !== 'string' || !/^[^/\\. "$*<>:|?\0]{1,63}$/.test(command.$db)) {
    throw mongoError('InvalidNamespace', `Invalid database name: '${String(command.$db)}'`);
  }
  const context: CommandContext = { engine, db: command.$db, connectionId };
  if (!definition.writes) return definition.run(command, context);
  const concern = command.writeConcern;
  const toDisk = isDoc(concern) && (isTruthy(concern.j) || concern.w === 'majority');
  try {
    return engine.catalog.database.transaction(() => definition.run(command, context), toDisk);
  } catch (error) {
    engine.catalog.reload();
    throw error;
  }
}
