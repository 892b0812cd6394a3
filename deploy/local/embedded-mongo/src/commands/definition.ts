import { Int32 } from 'bson';
import { type Doc, isDoc, isNumber, isTruthy, toNumber } from '../bson/values.ts';
import type { CommandContext } from '../engine.ts';
import { locationError, mongoError, notSupported } from '../errors.ts';

/** A command: which fields it takes, and what it does. */
export interface CommandDefinition {
  /** The fields it understands, besides its own name and those that every command may have. */
  fields: readonly string[];
  /** Real fields of MongoDB that change the answer and are not done here: refused where they ask for anything. */
  refuses?: readonly string[];
  /** Whether it runs in a transaction of the data file. */
  writes?: boolean;
  run: (command: Doc, context: CommandContext) => Doc;
}

/** A set of commands by name. */
export type CommandTable = Record<string, CommandDefinition>;

/** Accepted everywhere. Those of them that ask for a time limit, a place or a reader change no answer of a single process. */
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
  'txnNumber',
  'autocommit',
  'startTransaction',
  '$audit',
  '$client',
  '$configServerState',
  'help',
  'rawData',
]);

/** Throws code 40415 for a field that the command does not have, 115 for one that is not done here, 20 for transactions. */
export function checkFields(name: string, command: Doc, definition: CommandDefinition): void {
  if ('txnNumber' in command || 'startTransaction' in command || 'autocommit' in command) {
    throw mongoError('IllegalOperation', 'Transaction numbers are only allowed on a replica set member or mongos');
  }
  checkConcerns(command);
  for (const [field, value] of Object.entries(command)) {
    if (field === name || COMMON_FIELDS.has(field) || definition.fields.includes(field)) continue;
    if (definition.refuses?.includes(field)) {
      if (isTruthy(value)) throw notSupported(`The option '${field}' of ${name}`);
      continue;
    }
    throw locationError(40415, `BSON field '${name}.${field}' is an unknown field.`);
  }
}

/** A single server can promise itself everything, but no snapshot, and nobody else. */
function checkConcerns({ readConcern, writeConcern }: Doc): void {
  const level = isDoc(readConcern) ? readConcern.level : undefined;
  if (level === 'snapshot' || level === 'linearizable') {
    throw mongoError('NotAReplicaSet', 'node needs to be a replica set member to use read concern');
  }
  const w = isDoc(writeConcern) ? writeConcern.w : undefined;
  if (isNumber(w) && toNumber(w) > 1) throw mongoError('BadValue', "cannot use 'w' > 1 when a host is not replicated");
}

/** A whole number that is not negative, or the fallback. Throws BadValue, TypeMismatch. */
export function countField(command: Doc, field: string, fallback: number): number {
  const value = command[field];
  if (value === undefined || value === null) return fallback;
  if (!isNumber(value))
    throw mongoError(
      'TypeMismatch',
      `BSON field '${field}' is the wrong type, expected types '[long, int, decimal, double]'`,
    );
  const number = Math.trunc(toNumber(value));
  if (number < 0) throw locationError(51024, `BSON field '${field}' value must be >= 0, actual value '${number}'`);
  return number;
}

/** A list of documents. Throws TypeMismatch. */
export function docList(command: Doc, field: string): Doc[] {
  const value = command[field];
  if (!Array.isArray(value) || !value.every(isDoc)) {
    throw mongoError('TypeMismatch', `BSON field '${field}' is the wrong type, expected type 'array' of objects`);
  }
  if (value.length === 0)
    throw mongoError('InvalidLength', `Write batch sizes must be between 1 and 100000. Got 0 operations.`);
  return value;
}

/** A count as a reply carries it. */
export const int = (value: number): Int32 => new Int32(value);
