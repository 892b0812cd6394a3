import { randomUUID } from 'node:crypto';
import { decode, encode } from '../bson/values.ts';
import { mongoError } from '../errors.ts';
import { checkTimeLimit } from '../time-limit.ts';
import { Collection, type Index } from './collection.ts';
import { type Database, toBuffer } from './database.ts';
import { compareDefinitions, defineIndex, ID_INDEX, type IndexDefinition } from './index-definition.ts';

const MAX_NAMESPACE_BYTES = 255;
const MAX_INDEXES = 64;

/** The collections and indexes, in memory; documents stay in SQLite. Changes run in the caller's transaction. */
export class Catalog {
  readonly database: Database;
  #collections = new Map<string, Collection>();

  constructor(database: Database) {
    this.database = database;
    this.reload();
  }

  /** Reloads everything from SQLite, at start and after a rollback. Existing collections keep their object, so that cursors survive. */
  reload(): void {
    const known = new Map([...this.#collections.values()].map((collection) => [collection.id, collection]));
    this.#collections = new Map();
    for (const row of this.database.prepare('SELECT id, db, name, uuid FROM collections').all()) {
      const { id, db, name } = row as { id: number; db: string; name: string };
      const collection = known.get(id) ?? new Collection(this.database, { id, db, name, uuid: toBuffer(row.uuid) });
      known.delete(id);
      collection.name = name;
      collection.dropped = false;
      collection.indexes.splice(0, Number.POSITIVE_INFINITY, ...this.#readIndexes(collection));
      this.#collections.set(collection.namespace, collection);
    }
    for (const collection of known.values()) collection.dropped = true;
  }

  #readIndexes(collection: Collection): Index[] {
    const rows = this.database
      .prepare('SELECT id, spec, multikey FROM indexes WHERE collection = ? ORDER BY id')
      .all(collection.id);
    return rows.map((row) => {
      const index = collection.indexes.find((existing) => existing.id === row.id);
      const multikey = JSON.parse(String(row.multikey)) as boolean[];
      const state = { id: Number(row.id), multikey, dropped: false };
      return index ? Object.assign(index, state) : { ...defineIndex(decode(toBuffer(row.spec))), ...state };
    });
  }

  /** The collection of this name, or undefined. */
  find(db: string, name: string): Collection | undefined {
    return this.#collections.get(`${db}.${name}`);
  }

  /** All collections, or those of one database, sorted by name. */
  list(db?: string): Collection[] {
    const all = [...this.#collections.values()].filter((collection) => db === undefined || collection.db === db);
    return all.sort((a, b) => (a.namespace < b.namespace ? -1 : 1));
  }

  /** The collection of this name, created if missing. @throws {CommandError} InvalidNamespace, DatabaseDifferCase */
  ensure(db: string, name: string): Collection {
    return this.find(db, name) ?? this.create(db, name);
  }

  /** Creates a collection. @throws {CommandError} NamespaceExists, InvalidNamespace, DatabaseDifferCase */
  create(db: string, name: string): Collection {
    checkNamespace(db, name);
    this.#refuseOtherCase(db);
    if (this.find(db, name)) throw mongoError('NamespaceExists', `Collection ${db}.${name} already exists.`);
    const uuid = Buffer.from(randomUUID().replaceAll('-', ''), 'hex');
    const { lastInsertRowid } = this.database
      .prepare('INSERT INTO collections (db, name, uuid) VALUES (?, ?, ?)')
      .run(db, name, uuid);
    const collection = new Collection(this.database, { id: Number(lastInsertRowid), db, name, uuid });
    this.database.exec(`CREATE TABLE documents_${collection.id} (rid INTEGER PRIMARY KEY, raw BLOB NOT NULL)`);
    this.#collections.set(collection.namespace, collection);
    this.#addIndex(collection, ID_INDEX);
    return collection;
  }

  /** Database names may not differ only in case, because some file systems can't tell them apart. */
  #refuseOtherCase(db: string): void {
    const other = this.list().find(
      (collection) => collection.db !== db && collection.db.toLowerCase() === db.toLowerCase(),
    );
    if (other)
      throw mongoError(
        'DatabaseDifferCase',
        `db already exists with different case already have: [${other.db}] trying to create [${db}]`,
      );
  }

  /** Creates and fills an index. Returns false if the same index exists. @throws {CommandError} index conflicts, DuplicateKey */
  createIndex(collection: Collection, definition: IndexDefinition): boolean {
    for (const existing of collection.indexes) if (compareDefinitions(existing, definition) === 'same') return false;
    if (collection.indexes.length >= MAX_INDEXES) {
      throw mongoError('CannotCreateIndex', `add index fails, too many indexes for ${collection.namespace}`);
    }
    const index = this.#addIndex(collection, definition);
    for (const { rid, raw } of collection.documents()) {
      checkTimeLimit();
      collection.addEntries(index, rid, decode(raw));
    }
    return true;
  }

  #addIndex(collection: Collection, definition: IndexDefinition): Index {
    const multikey = definition.fields.map(() => false);
    const { lastInsertRowid } = this.database
      .prepare('INSERT INTO indexes (collection, spec, multikey) VALUES (?, ?, ?)')
      .run(collection.id, encode(definition.spec), JSON.stringify(multikey));
    const index: Index = { ...definition, id: Number(lastInsertRowid), multikey, dropped: false };
    const primaryKey = index.unique ? 'key' : 'key, rid';
    this.database.exec(
      `CREATE TABLE entries_${index.id} (key BLOB NOT NULL, rid INTEGER NOT NULL, PRIMARY KEY (${primaryKey})) WITHOUT ROWID`,
    );
    collection.indexes.push(index);
    return index;
  }

  /** Removes an index and closes its cursors. */
  dropIndex(collection: Collection, index: Index): void {
    this.database.forgetStatements();
    this.database.exec(`DROP TABLE entries_${index.id}`);
    this.database.prepare('DELETE FROM indexes WHERE id = ?').run(index.id);
    collection.indexes.splice(collection.indexes.indexOf(index), 1);
    index.dropped = true;
  }

  /** Removes a collection with its documents and indexes, and closes its cursors. */
  drop(collection: Collection): void {
    for (const index of [...collection.indexes]) this.dropIndex(collection, index);
    this.database.exec(`DROP TABLE documents_${collection.id}`);
    this.database.prepare('DELETE FROM collections WHERE id = ?').run(collection.id);
    this.#collections.delete(collection.namespace);
    collection.dropped = true;
  }

  /** Renames a collection within its database. @throws {CommandError} NamespaceExists, InvalidNamespace */
  rename(collection: Collection, name: string): void {
    checkNamespace(collection.db, name);
    if (this.find(collection.db, name)) throw mongoError('NamespaceExists', 'target namespace exists');
    this.database.prepare('UPDATE collections SET name = ? WHERE id = ?').run(name, collection.id);
    this.#collections.delete(collection.namespace);
    collection.name = name;
    this.#collections.set(collection.namespace, collection);
  }
}

function checkNamespace(db: string, name: string): void {
  const namespace = `${db}.${name}`;
  const isBad = name === '' || name.startsWith('.') || name.endsWith('.') || name.includes('$') || name.includes('\0');
  if (isBad || name.startsWith('system.'))
    throw mongoError('InvalidNamespace', `Invalid collection name: ${namespace}`);
  if (Buffer.byteLength(namespace) > MAX_NAMESPACE_BYTES) {
    throw mongoError('InvalidNamespace', `Fully qualified namespace is too long: ${namespace}`);
  }
}
