import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, MongoClient, startTestServer, type TestServer } from './test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

describe('unacknowledged writes', () => {
  it('get no response', async () => {
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
