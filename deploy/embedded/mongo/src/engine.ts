import type { Accounts } from './authentication/accounts.ts';
import type { Doc } from './bson/values.ts';
import type { Cursors } from './cursors.ts';
import { mongoError } from './errors.ts';
import type { Catalog } from './storage/catalog.ts';
import type { Collection } from './storage/collection.ts';

/** The state shared by all commands. */
export interface Engine {
  catalog: Catalog;
  cursors: Cursors;
  accounts: Accounts;
  /** The number of calls of each command since the start. */
  commandCounts: Map<string, number>;
  log: (line: string) => void;
}

export interface CommandContext {
  engine: Engine;
  db: string;
  connectionId: number;
}

/** The collection named by a command's field. @throws {CommandError} InvalidNamespace */
export function collectionName(command: Doc, field: string): string {
  const name = command[field];
  if (typeof name !== 'string')
    throw mongoError('InvalidNamespace', `Collection name must be provided as a string in '${field}'`);
  if (name === '') throw mongoError('InvalidNamespace', "Invalid namespace specified: the collection's name is empty");
  return name;
}

/** The collection named by a command's field, or undefined if it doesn't exist. */
export function findCollection(command: Doc, field: string, { engine, db }: CommandContext): Collection | undefined {
  return engine.catalog.find(db, collectionName(command, field));
}
