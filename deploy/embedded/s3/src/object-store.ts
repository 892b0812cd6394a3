import { randomUUID } from 'node:crypto';
import { type FileHandle, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';

/** An object's metadata. `blob` names its file; `headers` are returned with it. */
export type StoredObject = {
  key: string;
  blob: string;
  size: number;
  /** MD5 of the content in hex. */
  etag: string;
  modifiedMs: number;
  headers: Record<string, string>;
};

type Row = Omit<StoredObject, 'headers'> & { headers: string };

const SCHEMA = `
  PRAGMA locking_mode = EXCLUSIVE;
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS buckets (name TEXT PRIMARY KEY, createdMs INTEGER NOT NULL) STRICT, WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS objects (
    bucket TEXT NOT NULL REFERENCES buckets (name), key TEXT NOT NULL, blob TEXT NOT NULL, size INTEGER NOT NULL,
    etag TEXT NOT NULL, modifiedMs INTEGER NOT NULL, headers TEXT NOT NULL, PRIMARY KEY (bucket, key)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS objects_by_blob ON objects (blob);
`;

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/**
 * Buckets and objects in one folder: an index in SQLite, ordered by the keys' bytes as S3 lists them, and one file per
 * object under a random name. A row is written only after its file is complete, synced and in place, so that a crash at
 * any time leaves either the old object or the new one.
 */
export class ObjectStore {
  readonly #dataDir: string;
  readonly #db: DatabaseSync;
  readonly #statements: Record<
    'buckets' | 'hasBucket' | 'addBucket' | 'removeBucket' | 'find' | 'put' | 'remove' | 'page' | 'hasBlob',
    StatementSync
  >;

  private constructor(dataDir: string, db: DatabaseSync) {
    this.#dataDir = dataDir;
    this.#db = db;
    this.#statements = {
      buckets: db.prepare('SELECT name, createdMs FROM buckets ORDER BY name'),
      hasBucket: db.prepare('SELECT 1 FROM buckets WHERE name = ?'),
      addBucket: db.prepare('INSERT INTO buckets VALUES (?, ?) ON CONFLICT DO NOTHING'),
      removeBucket: db.prepare(
        'DELETE FROM buckets WHERE name = ? AND NOT EXISTS (SELECT 1 FROM objects WHERE bucket = buckets.name)',
      ),
      find: db.prepare('SELECT * FROM objects WHERE bucket = ? AND key = ?'),
      put: db.prepare('INSERT OR REPLACE INTO objects VALUES (?, ?, ?, ?, ?, ?, ?)'),
      remove: db.prepare('DELETE FROM objects WHERE bucket = ? AND key = ?'),
      page: db.prepare('SELECT * FROM objects WHERE bucket = ? AND key >= ? ORDER BY key LIMIT ?'),
      hasBlob: db.prepare('SELECT 1 FROM objects WHERE blob = ?'),
    };
  }

  /** Opens or creates the store, and removes unfinished files. @throws {Error} if another process has it open */
  static async open(dataDir: string): Promise<ObjectStore> {
    await mkdir(join(dataDir, 'blobs'), { recursive: true });
    const db = new DatabaseSync(join(dataDir, 'index.sqlite'));
    try {
      db.exec(SCHEMA);
      const store = new ObjectStore(dataDir, db);
      // The exclusive lock is held: no other process writes here.
      await rm(join(dataDir, 'incoming'), { recursive: true, force: true });
      await mkdir(join(dataDir, 'incoming'));
      await store.#removeOrphans();
      return store;
    } catch (error) {
      db.close();
      throw error;
    }
  }

  /** Removes files without a row, which are left by a crash between writing or deleting a file and its row. */
  async #removeOrphans(): Promise<void> {
    for (const shard of await readdir(join(this.#dataDir, 'blobs'))) {
      for (const blob of await readdir(join(this.#dataDir, 'blobs', shard))) {
        if (!this.#statements.hasBlob.get(blob)) await this.#removeBlob(blob);
      }
    }
  }

  #blobPath(blob: string): string {
    return join(this.#dataDir, 'blobs', blob.slice(0, 2), blob);
  }

  async #removeBlob(blob: string): Promise<void> {
    await rm(this.#blobPath(blob), { force: true });
  }

  /** All buckets sorted by name, with their creation times. */
  buckets(): { name: string; createdMs: number }[] {
    return this.#statements.buckets.all() as { name: string; createdMs: number }[];
  }

  hasBucket(name: string): boolean {
    return this.#statements.hasBucket.get(name) !== undefined;
  }

  /** Returns false if it already exists. */
  addBucket(name: string): boolean {
    return this.#statements.addBucket.run(name, Date.now()).changes === 1;
  }

  /** Returns false if it has objects or doesn't exist. */
  removeBucket(name: string): boolean {
    return this.#statements.removeBucket.run(name).changes === 1;
  }

  find(bucket: string, key: string): StoredObject | undefined {
    const row = this.#statements.find.get(bucket, key) as Row | undefined;
    return row && { ...row, headers: JSON.parse(row.headers) as Record<string, string> };
  }

  /** A new path for a body, on the same file system as its final path. */
  incomingPath(): string {
    return join(this.#dataDir, 'incoming', randomUUID());
  }

  /**
   * Makes the complete and synced file at `incomingPath` the object's content. The last of two concurrent puts wins.
   * @returns false if the bucket no longer exists
   */
  async put(
    bucket: string,
    key: string,
    incomingPath: string,
    object: Omit<StoredObject, 'key' | 'blob' | 'modifiedMs'>,
  ): Promise<boolean> {
    const blob = randomUUID();
    const path = this.#blobPath(blob);
    if (await mkdir(dirname(path), { recursive: true })) await syncFolder(dirname(dirname(path)));
    await rename(incomingPath, path);
    await syncFolder(dirname(path));
    if (!this.hasBucket(bucket)) {
      await this.#removeBlob(blob);
      return false;
    }
    const replaced = this.find(bucket, key);
    const { size, etag, headers } = object;
    this.#statements.put.run(bucket, key, blob, size, etag, Date.now(), JSON.stringify(headers));
    if (replaced) await this.#removeBlob(replaced.blob);
    return true;
  }

  /** Removes an object. A missing one is not an error. */
  async remove(bucket: string, key: string): Promise<void> {
    const object = this.find(bucket, key);
    if (!object) return;
    this.#statements.remove.run(bucket, key);
    await this.#removeBlob(object.blob);
  }

  /** The object and its open file, which the caller must close. Undefined if there is none. */
  async open(bucket: string, key: string): Promise<{ object: StoredObject; file: FileHandle } | undefined> {
    let previous: string | undefined;
    for (;;) {
      const object = this.find(bucket, key);
      if (!object) return undefined;
      try {
        return { object, file: await open(this.#blobPath(object.blob), 'r') };
      } catch (error) {
        // The object was replaced after the lookup, so look it up again. If the same file is missing twice, it is lost.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || object.blob === previous) throw error;
        previous = object.blob;
      }
    }
  }

  /** Up to `limit` objects with keys from `from` on, in the order of their UTF-8 bytes. */
  page(bucket: string, from: string, limit: number): Omit<StoredObject, 'headers'>[] {
    return this.#statements.page.all(bucket, from, limit) as Row[];
  }

  close(): void {
    this.#db.close();
  }
}
