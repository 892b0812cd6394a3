import { buildIndexes } from '@interview-prep/kit/mongo/mongo';
import { createTestBacking, type TestBacking } from '@interview-prep/kit/testing/backing';
import { interruptMigrations } from '@interview-prep/kit/testing/interrupt-migrations';
import { Types } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrations } from '../src/migrations/migrations.ts';
import { historyModels } from '../src/projection/model.ts';

let backing: TestBacking;
beforeAll(async () => {
  backing = await createTestBacking('history');
});
afterAll(() => backing.close());

/** As written by release 0.1.0: a listed session, one that no list shows, and the total of the first. */
const listed = {
  _id: new Types.ObjectId('665000000000000000000001'),
  kind: 'interview',
  listedAs: 'interview',
  userId: 'u',
  technology: 'SQL',
  createdAt: new Date('2026-11-20T10:00:00Z'),
  revision: 1,
  totalled: true,
};
const unlisted = {
  ...listed,
  _id: new Types.ObjectId('665000000000000000000002'),
  listedAs: null,
  technology: '',
  totalled: false,
};
const total = { _id: 'interview u SQL', listedAs: 'interview', userId: 'u', technology: 'SQL', count: 1 };

test('the database of release 0.1.0 is migrated, wherever the process was killed', async () => {
  const database = backing.mongo.db;
  if (!database) throw new Error('not connected');
  const { sessions, totals } = historyModels(backing.mongo);
  const cuts = await interruptMigrations(backing, {
    database: 'history',
    migrations,
    async seed() {
      await database.collection('sessions').insertMany([{ ...listed }, { ...unlisted }]);
      await database.collection<{ _id: string }>('totals').insertOne({ ...total });
      await database.collection('sessions').createIndex({ listedAs: 1, createdAt: -1, _id: -1 });
      await database.collection('sessions').createIndex({ listedAs: 1, technology: 1, createdAt: -1, _id: -1 });
      await database.collection('sessions').createIndex({ listedAs: 1, userId: 1, createdAt: -1, _id: -1 });
      await database
        .collection('sessions')
        .createIndex({ listedAs: 1, userId: 1, technology: 1, createdAt: -1, _id: -1 });
      await database.collection('totals').createIndex({ listedAs: 1, userId: 1 });
    },
    async check() {
      const renamed = [listed, unlisted].map(({ listedAs, totalled, ...kept }) => ({
        ...kept,
        listKind: listedAs,
        inTotals: totalled,
      }));
      expect(await database.collection('sessions').find().sort({ _id: 1 }).toArray()).toEqual(renamed);
      const { listedAs, ...kept } = total;
      expect(await database.collection('totals').find().toArray()).toEqual([{ ...kept, listKind: listedAs }]);
      await buildIndexes(backing.mongo);
      for (const { collection } of [sessions, totals]) {
        const keys = (await collection.indexes()).map(({ key }) => Object.keys(key)[0]);
        expect(keys).toContain('listKind');
        expect(keys).not.toContain('listedAs');
      }
    },
  });
  expect(cuts).toBeGreaterThan(5);
});
