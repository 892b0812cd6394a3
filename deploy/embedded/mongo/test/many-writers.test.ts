import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { failure, type Loose, MongoClient, startTestServer, type TestServer } from './test-server.ts';

/** For the client's bulkWrite: collections of any documents. */
type AnyModels = Record<string, Loose>;

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
        new MongoClient(server.server.uri, {
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
