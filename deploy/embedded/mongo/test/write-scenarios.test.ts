import { afterAll, beforeAll } from 'vitest';
import { type Scenario, START, scenarioTable } from './scenario-table.ts';
import { startTestServer, type TestServer } from './test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const table = (title: string, scenarios: Scenario[]): void => scenarioTable(() => server, title, scenarios);

table('update', [
  {
    title: 'one',
    run: (c) => c.updateOne({ x: { $gt: 11 } }, { $inc: { x: 1 } }),
    result: { matchedCount: 1, modifiedCount: 1 },
    left: [START[0]!, { _id: 2, x: 23 }, START[2]!],
  },
  {
    title: 'many',
    run: (c) => c.updateMany({ x: { $gt: 11 } }, { $inc: { x: 1 } }),
    result: { matchedCount: 2, modifiedCount: 2 },
    left: [START[0]!, { _id: 2, x: 23 }, { _id: 3, x: 34 }],
  },
  {
    title: 'one that is so already',
    run: (c) => c.updateOne({ _id: 1 }, { $set: { x: 11 } }),
    result: { matchedCount: 1, modifiedCount: 0 },
  },
  {
    title: 'one that is not there',
    run: (c) => c.updateOne({ _id: 9 }, { $set: { x: 1 } }),
    result: { matchedCount: 0, upsertedId: null },
  },
  {
    title: 'the first in an order',
    run: (c) => c.updateOne({}, { $set: { x: 0 } }, { sort: { _id: -1 } }),
    result: { matchedCount: 1 },
    left: [START[0]!, START[1]!, { _id: 3, x: 0 }],
  },
  {
    title: 'upsert',
    run: (c) => c.updateOne({ _id: 4 }, { $set: { x: 44 } }, { upsert: true }),
    result: { upsertedId: 4, upsertedCount: 1, matchedCount: 0 },
    left: [...START, { _id: 4, x: 44 }],
  },
  {
    title: 'replacement',
    run: (c) => c.replaceOne({ _id: 1 }, { y: 1 }),
    result: { modifiedCount: 1 },
    left: [{ _id: 1, y: 1 }, START[1]!, START[2]!],
  },
  { title: 'replacement with another _id', run: (c) => c.replaceOne({ _id: 1 }, { _id: 2 }), error: { code: 66 } },
  {
    title: 'replacement with a dollar name within',
    run: (c) => c.replaceOne({ _id: 1 }, { a: { $b: 1 } }),
    left: [{ _id: 1, a: { $b: 1 } }, START[1]!, START[2]!],
  },
]);

table('delete', [
  {
    title: 'one',
    run: (c) => c.deleteOne({ x: { $gt: 11 } }),
    result: { deletedCount: 1 },
    left: [START[0]!, START[2]!],
  },
  { title: 'many', run: (c) => c.deleteMany({ x: { $gt: 11 } }), result: { deletedCount: 2 }, left: [START[0]!] },
  { title: 'none', run: (c) => c.deleteOne({ x: 0 }), result: { deletedCount: 0 } },
  ...(['arrayFilters', 'collation', 'hint'] as const).map((option) => ({
    title: `an update with ${option}`,
    run: (c: Parameters<Scenario['run']>[0]) => c.updateOne({}, { $set: { x: 1 } }, { [option]: [] as never }),
    error: { code: 115 },
  })),
]);

table('findOneAnd', [
  {
    title: 'update, before',
    run: (c) => c.findOneAndUpdate({ _id: 2 }, { $inc: { x: 1 } }),
    result: START[1],
    left: [START[0]!, { _id: 2, x: 23 }, START[2]!],
  },
  {
    title: 'update, after, projected',
    run: (c) => c.findOneAndUpdate({ _id: 2 }, { $inc: { x: 1 } }, { returnDocument: 'after', projection: { _id: 0 } }),
    result: { x: 23 },
    left: [START[0]!, { _id: 2, x: 23 }, START[2]!],
  },
  {
    title: 'update by order',
    run: (c) => c.findOneAndUpdate({}, { $set: { x: 0 } }, { sort: { x: -1 }, returnDocument: 'after' }),
    result: { _id: 3, x: 0 },
    left: [START[0]!, START[1]!, { _id: 3, x: 0 }],
  },
  {
    title: 'update, none',
    run: (c) => c.findOneAndUpdate({ _id: 9 }, { $set: { x: 0 } }).then((value) => ({ value })),
    result: { value: null },
  },
  {
    title: 'update, upsert, before is null',
    run: (c) => c.findOneAndUpdate({ _id: 4 }, { $set: { x: 44 } }, { upsert: true, includeResultMetadata: true }),
    result: { value: null, lastErrorObject: { n: 1, updatedExisting: false, upserted: 4 } },
    left: [...START, { _id: 4, x: 44 }],
  },
  {
    title: 'update, upsert, after',
    run: (c) => c.findOneAndUpdate({ _id: 4 }, { $set: { x: 44 } }, { upsert: true, returnDocument: 'after' }),
    result: { _id: 4, x: 44 },
    left: [...START, { _id: 4, x: 44 }],
  },
  {
    title: 'replace',
    run: (c) => c.findOneAndReplace({ _id: 1 }, { y: 1 }, { returnDocument: 'after' }),
    result: { _id: 1, y: 1 },
    left: [{ _id: 1, y: 1 }, START[1]!, START[2]!],
  },
  {
    title: 'delete',
    run: (c) => c.findOneAndDelete({ x: { $gt: 11 } }, { sort: { x: -1 } }),
    result: START[2],
    left: [START[0]!, START[1]!],
  },
  {
    title: 'delete, none',
    run: (c) => c.findOneAndDelete({ _id: 9 }).then((value) => ({ value })),
    result: { value: null },
  },
  {
    title: 'a unique index in the way',
    run: (c) =>
      c.createIndex({ x: 1 }, { unique: true }).then(() => c.findOneAndUpdate({ _id: 1 }, { $set: { x: 22 } })),
    error: { code: 11000, codeName: 'DuplicateKey', keyPattern: { x: 1 }, keyValue: { x: 22 } },
  },
]);

table('bulkWrite', [
  {
    title: 'ordered, of every kind',
    run: (c) =>
      c.bulkWrite([
        { insertOne: { document: { _id: 4, x: 44 } } },
        { updateOne: { filter: { _id: 2 }, update: { $inc: { x: 1 } } } },
        { updateMany: { filter: { _id: { $gt: 2 } }, update: { $inc: { x: 1 } } } },
        { deleteMany: { filter: { x: { $nin: [23, 34] } } } },
        { replaceOne: { filter: { _id: 5 }, replacement: { x: 55 }, upsert: true } },
      ]),
    result: {
      insertedCount: 1,
      matchedCount: 3,
      modifiedCount: 3,
      deletedCount: 2,
      upsertedCount: 1,
      upsertedIds: { 4: 5 },
    },
    left: [
      { _id: 2, x: 23 },
      { _id: 3, x: 34 },
      { _id: 5, x: 55 },
    ],
  },
  {
    title: 'ordered, up to the error',
    run: (c) =>
      c.bulkWrite([
        { deleteOne: { filter: { _id: 1 } } },
        { insertOne: { document: { _id: 2 } } },
        { deleteOne: { filter: { _id: 3 } } },
      ]),
    error: { code: 11000, writeErrors: [{ index: 1 }], result: { deletedCount: 1 } },
    left: START.slice(1),
  },
  {
    title: 'unordered, around the error',
    run: (c) =>
      c.bulkWrite(
        [
          { deleteOne: { filter: { _id: 1 } } },
          { insertOne: { document: { _id: 2 } } },
          { deleteOne: { filter: { _id: 3 } } },
        ],
        { ordered: false },
      ),
    error: { code: 11000, result: { deletedCount: 2 } },
    left: [START[1]!],
  },
]);
