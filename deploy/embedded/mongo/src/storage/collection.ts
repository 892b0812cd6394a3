import { type Doc, formatKey } from '../bson/values.ts';
import { mongoError } from '../errors.ts';
import { type Database, type SqlValue, toBuffer } from './database.ts';
import type { IndexDefinition } from './index-definition.ts';
import { type IndexKeys, indexKeys } from './index-keys.ts';

export interface StoredDocument {
  /** SQLite's row id, which is the collection's natural order. */
  rid: number;
  raw: Buffer;
}

/** An index with its storage state. */
export interface Index extends IndexDefinition {
  id: number;
  /** For each field, whether any document ever had an array on its path. */
  multikey: boolean[];
  /** Set when the index is dropped, so that open cursors notice. */
  dropped: boolean;
}

export interface IndexEntry {
  key: Buffer;
  rid: number;
}

/** Entries from `from` (inclusive) to `to` (exclusive). */
export interface KeyRange {
  from: Buffer;
  to: Buffer;
}

/** Read-ahead: initial and maximum number of rows, and approximate bytes of documents. */
const PAGE = { first: 16, most: 512, bytes: 4 * 1024 * 1024 };

/** The documents of one collection and their index entries, kept in sync. Writes run in the caller's transaction. */
export class Collection {
  readonly id: number;
  readonly db: string;
  name: string;
  readonly uuid: Buffer;
  /** The first is always `_id_`. */
  readonly indexes: Index[] = [];
  dropped = false;
  readonly #database: Database;
  /** Counts writes, so that a paused reader notices them. */
  #writes = 0;

  constructor(database: Database, row: { id: number; db: string; name: string; uuid: Buffer }) {
    this.#database = database;
    this.id = row.id;
    this.db = row.db;
    this.name = row.name;
    this.uuid = row.uuid;
  }

  get namespace(): string {
    return `${this.db}.${this.name}`;
  }

  #sql(text: string): ReturnType<Database['prepare']> {
    return this.#database.prepare(text);
  }

  /** Stores a new document. @throws {CommandError} DuplicateKey */
  insert(raw: Buffer, doc: Doc): void {
    this.#writes++;
    const { lastInsertRowid } = this.#sql(`INSERT INTO documents_${this.id} (raw) VALUES (?)`).run(raw);
    for (const index of this.indexes) this.addEntries(index, Number(lastInsertRowid), doc);
  }

  /** Replaces a stored document, updating only the index entries that differ. @throws {CommandError} DuplicateKey */
  replace(rid: number, before: Doc, raw: Buffer, after: Doc): void {
    this.#writes++;
    this.#sql(`UPDATE documents_${this.id} SET raw = ? WHERE rid = ?`).run(raw, rid);
    for (const index of this.indexes) {
      const old = keysOf(index, before);
      const next = keysOf(index, after);
      const kept = new Set(next.keys.map((key) => key.bytes.toString('latin1')));
      const had = new Set(old.keys.map((key) => key.bytes.toString('latin1')));
      this.#removeEntries(index, rid, {
        ...old,
        keys: old.keys.filter((key) => !kept.has(key.bytes.toString('latin1'))),
      });
      this.#insertEntries(index, rid, {
        ...next,
        keys: next.keys.filter((key) => !had.has(key.bytes.toString('latin1'))),
      });
    }
  }

  /** Removes a document and its entries. */
  remove(rid: number, doc: Doc): void {
    this.#writes++;
    this.#sql(`DELETE FROM documents_${this.id} WHERE rid = ?`).run(rid);
    for (const index of this.indexes) this.#removeEntries(index, rid, keysOf(index, doc));
  }

  /** Adds a document to an index. @throws {CommandError} DuplicateKey */
  addEntries(index: Index, rid: number, doc: Doc): void {
    this.#insertEntries(index, rid, keysOf(index, doc));
  }

  #insertEntries(index: Index, rid: number, { keys, multikey }: IndexKeys): void {
    // A unique index's table uses only the key as its primary key.
    const statement = this.#sql(`INSERT OR IGNORE INTO entries_${index.id} (key, rid) VALUES (?, ?)`);
    for (const { bytes, values } of keys) {
      if (statement.run(bytes, rid).changes === 0) throw this.#duplicateKey(index, values);
    }
    if (multikey.some((flag, i) => flag && !index.multikey[i])) {
      index.multikey = index.multikey.map((flag, i) => flag || multikey[i]!);
      this.#sql('UPDATE indexes SET multikey = ? WHERE id = ?').run(JSON.stringify(index.multikey), index.id);
    }
  }

  #removeEntries(index: Index, rid: number, { keys }: IndexKeys): void {
    const statement = this.#sql(`DELETE FROM entries_${index.id} WHERE key = ? AND rid = ?`);
    for (const { bytes } of keys) statement.run(bytes, rid);
  }

  #duplicateKey(index: Index, values: unknown[]): Error {
    const keyValue = Object.fromEntries(index.fields.map(([path], i) => [path, values[i]]));
    const message = `E11000 duplicate key error collection: ${this.namespace} index: ${index.name} dup key: ${formatKey(keyValue)}`;
    return mongoError('DuplicateKey', message, { keyPattern: index.spec.key, keyValue });
  }

  /** One document by its row. */
  fetch(rid: number): Buffer | undefined {
    const row = this.#sql(`SELECT raw FROM documents_${this.id} WHERE rid = ?`).get(rid);
    return row && toBuffer(row.raw);
  }

  /** The number of documents, without reading them. */
  count(): number {
    return Number(this.#sql(`SELECT count(*) AS n FROM entries_${this.indexes[0]!.id}`).get()?.n);
  }

  sizeBytes(): number {
    return Number(this.#sql(`SELECT coalesce(sum(length(raw)), 0) AS n FROM documents_${this.id}`).get()?.n);
  }

  /** All documents in natural order (or backwards). The reader may pause; after a write, the read-ahead is discarded. */
  *documents(direction: 1 | -1 = 1): Generator<StoredDocument> {
    const [operator, order] = direction === 1 ? ['>', 'ASC'] : ['<', 'DESC'];
    const sql = `SELECT rid, raw FROM documents_${this.id} WHERE rid ${operator} ? ORDER BY rid ${order} LIMIT ?`;
    let after = direction === 1 ? -1 : Number.MAX_SAFE_INTEGER;
    for (let size = PAGE.first, isLast = false; !isLast; ) {
      this.#assertOpen();
      const rows = this.#sql(sql).all(after, size);
      const writes = this.#writes;
      let bytes = 0;
      isLast = rows.length < size;
      for (const row of rows) {
        const raw = toBuffer(row.raw);
        bytes += raw.length;
        after = Number(row.rid);
        yield { rid: after, raw };
        this.#assertOpen();
        if (writes !== this.#writes) {
          isLast = false;
          break;
        }
      }
      size = Math.max(1, Math.min(size * 2, PAGE.most, Math.floor((PAGE.bytes * rows.length) / (bytes + 1))));
    }
  }

  /** An index's entries within a range, in its order or backwards. The reader may pause here too. */
  *entries(index: Index, range: KeyRange, direction: 1 | -1): Generator<IndexEntry> {
    const [operator, order] = direction === 1 ? ['>', 'ASC'] : ['<', 'DESC'];
    const select = `SELECT key, rid FROM entries_${index.id} WHERE key >= ? AND key < ?`;
    const tail = `ORDER BY key ${order}, rid ${order} LIMIT ?`;
    let after: SqlValue[] = [];
    for (let size = PAGE.first, isLast = false; !isLast; size = Math.min(size * 2, PAGE.most)) {
      this.#assertOpen(index);
      const rest = after.length ? `AND (key, rid) ${operator} (?, ?)` : '';
      const rows = this.#sql(`${select} ${rest} ${tail}`).all(range.from, range.to, ...after, size);
      const writes = this.#writes;
      isLast = rows.length < size;
      for (const row of rows) {
        const entry = { key: toBuffer(row.key), rid: Number(row.rid) };
        after = [entry.key, entry.rid];
        yield entry;
        this.#assertOpen(index);
        if (writes !== this.#writes) {
          isLast = false;
          break;
        }
      }
    }
  }

  countEntries(index: Index, range: KeyRange): number {
    const row = this.#sql(`SELECT count(*) AS n FROM entries_${index.id} WHERE key >= ? AND key < ?`).get(
      range.from,
      range.to,
    );
    return Number(row?.n);
  }

  #assertOpen(index?: Index): void {
    if (this.dropped) throw mongoError('QueryPlanKilled', `collection dropped: ${this.namespace}`);
    if (index?.dropped) throw mongoError('QueryPlanKilled', `index '${index.name}' dropped`);
  }
}

const NO_KEYS: IndexKeys = { keys: [], multikey: [] };

function keysOf(index: Index, doc: Doc): IndexKeys {
  if (index.partial && !index.partial.test(doc)) return NO_KEYS;
  const keys = indexKeys(doc, index.fields);
  const hasAnyField = keys.keys.some((key) => !key.isMissing);
  return index.sparse && !hasAnyField ? NO_KEYS : keys;
}
