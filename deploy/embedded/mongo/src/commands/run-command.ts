import { Binary, Double, Int32 } from 'bson';
import type { Doc } from '../bson/values.ts';
import type { CommandContext, Engine } from '../engine.ts';
import { mongoError } from '../errors.ts';
import { withTimeLimit } from '../time-limit.ts';
import { CATALOG_COMMANDS, INDEX_COMMANDS } from './catalog-commands.ts';
import { needsDisk } from './concerns.ts';
import { type CommandTable, checkFields } from './definition.ts';
import { EXPLAIN_COMMANDS } from './explain-command.ts';
import { readMaxTimeMs } from './fields.ts';
import { AGGREGATE_COMMANDS, READ_COMMANDS } from './read-commands.ts';
import { SERVER_COMMANDS } from './server-commands.ts';
import { FIND_AND_MODIFY_COMMANDS, WRITE_COMMANDS } from './write-commands.ts';
import { errorReply, toCommandError } from './write-errors.ts';

/** The payload of a SASL message as text. @throws {CommandError} TypeMismatch */
function payloadOf({ payload }: Doc): string {
  if (payload instanceof Binary) return Buffer.from(payload.buffer.subarray(0, payload.position)).toString();
  throw mongoError('TypeMismatch', "BSON field 'payload' is the wrong type, expected type 'binData'");
}

const saslReply = (text: string, done: boolean): Doc => ({
  conversationId: new Int32(1),
  done,
  payload: new Binary(Buffer.from(text)),
});

/** Authentication by SCRAM-SHA-256, without the empty final exchange. */
const AUTHENTICATION_COMMANDS: CommandTable = {
  saslStart: {
    fields: ['mechanism', 'payload', 'options', 'autoAuthorize', 'db'],
    run: (command, { engine, connectionId }) => {
      if (command.mechanism !== 'SCRAM-SHA-256') {
        throw mongoError(
          'MechanismUnavailable',
          `Received authentication for mechanism ${String(command.mechanism)} which is not enabled`,
        );
      }
      return saslReply(engine.accounts.begin(connectionId, payloadOf(command)), false);
    },
  },
  saslContinue: {
    fields: ['conversationId', 'payload'],
    run: (command, { engine, connectionId }) =>
      saslReply(engine.accounts.finish(connectionId, payloadOf(command)), true),
  },
};

const COMMANDS: CommandTable = {
  ...SERVER_COMMANDS,
  ...AUTHENTICATION_COMMANDS,
  ...READ_COMMANDS,
  ...AGGREGATE_COMMANDS,
  ...WRITE_COMMANDS,
  ...EXPLAIN_COMMANDS,
  ...FIND_AND_MODIFY_COMMANDS,
  ...INDEX_COMMANDS,
  ...CATALOG_COMMANDS,
};

/** Executes a command. The reply has `ok: 1`, or `ok: 0` and the error. Never throws. */
export function runCommand(engine: Engine, command: Doc, connectionId: number): Doc {
  try {
    return { ...dispatch(engine, command, connectionId), ok: new Double(1) };
  } catch (error) {
    if (toCommandError(error).codeName === 'InternalError')
      engine.log(error instanceof Error ? String(error.stack) : String(error));
    return errorReply(error);
  }
}

/** The databases that a command affects: commands that name full namespaces are sent to `admin`. */
function databasesOf(name: string, command: Doc, db: string): string[] {
  if (name !== 'renameCollection') return [db];
  return [command.renameCollection, command.to].map((namespace) => String(namespace).split('.')[0] ?? '');
}

function dispatch(engine: Engine, command: Doc, connectionId: number): Doc {
  const name = Object.keys(command)[0] ?? '';
  const definition = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
  if (!definition) throw mongoError('CommandNotFound', `no such command: '${name}'`);
  engine.commandCounts.set(name, (engine.commandCounts.get(name) ?? 0) + 1);
  checkFields(name, command, definition);
  if (typeof command.$db !== 'string' || !/^[^/\\. "$*<>:|?\0]{1,63}$/.test(command.$db)) {
    throw mongoError('InvalidNamespace', `Invalid database name: '${String(command.$db)}'`);
  }
  const { $db } = command;
  const exists = () => engine.catalog.find($db, String(command[name])) !== undefined;
  for (const db of databasesOf(name, command, $db)) engine.accounts.authorize(connectionId, name, db, exists);
  const context: CommandContext = { engine, db: command.$db, connectionId };
  const run = (): Doc => withTimeLimit(readMaxTimeMs(command), () => definition.run(command, context));
  if (!definition.writes) return run();
  try {
    return engine.catalog.database.transaction(run, needsDisk(command.writeConcern));
  } catch (error) {
    engine.catalog.reload();
    throw error;
  }
}
