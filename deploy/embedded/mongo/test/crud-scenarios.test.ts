import { afterAll, beforeAll } from 'vitest';
import { type Scenario, START, scenarioTable } from './scenario-table.ts';
import { startTestServer, type TestServer } from './test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const table = (title: string, scenarios: Scenario[]): void => scenarioTable(() => server, title, scenarios);

table('find', [
  { title: 'in batches', run: (c) => c.find({ _id: { $gt: 1 } }, { batchSize: 1 }).toArray(), result: START.slice(1) },
  { title: 'sort, skip, limit', run: (c) => c.find().sort({ x: -1 }).skip(1).limit(1).toArray(), result: [START[1]] },
  { title: 'included fields', run: (c) => c.find({ _id: 1 }).project({ x: 1, _id: 0 }).toArray(), result: [{ x: 11 }] },
  { title: 'no match', run: (c) => c.find({ x: 99 }).toArray(), result: [] },
  { title: 'findOne', run: (c) => c.findOne({ x: { $gt: 11 } }, { sort: { _id: -1 } }), result: START[2] },
  {
    title: 'comment, maxTimeMS, read concern',
    run: (c) =>
      c.find({ _id: 1 }, { comment: { why: 1 }, maxTimeMS: 5000, readConcern: { level: 'majority' } }).toArray(),
    result: [START[0]],
  },
  {
    title: 'a hint, a collation or variables',
    run: (c) => c.find({}, { hint: '_id_' }).toArray(),
    error: { code: 115, codeName: 'CommandNotSupported' },
  },
  {
    title: 'a natural order, backwards',
    run: (c) => c.find({}, { sort: { $natural: -1 } }).toArray(),
    result: [...START].reverse(),
  },
  { title: 'allowDiskUse', run: (c) => c.find({}, { sort: { x: 1 }, allowDiskUse: true }).toArray(), result: START },
  {
    title: 'a collection that does not exist',
    run: (c) =>
      c
        .find({})
        .toArray()
        .then(() => server.collection('nowhere').find().toArray()),
    result: [],
  },
]);

table('counts and distinct values', [
  { title: 'countDocuments', run: (c) => c.countDocuments({ x: { $gt: 11 } }).then((n) => ({ n })), result: { n: 2 } },
  {
    title: 'countDocuments with skip and limit',
    run: (c) => c.countDocuments({}, { skip: 1, limit: 1 }).then((n) => ({ n })),
    result: { n: 1 },
  },
  { title: 'countDocuments of nothing', run: (c) => c.countDocuments({ x: 1 }).then((n) => ({ n })), result: { n: 0 } },
  { title: 'estimatedDocumentCount', run: (c) => c.estimatedDocumentCount().then((n) => ({ n })), result: { n: 3 } },
  { title: 'distinct', run: (c) => c.distinct('x', { x: { $lt: 33 } }), result: [11, 22] },
  { title: 'distinct of a missing field', run: (c) => c.distinct('nope'), result: [] },
]);

table('insert', [
  { title: 'one', run: (c) => c.insertOne({ _id: 4 }), result: { insertedId: 4 }, left: [...START, { _id: 4 }] },
  {
    title: 'many',
    run: (c) => c.insertMany([{ _id: 4 }, { _id: 5 }]),
    result: { insertedCount: 2 },
    left: [...START, { _id: 4 }, { _id: 5 }],
  },
  {
    title: 'an _id that is taken',
    run: (c) => c.insertOne({ _id: 1 }),
    error: { code: 11000, keyPattern: { _id: 1 }, keyValue: { _id: 1 } },
  },
  {
    title: 'many, ordered, up to the error',
    run: (c) => c.insertMany([{ _id: 4 }, { _id: 1 }, { _id: 5 }]),
    error: { code: 11000, result: { insertedCount: 1 } },
    left: [...START, { _id: 4 }],
  },
  {
    title: 'many, unordered, around the errors',
    run: (c) => c.insertMany([{ _id: 4 }, { _id: 1 }, { _id: 5 }, { _id: 2 }], { ordered: false }),
    error: {
      code: 11000,
      writeErrors: [
        { index: 1, code: 11000 },
        { index: 3, code: 11000 },
      ],
    },
    left: [...START, { _id: 4 }, { _id: 5 }],
  },
  {
    title: 'names with dots and dollars',
    run: (c) => c.insertOne({ _id: 4, 'a.b': 1, $c: 2, d: { 'e.f': 3, $g: 4 } }),
    left: [...START, { _id: 4, 'a.b': 1, $c: 2, d: { 'e.f': 3, $g: 4 } }],
  },
  { title: 'an _id with a dollar name', run: (c) => c.insertOne({ _id: { $a: 1 } }), error: { code: 52 } },
  { title: 'an _id that is an array', run: (c) => c.insertOne({ _id: [1] }), error: { code: 53 } },
  {
    title: 'an _id of null, of NaN, of an empty document',
    run: (c) =>
      c
        .bulkWrite([{ insertOne: { document: { _id: Number.NaN } } }, { insertOne: { document: { _id: {} } } }])
        .then(() => c.deleteMany({ _id: { $in: [Number.NaN, {}] } })),
    result: { deletedCount: 2 },
  },
]);
