import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnyDoc, failure, type Loose, startTestServer, type TestServer } from './test-server.ts';

type Collection = Awaited<ReturnType<TestServer['fresh']>>;

/** For the client's bulkWrite: collections of any documents. */
type AnyModels = Record<string, Loose>;

/** One scenario of the drivers' CRUD specification: what is done to three documents, what comes back, and what is left. */
interface Scenario {
  title: string;
  run: (collection: Collection) => Promise<unknown>;
  result?: unknown;
  error?: AnyDoc;
  left?: AnyDoc[];
}

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const START = [
  { _id: 1, x: 11 },
  { _id: 2, x: 22 },
  { _id: 3, x: 33 },
];

function table(title: string, scenarios: Scenario[]): void {
  describe(title, () => {
    it.each(scenarios)('$title', async ({ run, result, error, left = START }) => {
      const collection = await server.fresh(START);
      if (error) expect(await failure(run(collection))).toMatchObject(error);
      else if (result !== undefined) expect(await run(collection)).toMatchObject(result as AnyDoc);
      else await run(collection);
      expect(await collection.find().sort({ _id: 1 }).toArray()).toEqual(left);
    });
  });
}

table('find', [
  { title: 'in batches', run: (c) => c.find({ _id: { $gt: 1 } }, { batchSize: 1 }).toArray(), result: START.slice(1) },
  { title: 'sort, skip, limit', run: (c) => c.find().sort({ x: -1 }).skip(1).limit(1).toArray(), result: [START[1]] },
  { title: 'included fields', run: (c) => c.find({ _id: 1 }).project({ x: 1, _id: 0 }).toArray(), result: [{ x: 11 }] },
  { title: 'no match', run: (c) => c.find({ x: 99 }).toArray(), result: [] },
  { title: 'findOne', run: (c) => c.findOne({ x: { $gt: 11 } }, { sort: { _id: -1 } }), result: START[2] },
  {
    title: 'let',
    run: (c) => c.find({ $expr: { $eq: ['$_id', '$$id'] } }, { let: { id: 2 } }).toArray(),
    result: [START[1]],
  },
  {
    title: 'comment, maxTimeMS, read concern',
    run: (c) =>
      c.find({ _id: 1 }, { comment: { why: 1 }, maxTimeMS: 5000, readConcern: { level: 'majority' } }).toArray(),
    result: [START[0]],
  },
  { title: 'a hint by keys', run: (c) => c.find({ x: 22 }, { hint: { _id: 1 } }).toArray(), result: [START[1]] },
  {
    title: 'a hint that names no index',
    run: (c) => c.find({}, { hint: 'nothing_1' }).toArray(),
    error: { code: 2, codeName: 'BadValue' },
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
  {
    title: 'pipeline with let',
    run: (c) =>
      c.updateOne({ $expr: { $eq: ['$_id', '$$id'] } }, [{ $set: { x: '$$x', y: '$$y' } }], {
        let: { id: 1, x: 'foo', y: { $literal: '$bar' } },
      }),
    result: { modifiedCount: 1 },
    left: [{ _id: 1, x: 'foo', y: '$bar' }, START[1]!, START[2]!],
  },
  {
    title: 'a hint that names no index',
    run: (c) => c.updateOne({}, { $set: { x: 1 } }, { hint: 'nothing_1' }),
    error: { code: 2 },
  },
  {
    title: 'pipeline of many',
    run: (c) => c.updateMany({}, [{ $set: { x: { $add: ['$x', '$_id'] } } }]),
    result: { modifiedCount: 3 },
    left: [
      { _id: 1, x: 12 },
      { _id: 2, x: 24 },
      { _id: 3, x: 36 },
    ],
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
  {
    title: 'with let',
    run: (c) => c.deleteMany({ $expr: { $eq: ['$x', '$$x'] } }, { let: { x: 22 } }),
    result: { deletedCount: 1 },
    left: [START[0]!, START[2]!],
  },
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
    title: 'update by a pipeline',
    run: (c) =>
      c.findOneAndUpdate({ _id: 1 }, [{ $set: { x: { $multiply: ['$x', 2] } } }], { returnDocument: 'after' }),
    result: { x: 22 },
    left: [{ _id: 1, x: 22 }, START[1]!, START[2]!],
  },
  {
    title: 'update of array elements',
    run: (c) =>
      c
        .findOneAndUpdate({ _id: 1 }, { $set: { y: [1, 2] } })
        .then(() =>
          c.findOneAndUpdate(
            { _id: 1 },
            { $inc: { 'y.$[e]': 5 }, $unset: { x: 1 } },
            { arrayFilters: [{ e: 2 }], returnDocument: 'after' },
          ),
        ),
    result: { y: [1, 7] },
    left: [{ _id: 1, y: [1, 7] }, START[1]!, START[2]!],
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
  {
    title: 'array filters',
    run: (c) =>
      c.bulkWrite([
        { updateMany: { filter: {}, update: { $set: { y: [{ b: 3 }, { b: 1 }] } } } },
        {
          updateOne: {
            filter: { _id: 1 },
            update: { $set: { 'y.$[i].b': 2 }, $unset: { x: 1 } },
            arrayFilters: [{ 'i.b': 3 }],
          },
        },
        { deleteMany: { filter: { x: { $exists: true } } } },
      ]),
    result: { modifiedCount: 4, deletedCount: 2 },
    left: [{ _id: 1, y: [{ b: 2 }, { b: 1 }] }],
  },
]);

describe('client bulkWrite', () => {
  it('writes to several collections, and tells each result', async () => {
    const [a, b] = [await server.fresh(START), await server.fresh(START)];
    const result = await server.client.bulkWrite<AnyModels>(
      [
        { name: 'insertOne', namespace: a.namespace, document: { _id: 4 } },
        { name: 'updateMany', namespace: b.namespace, filter: { _id: { $gt: 1 } }, update: { $inc: { x: 1 } } },
        { name: 'replaceOne', namespace: b.namespace, filter: { _id: 9 }, replacement: { x: 1 }, upsert: true },
        { name: 'deleteOne', namespace: a.namespace, filter: { _id: 1 } },
        { name: 'updateOne', namespace: a.namespace, filter: {}, update: [{ $set: { x: '$$v' } }], sort: { _id: -1 } },
      ],
      { verboseResults: true, let: { v: 'last' } },
    );
    expect(result).toMatchObject({
      insertedCount: 1,
      matchedCount: 3,
      modifiedCount: 3,
      upsertedCount: 1,
      deletedCount: 1,
    });
    expect(result.updateResults?.get(2)).toMatchObject({ upsertedId: 9 });
    expect(await a.find().sort({ _id: 1 }).toArray()).toEqual([START[1], START[2], { _id: 4, x: 'last' }]);
    expect((await b.find().sort({ _id: 1 }).toArray()).map(({ x }) => x)).toEqual([11, 23, 34, 1]);
  });

  it.each([true, false])('reports the operation that fails, ordered: %s', async (ordered) => {
    const a = await server.fresh(START);
    const bulk = server.client.bulkWrite<AnyModels>(
      [
        { name: 'deleteOne', namespace: a.namespace, filter: { _id: 1 } },
        { name: 'deleteOne', namespace: a.namespace, filter: { $expr: { $eq: ['$_id', '$$id2'] } } },
        { name: 'deleteOne', namespace: a.namespace, filter: { _id: 3 } },
      ],
      { ordered, verboseResults: true },
    );
    const error = await failure(bulk);
    expect(error.writeErrors.get(1)).toMatchObject({ code: 17276 });
    expect(error.partialResult.deletedCount).toBe(ordered ? 1 : 2);
  });
});

describe('unacknowledged writes', () => {
  it('are done without an answer', async () => {
    const collection = await server.fresh();
    const unacknowledged = server.client.db('test').collection(collection.collectionName, { writeConcern: { w: 0 } });
    expect(await unacknowledged.insertOne({ n: 1 })).toMatchObject({ acknowledged: false });
    await expect.poll(() => collection.countDocuments({ n: 1 })).toBe(1);
  });
});

describe('parallel clients', () => {
  it('increment exactly, and exactly one wins a compare-and-set', async () => {
    const collection = await server.fresh([{ _id: 'counter', n: 0, revision: 0 }]);
    const clients = await Promise.all(
      Array.from({ length: 50 }, () =>
        new (server.client.constructor as typeof import('mongoose').mongo.MongoClient)(server.server.uri, {
          maxPoolSize: 1,
        }).connect(),
      ),
    );
    const counters = clients.map((client) => client.db('test').collection<Loose>(collection.collectionName));
    const seen = await Promise.all(
      counters.flatMap((counter) =>
        Array.from({ length: 10 }, () =>
          counter.findOneAndUpdate({ _id: 'counter' }, { $inc: { n: 1 } }, { returnDocument: 'after' }),
        ),
      ),
    );
    expect(new Set(seen.map((doc) => doc!.n)).size).toBe(500);
    expect(await collection.findOne({ _id: 'counter' })).toMatchObject({ n: 500 });
    const wins = await Promise.all(
      counters.map((counter) => counter.updateOne({ _id: 'counter', revision: 0 }, { $set: { revision: 1 } })),
    );
    expect(wins.filter(({ modifiedCount }) => modifiedCount === 1).length).toBe(1);
    await Promise.all(clients.map((client) => client.close()));
  });
});
