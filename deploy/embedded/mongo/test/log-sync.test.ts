import fs, { appendFileSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Database, LogSync } from '../src/storage/database.ts';
import { startTestServer } from './test-server.ts';

/** Calls of the real fdatasync, each with its file; while `hold` is set they finish only on `end`. */
const disk = { files: [] as number[], hold: false, end: [] as (() => void)[] };
const { fdatasync } = fs;

let folder: string;
let log: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'embedded-mongo-'));
  log = join(folder, 'mongo.sqlite-wal');
  Object.assign(disk, { files: [], hold: false, end: [] });
  vi.spyOn(fs, 'fdatasync').mockImplementation((descriptor, done) => {
    disk.files.push(fs.fstatSync(descriptor).ino);
    fdatasync(descriptor, (error) => {
      if (disk.hold) disk.end.push(() => done(error));
      else done(error);
    });
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

const syncs = (count: number) => vi.waitUntil(() => disk.files.length >= count, { timeout: 10_000, interval: 5 });

describe('the log', () => {
  it('is synced once for writes that come together, one call at a time, and never without a write', async () => {
    writeFileSync(log, '');
    const sync = new LogSync(log);
    disk.hold = true;
    sync.written();
    sync.written();
    await syncs(1);
    // Written during a sync, which may not include it.
    appendFileSync(log, 'more');
    sync.written();
    await vi.waitUntil(() => disk.end.length === 1);
    // Longer than any delay of a second sync.
    await pause(200);
    expect(disk.files).toHaveLength(1);
    disk.hold = false;
    disk.end[0]?.();
    await syncs(2);
    await pause(200);
    expect(disk.files).toEqual([statSync(log).ino, statSync(log).ino]);
    await sync.close();
  });

  it('is closed when no sync is running', async () => {
    writeFileSync(log, '');
    const sync = new LogSync(log);
    disk.hold = true;
    sync.written();
    await syncs(1);
    await vi.waitUntil(() => disk.end.length === 1);
    sync.written();
    const closed = sync.close();
    disk.end[0]?.();
    await closed;
    await pause(200);
    expect(disk.files).toHaveLength(1);
  });
});

describe('a database', () => {
  const insert = (database: Database, bytes = 10) =>
    database.transaction(() => database.prepare('INSERT INTO texts VALUES (zeroblob(?))').run(bytes));

  it('syncs its writes, also after log rotation, and does not sync for a transaction that changed nothing', async () => {
    const database = new Database(folder);
    database.exec('CREATE TABLE texts (text BLOB)');
    const { ino } = statSync(log);
    await syncs(1);
    insert(database);
    await syncs(2);

    // More pages than it takes to trigger a checkpoint.
    insert(database, 40 * 1024 * 1024);
    await syncs(3);
    const { size } = statSync(log);
    insert(database);
    await syncs(4);
    expect(statSync(log).size, 'the log was rotated').toBe(size);
    expect(disk.files).toEqual([ino, ino, ino, ino]);

    database.transaction(() => database.prepare('DELETE FROM texts WHERE text = 1').run());
    await pause(200);
    expect(disk.files).toHaveLength(4);
    await database.close();
  });
});

describe('a write', () => {
  it.each([{ j: true }, { w: 'majority' as const }])(
    'that asks for %j leaves nothing to sync later',
    async (writeConcern) => {
      const server = await startTestServer();
      await syncs(1);
      await server.collection('c').insertOne({ a: 1 }, { writeConcern });
      await pause(200);
      expect(disk.files).toHaveLength(1);
      await server.collection('c').insertOne({ a: 2 });
      await syncs(2);
      await server.stop();
    },
  );
});
