import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deserialize, Int32, serialize } from 'bson';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Accounts } from '../src/authentication/accounts.ts';
import { type Doc, encode } from '../src/bson/values.ts';
import { runCommand } from '../src/commands/run-command.ts';
import { Cursors } from '../src/cursors.ts';
import type { Engine } from '../src/engine.ts';
import { Catalog } from '../src/storage/catalog.ts';
import { Database } from '../src/storage/database.ts';

let folder: string;
let database: Database;
let engine: Engine;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'embedded-mongo-'));
  database = new Database(folder);
  engine = {
    catalog: new Catalog(database),
    cursors: new Cursors(),
    accounts: new Accounts([]),
    commandCounts: new Map(),
    log: () => {},
  };
});
afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true });
});

/** The reply to a command on the database `test`, decoded like a driver does. */
const run = (command: Doc) => deserialize(serialize(runCommand(engine, { ...command, $db: 'test' }, 1)));
const insert = (collection: string, ...ids: number[]) =>
  run({ insert: collection, documents: ids.map((_id) => encode({ _id: new Int32(_id), text: 'x'.repeat(50_000) })) });
const count = (collection: string) => run({ count: collection }).n;

it('refuses writes to a full disk with the right error code, keeps existing data, and continues once there is space', () => {
  expect(insert('kept', 1)).toMatchObject({ ok: 1 });
  // SQLite fails the same way if the file system is full.
  database.exec('PRAGMA max_page_count = 40');
  for (const collection of ['kept', 'new']) {
    expect(insert(collection, 2, 3, 4)).toMatchObject({ ok: 0, code: 14031, codeName: 'OutOfDiskSpace' });
  }
  expect(count('kept')).toBe(1);
  expect(engine.catalog.find('test', 'new')).toBeUndefined();
  database.exec('PRAGMA max_page_count = 4000');
  expect(insert('new', 2, 3, 4)).toMatchObject({ ok: 1 });
  expect(count('new')).toBe(3);
});
