import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Connection } from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { dropIndex, renameCollection, renameField, replaceValue } from '../src/mongo/migration-steps.ts';
import {
  type Database,
  DatabaseTooNew,
  type Migration,
  migrate,
  planMigrations,
  RestoreUnfinished,
  unfinishedRestore,
} from '../src/mongo/migrations.ts';
import { connectMongo } from '../src/mongo/mongo.ts';
import { createTestBacking, type TestBacking } from '../testing/backing.ts';

let backing: TestBacking;
let database: Database;
let runs: string[];
beforeAll(async () => {
  backing = await createTestBacking('migrations');
});
afterAll(() => backing.close());
beforeEach(async () => {
  database = backing.mongo.db as Database;
  await database.dropDatabase();
  runs = [];
});

const noting = (name: string): Migration => ({
  name,
  up: async () => {
    runs.push(name);
  },
});
const migrateHere = (migrations: readonly Migration[], connection: Connection = backing.mongo) =>
  migrate(connection, migrations, backing.log, { leaseMs: 400 });

/** Turns `amount` into `doubled`, slowly, one document at a time. */
const doubleAmounts: Migration = {
  name: '0001-double-amounts',
  async up(db) {
    runs.push('0001-double-amounts');
    const amounts = db.collection<{ _id: number; amount: number; doubled: number }>('amounts');
    for (const { _id, amount } of await amounts.find({ amount: { $exists: true } }).toArray()) {
      await amounts.updateOne({ _id }, { $set: { doubled: amount * 2 }, $unset: { amount: 1 } });
    }
  },
};

test('runs each migration once, in order', async () => {
  const [first, second, third] = ['0001-one', '0002-two', '0003-three'].map(noting) as [
    Migration,
    Migration,
    Migration,
  ];
  await migrateHere([first, second]);
  await migrateHere([first, second, third]);
  await migrateHere([first, second, third]);
  expect(runs).toEqual(['0001-one', '0002-two', '0003-three']);
  expect(await planMigrations(backing.mongo, [first, second, third])).toEqual({ version: 3, pending: [] });
});

test('a dry run lists what would run, and changes nothing', async () => {
  await migrateHere([noting('0001-one')]);
  const all = ['0001-one', '0002-two', '0003-three'].map(noting);
  expect(await planMigrations(backing.mongo, all)).toEqual({ version: 1, pending: ['0002-two', '0003-three'] });
  expect(runs).toEqual(['0001-one']);
  expect(await planMigrations(backing.mongo, all)).toMatchObject({ version: 1 });
});

test('a failed migration runs again at the next start, and later ones wait for it', async () => {
  let fails = true;
  const failing: Migration = {
    name: '0001-fails-once',
    async up() {
      runs.push('0001-fails-once');
      if (fails) throw new Error('the disk is full');
    },
  };
  await expect(migrateHere([failing, noting('0002-two')])).rejects.toThrow('the disk is full');
  expect(runs).toEqual(['0001-fails-once']);
  fails = false;
  await migrateHere([failing, noting('0002-two')]);
  expect(runs).toEqual(['0001-fails-once', '0001-fails-once', '0002-two']);
});

test('a database of a newer release is rejected and left unchanged', async () => {
  await migrateHere(['0001-one', '0002-two', '0003-three'].map(noting));
  const older = ['0001-one', '0002-two'].map(noting);
  const refusal = migrateHere(older);
  await expect(refusal).rejects.toThrow(DatabaseTooNew);
  await expect(refusal).rejects.toThrow(
    `The database ${database.databaseName} is at version 3, but this release knows versions up to 2. ` +
      'Start the newer release again, or restore a backup from before the upgrade.',
  );
  await expect(planMigrations(backing.mongo, older)).rejects.toThrow(DatabaseTooNew);
});

test('an interrupted restore is rejected until a restore completes', async () => {
  const migrations = database.collection<{ _id: string }>('migrations');
  await migrations.insertOne({ _id: unfinishedRestore });
  await expect(migrateHere([noting('0001-one')])).rejects.toThrow(RestoreUnfinished);
  expect(runs).toEqual([]);
  await migrations.deleteOne({ _id: unfinishedRestore });
  await migrateHere([noting('0001-one')]);
  expect(runs).toEqual(['0001-one']);
});

test("a dry run during another process's migration does not take the database for a newer one", async () => {
  const all = Array.from({ length: 40 }, (_, index) => noting(`${String(index + 1).padStart(4, '0')}-step`));
  let isMigrating = true;
  const migration = migrateHere(all).finally(() => {
    isMigrating = false;
  });
  const plan = async () => {
    while (isMigrating) await planMigrations(backing.mongo, all);
  };
  await Promise.all([migration, plan(), plan(), plan()]);
  expect(runs).toHaveLength(all.length);
});

test('of several processes that start together, one migrates and all wait for it', async () => {
  const connections = await Promise.all([1, 2, 3].map(() => connectMongo(backing.settings, 'migrations', backing.log)));
  let migrated = false;
  const slow: Migration = {
    name: '0001-slow',
    async up() {
      runs.push('0001-slow');
      // Longer than a lease: the holder renews it.
      await new Promise((resolve) => setTimeout(resolve, 1200));
      migrated = true;
    },
  };
  const states = await Promise.all(
    connections.map((connection) => migrateHere([slow], connection).then(() => migrated)),
  );
  expect(states).toEqual([true, true, true]);
  expect(runs).toEqual(['0001-slow']);
  await Promise.all(connections.map((connection) => connection.close()));
});

test('what a killed process left half done is finished by the next', async () => {
  await database.collection<{ _id: number }>('amounts').insertMany([
    { _id: 1, amount: 1 },
    { _id: 2, amount: 2 },
  ] as never[]);
  const { MONGODB_URI, MONGODB_PREFIX } = backing.settings;
  const fixture = fileURLToPath(new URL('./fixtures/migrate-half.ts', import.meta.url));
  const child = spawn(process.execPath, [fixture, MONGODB_URI, MONGODB_PREFIX, '400'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  child.kill('SIGKILL');
  await once(child, 'close');
  expect(await planMigrations(backing.mongo, [doubleAmounts])).toMatchObject({ version: 0 });

  await migrateHere([doubleAmounts]);
  expect(await database.collection('amounts').find().sort({ _id: 1 }).toArray()).toEqual([
    { _id: 1, doubled: 2 },
    { _id: 2, doubled: 4 },
  ]);
  expect(runs).toEqual(['0001-double-amounts']);
});

test('a renamed field keeps its value, even if it was half renamed', async () => {
  const documents = Array.from({ length: 2500 }, (_, index) =>
    index % 2 === 0 ? { number: index, old: `value ${index}` } : { number: index, new: `value ${index}` },
  );
  await database.collection('things').insertMany(documents);
  await database.collection('things').insertOne({ number: -1, old: 'stale', new: 'current' });
  const rename = () => renameField(database, { collection: 'things', from: 'old', to: 'new' });
  await Promise.all([rename(), rename()]);
  await rename();
  const things = await database
    .collection('things')
    .find({}, { projection: { _id: 0 } })
    .sort({ number: 1 })
    .toArray();
  expect(things[0]).toEqual({ number: -1, new: 'current' });
  expect(things.slice(1)).toEqual(documents.map(({ number }) => ({ number, new: `value ${number}` })));
});

test('a value is replaced in every document that has exactly this value', async () => {
  const documents = Array.from({ length: 2100 }, (_, number) => ({
    number,
    made: { by: number % 3 ? 'old' : 'older' },
  }));
  await database.collection('things').insertMany(structuredClone(documents));
  const replace = () => replaceValue(database, { collection: 'things', field: 'made.by', from: 'old', to: 'new' });
  await Promise.all([replace(), replace()]);
  await replace();
  const things = await database
    .collection('things')
    .find({}, { projection: { _id: 0 } })
    .sort({ number: 1 })
    .toArray();
  expect(things).toEqual(documents.map(({ number }) => ({ number, made: { by: number % 3 ? 'new' : 'older' } })));
});

test('a renamed collection keeps its documents and indexes, even if the new one exists', async () => {
  await database.collection<{ _id: number }>('before').insertMany([{ _id: 1, text: 'one' }] as never[]);
  await database.collection('before').createIndex({ text: 1 }, { sparse: true });
  const rename = () => renameCollection(database, { from: 'before', to: 'after' });
  await Promise.all([rename(), rename()]);
  expect(await database.collection('after').find().toArray()).toEqual([{ _id: 1, text: 'one' }]);
  expect(await database.collection('after').indexes()).toContainEqual(
    expect.objectContaining({ key: { text: 1 }, sparse: true }),
  );

  await database.collection<{ _id: number }>('before').insertMany([
    { _id: 1, text: 'stale' },
    { _id: 2, text: 'two' },
  ] as never[]);
  await rename();
  await rename();
  expect(await database.collection('after').find().sort({ _id: 1 }).toArray()).toEqual([
    { _id: 1, text: 'one' },
    { _id: 2, text: 'two' },
  ]);
  expect(await database.listCollections({ name: 'before' }).toArray()).toEqual([]);
});

test('an index is dropped if it exists', async () => {
  const drop = () => dropIndex(database, { collection: 'things', key: { pending: 1 } });
  await drop();
  await database.collection('things').createIndex({ pending: 1 }, { sparse: true });
  await Promise.all([drop(), drop()]);
  expect((await database.collection('things').indexes()).map(({ key }) => key)).toEqual([{ _id: 1 }]);
});
