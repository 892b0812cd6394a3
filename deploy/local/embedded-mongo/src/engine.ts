import { compileExpression } from './aggregation/expression.ts';
import { type Doc, isDoc } from './bson/values.ts';
import type { Cursors } from './cursors.ts';
import { mongoError } from './errors.ts';
import type { Catalog } from './storage/catalog.ts';
import type { Collection } from './storage/collection.ts';

/** What commands work on. */
export interface Engine {
  catalog: Catalog;
  cursors: Cursors;
  startedAt: Date;
  log: (line: string) => void;
}

/** One command, with where it came from. */
export interface CommandContext {
  engine: Engine;
  db: string;
  connectionId: number;
}

/** The collection name that a command names in its first field. Throws InvalidNamespace. */
export function collectionName(command: Doc, field: string): string {
  const name = command[field];
  if (typeof name !== 'string')
    throw mongoError('InvalidNamespace', `Collection name must be provided as a string in '${field}'`);
  if (name === '') throw mongoError('InvalidNamespace', "Invalid namespace specified: the collection's name is empty");
  return name;
}

/** The collection that a command names, or undefined where it does not exist. */
export function findCollection(command: Doc, field: string, { engine, db }: CommandContext): Collection | undefined {
  return engine.catalog.find(db, collectionName(command, field));
}

/** A document-valued field, empty where it is absent. Throws TypeMismatch. */
export function docField(command: Doc, field: string): Doc {
  const value = command[field] ?? {};
  if (!isDoc(value))
    throw mongoError('TypeMismatch', `BSON field '${field}' is the wrong type, expected type 'object'`);
  return value;
}

/** The values of `let`, which are expressions that no document is needed for. */
export function letVariables(command: Doc): Doc {
  const variables: Doc = { NOW: new Date() };
  for (const [name, value] of Object.entries(docField(command, 'let'))) {
    variables[name] = compileExpression(value, { variables })({});
  }
  return variables;
}
