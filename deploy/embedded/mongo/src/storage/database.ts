import fs, { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { promisify } from 'node:util';

/** The maximum time between a write and its sync, unless an earlier sync is still running. */
const DELAY_MS = 80;

/**
 * Syncs SQLite's write-ahead log to disk in the background, shortly after each write. A power cut loses at most that
 * window. The log stays the same file while the database is open: a checkpoint restarts it in place.
 */
export class LogSync {
  readonly #descriptor: number;
  #isWritten = false;
  #isClosed = false;
  #timer: NodeJS.Timeout | undefined;
  #inFlight: Promise<void> | undefined;

  /** @param path the existing log; its folder is synced before this returns */
  constructor(path: string) {
    this.#descriptor = openSync(path, 'r');
    syncFolder(dirname(path));
  }

  /** Must be called after each commit that wrote. */
  written(): void {
    this.#isWritten = true;
    this.#schedule();
  }

  #schedule(): void {
    if (!this.#isWritten || this.#isClosed || this.#timer || this.#inFlight) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#inFlight = this.#sync();
    }, DELAY_MS);
  }

  /** Errors are deliberately uncaught and end the process, as in mongod: the disk has lost acknowledged writes. */
  async #sync(): Promise<void> {
    this.#isWritten = false;
    // Called through `fs`, so that tests can observe it.
    await promisify(fs.fdatasync)(this.#descriptor);
    this.#inFlight = undefined;
    this.#schedule();
  }

  /** Resolves when no sync is running. SQLite syncs the last writes on close. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#inFlight;
    closeSync(this.#descriptor);
  }
}

/** A value of SQLite. */
export type SqlValue = null | number | bigint | string | Uint8Array;

const FILE_NAME = 'mongo.sqlite';
const FORMAT_VERSION = 1;
const CACHE_KIB = 65_536;
/** How many pages (of 4 KiB) the write-ahead log may grow before a checkpoint. */
const CHECKPOINT_PAGES = 8000;

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS collections (
    id INTEGER PRIMARY KEY, db TEXT NOT NULL, name TEXT NOT NULL, uuid BLOB NOT NULL, UNIQUE (db, name)
  );
  CREATE TABLE IF NOT EXISTS indexes (
    id INTEGER PRIMARY KEY, collection INTEGER NOT NULL, spec BLOB NOT NULL, multikey TEXT NOT NULL
  );
`;

/** The data file is unusable: it has another format, is damaged, or is open in another process. */
export class DataFileError extends Error {}

/**
 * The SQLite file that holds everything. A commit is in the write-ahead log before it returns, so a killed process loses
 * no acknowledged write. The log is synced to disk within 100 ms, like mongod's journal. A write that requires it waits
 * for the sync.
 */
export class Database {
  readonly #sqlite: DatabaseSync;
  readonly #log: LogSync;
  #changes: unknown;
  readonly #statements = new Map<string, StatementSync>();

  /** Opens or creates the file. @throws {DataFileError} with one readable sentence */
  constructor(dataDir: string) {
    const path = join(dataDir, FILE_NAME);
    try {
      mkdirSync(dataDir, { recursive: true });
      this.#sqlite = new DatabaseSync(path);
      this.#sqlite.exec(`PRAGMA locking_mode = EXCLUSIVE; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
        PRAGMA cache_size = -${CACHE_KIB}; PRAGMA wal_autocheckpoint = ${CHECKPOINT_PAGES};`);
      const check = Object.values(this.#sqlite.prepare('PRAGMA quick_check(1)').get() ?? {})[0];
      if (check !== 'ok') throw new Error(String(check));
      const version = Object.values(this.#sqlite.prepare('PRAGMA user_version').get() ?? {})[0];
      if (version !== 0 && version !== FORMAT_VERSION)
        throw new Error(`its format is ${version}, not ${FORMAT_VERSION}`);
      this.#sqlite.exec(`${SCHEMA} PRAGMA user_version = ${FORMAT_VERSION};`);
      this.#log = new LogSync(`${path}-wal`);
      this.#log.written();
    } catch (error) {
      const reason = error instanceof Error ? error.message.replaceAll('\n', ' ') : String(error);
      throw new DataFileError(`The data file ${path} cannot be used: ${reason}.`);
    }
  }

  /** Runs statements without results that are not repeated, such as CREATE TABLE. */
  exec(sql: string): void {
    this.#sqlite.exec(sql);
  }

  /** A prepared statement, cached by its text. */
  prepare(sql: string): StatementSync {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#sqlite.prepare(sql);
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** Drops the prepared statements, which would lock tables that are about to be dropped. */
  forgetStatements(): void {
    this.#statements.clear();
  }

  /** Runs work in a transaction, which is rolled back if it throws. With `toDisk` it waits until the commit is on disk. */
  transaction<T>(work: () => T, toDisk = false): T {
    if (toDisk) this.#sqlite.exec('PRAGMA synchronous = FULL');
    this.#sqlite.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.#sqlite.exec('COMMIT');
      if (this.#hasWritten() && !toDisk) this.#log.written();
      return result;
    } catch (error) {
      if (this.#sqlite.isTransaction) this.#sqlite.exec('ROLLBACK');
      throw error;
    } finally {
      if (toDisk) this.#sqlite.exec('PRAGMA synchronous = NORMAL');
    }
  }

  /** Whether any row has changed since the last call. */
  #hasWritten(): boolean {
    const before = this.#changes;
    this.#changes = this.prepare('SELECT total_changes() AS changes').get()?.changes;
    return this.#changes !== before;
  }

  /** Runs work inside a transaction. If it throws, only this work is rolled back. */
  savepoint<T>(work: () => T): T {
    this.prepare('SAVEPOINT operation').run();
    try {
      const result = work();
      this.prepare('RELEASE operation').run();
      return result;
    } catch (error) {
      // A full disk may have ended the whole transaction.
      if (this.#sqlite.isTransaction) {
        this.prepare('ROLLBACK TO operation').run();
        this.prepare('RELEASE operation').run();
      }
      throw error;
    }
  }

  /** Checkpoints the log into the file, and closes it. */
  async close(): Promise<void> {
    await this.#log.close();
    this.#statements.clear();
    this.#sqlite.close();
  }
}

/** SQLite's bytes as a Buffer that shares their memory. */
export function toBuffer(bytes: unknown): Buffer {
  const view = bytes as Uint8Array;
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength);
}

function syncFolder(path: string): void {
  const descriptor = openSync(path, 'r');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
