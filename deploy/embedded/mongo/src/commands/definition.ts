import { type Doc, isTruthy } from '../bson/values.ts';
import type { CommandContext } from '../engine.ts';
import { mongoError, notSupported } from '../errors.ts';
import { checkReadConcern, checkWriteConcern } from './concerns.ts';

export interface CommandDefinition {
  /** Accepted fields in addition to the command's own name and the common fields. */
  fields: readonly string[];
  /** Fields of MongoDB that are rejected unless they are off, because they would change the result. */
  refuses?: readonly string[];
  /** Whether it runs in a SQLite transaction. */
  writes?: boolean;
  run: (command: Doc, context: CommandContext) => Doc;
}

export type CommandTable = Record<string, CommandDefinition>;

/** Fields that every command accepts. */
const COMMON_FIELDS = new Set([
  '$db',
  'lsid',
  '$clusterTime',
  '$readPreference',
  'readConcern',
  'writeConcern',
  'maxTimeMS',
  'comment',
  'apiVersion',
  'apiStrict',
  'apiDeprecationErrors',
]);

/**
 * Checks the fields of a command that don't depend on the command.
 * @throws {CommandError} IDLUnknownField for an unknown field, CommandNotSupported for an unsupported one,
 *   IllegalOperation for transactions, and the errors of read and write concerns
 */
export function checkFields(name: string, command: Doc, definition: CommandDefinition): void {
  if ('txnNumber' in command || 'startTransaction' in command || 'autocommit' in command) {
    throw mongoError('IllegalOperation', 'Transaction numbers are only allowed on a replica set member or mongos');
  }
  checkReadConcern(command.readConcern);
  checkWriteConcern(command.writeConcern);
  for (const [field, value] of Object.entries(command)) {
    if (field === name || COMMON_FIELDS.has(field) || definition.fields.includes(field)) continue;
    if (!definition.refuses?.includes(field))
      throw mongoError('IDLUnknownField', `BSON field '${name}.${field}' is an unknown field.`);
    if (isTruthy(value)) throw notSupported(`The option '${field}' of ${name}`);
  }
}
