import { derivePoints } from '@interview-prep/contracts/catalog/derive-points';
import { buildIndexes } from '@interview-prep/kit/mongo/mongo';
import { createTestBacking, type TestBacking } from '@interview-prep/kit/testing/backing';
import { interruptMigrations } from '@interview-prep/kit/testing/interrupt-migrations';
import { Types } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrations } from '../src/migrations/migrations.ts';
import { setModel } from '../src/sets/model.ts';

let backing: TestBacking;
beforeAll(async () => {
  backing = await createTestBacking('catalog');
});
afterAll(() => backing.close());

const at = new Date('2026-11-20T10:00:00Z');
const common = { tags: [], createdBy: null, createdAt: at, updatedAt: at, technologySlug: 'go' };

/** As written by release 0.1.0: an interview set, a practice set, and a deleted one. */
const sets = [
  {
    _id: new Types.ObjectId('665000000000000000000010'),
    ...common,
    kind: 'interview',
    title: 'Go',
    deletedAt: null,
    revision: 3,
    questions: ['What is a goroutine?', 'Why?'],
    answers: ['A goroutine is a function call. A channel carries values.', ''],
  },
  {
    _id: new Types.ObjectId('665000000000000000000011'),
    ...common,
    kind: 'practice',
    title: 'Go basics',
    deletedAt: null,
    revision: 1,
    questions: ['What is a slice?'],
    answers: ['A view of an array, e.g. Its first half.'],
  },
  {
    _id: new Types.ObjectId('665000000000000000000012'),
    ...common,
    kind: 'interview',
    title: 'Old',
    deletedAt: at,
    revision: 5,
    questions: ['How?'],
    answers: ['So.'],
  },
];

test('the database of release 0.1.0 gets expert points and published sets, wherever the process was killed', async () => {
  const database = backing.mongo.db;
  if (!database) throw new Error('not connected');
  const cuts = await interruptMigrations(backing, {
    database: 'catalog',
    migrations,
    seed: () =>
      database
        .collection('sets')
        .insertMany(structuredClone(sets).map((set, index) => ({ ...set, _id: sets[index]!._id }))),
    async check() {
      const stored = await database.collection('sets').find().sort({ _id: 1 }).toArray();
      expect(stored).toEqual(
        sets.map((set) => ({
          ...set,
          expertPoints: set.answers.map(derivePoints),
          revision: set.revision + 1,
          unpublished: true,
          status: 'published',
        })),
      );
      await buildIndexes(backing.mongo);
      const [first] = await setModel(backing.mongo).find().sort({ _id: 1 });
      expect(first?.expertPoints[0]).toHaveLength(2);
    },
  });
  expect(cuts).toBeGreaterThan(sets.length);
});
