import { Long, serialize } from 'bson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cursors } from '../src/cursors.ts';
import { type AnyDoc, failure, startTestServer, type TestServer } from './test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

/** The driver turns a small int64 into a number. */
const idOf = (cursor: AnyDoc): Long => Long.fromNumber(Number(cursor.id));

describe('cursors', () => {
  it('return 101 documents first, then the requested number, and end when drained', async () => {
    const collection = await server.fresh(Array.from({ length: 250 }, (_, _id) => ({ _id })));
    const db = server.client.db('test');
    const { cursor } = await db.command({ find: collection.collectionName });
    expect(cursor.firstBatch).toHaveLength(101);
    const more = await db.command({ getMore: idOf(cursor), collection: collection.collectionName, batchSize: 100 });
    expect(more.cursor.nextBatch).toHaveLength(100);
    const last = await db.command({ getMore: idOf(cursor), collection: collection.collectionName });
    expect(last.cursor.nextBatch).toHaveLength(49);
    expect(last.cursor.id.toString()).toBe('0');
    expect(await failure(db.command({ getMore: idOf(cursor), collection: collection.collectionName }))).toMatchObject({
      code: 43,
      codeName: 'CursorNotFound',
    });
  });

  it('support an empty first batch, a single batch, and a limit', async () => {
    const collection = await server.fresh(Array.from({ length: 5 }, (_, _id) => ({ _id })));
    const db = server.client.db('test');
    const find = { find: collection.collectionName };
    const { cursor } = await db.command({ ...find, batchSize: 0 });
    expect(cursor.firstBatch).toEqual([]);
    expect(
      (await db.command({ getMore: idOf(cursor), collection: collection.collectionName })).cursor.nextBatch,
    ).toHaveLength(5);
    const single = await db.command({ ...find, limit: 2, singleBatch: true });
    expect(single.cursor.firstBatch).toHaveLength(2);
    expect(single.cursor.id.toString()).toBe('0');
  });

  it('can be killed, and end when their collection is dropped', async () => {
    const documents = Array.from({ length: 200 }, (_, _id) => ({ _id }));
    const db = server.client.db('test');
    const collection = await server.fresh(documents);
    const name = collection.collectionName;
    const { cursor } = await db.command({ find: name });
    expect(await db.command({ killCursors: name, cursors: [idOf(cursor)] })).toMatchObject({
      cursorsKilled: [cursor.id],
    });
    expect(await failure(db.command({ getMore: idOf(cursor), collection: name }))).toMatchObject({ code: 43 });
    const other = (await db.command({ find: name })).cursor;
    await collection.drop();
    expect(await failure(db.command({ getMore: idOf(other), collection: name }))).toMatchObject({
      code: 175,
      codeName: 'QueryPlanKilled',
    });
  });

  it('time out after ten minutes without use, unless they never expire', () => {
    const cursors = new Cursors();
    const documents = Array.from({ length: 3 }, (_, n) => Buffer.from(serialize({ n })));
    const [brief, patient] = [
      cursors.start('a.b', documents, { batchSize: 1 }),
      cursors.start('a.b', documents, { batchSize: 1, neverExpires: true }),
    ];
    cursors.expire(Date.now() + 9 * 60_000);
    expect(cursors.next(brief.id, 'a.b', 1).documents).toHaveLength(1);
    cursors.expire(Date.now() + 11 * 60_000);
    expect(() => cursors.next(brief.id, 'a.b')).toThrow('not found');
    expect(cursors.next(patient.id, 'a.b').documents).toHaveLength(2);
    expect(() => cursors.next(patient.id, 'a.b')).toThrow('not found');
  });

  it('return at most 16 MB per batch', async () => {
    const collection = await server.fresh();
    for (let _id = 0; _id < 5; _id++) await collection.insertOne({ _id, big: 'x'.repeat(6_000_000) });
    const { cursor } = await server.client.db('test').command({ find: collection.collectionName });
    expect(cursor.firstBatch).toHaveLength(2);
    expect((await collection.find().toArray()).map(({ _id }) => _id)).toEqual([0, 1, 2, 3, 4]);
  });

  it('return no document twice while others write', async () => {
    const collection = await server.fresh(Array.from({ length: 300 }, (_, n) => ({ _id: n, n })));
    await collection.createIndex({ n: 1 });
    const seen: number[] = [];
    for await (const doc of collection
      .find({ n: { $gte: 0 } })
      .sort({ n: 1 })
      .batchSize(50)) {
      seen.push(doc._id);
      await collection.deleteOne({ _id: doc._id });
    }
    expect(seen).toEqual(Array.from({ length: 300 }, (_, n) => n));
    expect(await collection.countDocuments()).toBe(0);
  });

  it('refuse to build one', async () => {
    const collection = await server.fresh();
    for (let _id = 0; _id < 3; _id++) await collection.insertOne({ _id, big: String(_id).repeat(7_000_000) });
    const big = { $max: '$big' };
    const tripled = collection.aggregate([{ $group: { _id: null, a: big, b: big, c: big } }]).toArray();
    expect(await failure(tripled)).toMatchObject({ code: 10334 });
    expect(await failure(collection.distinct('big'))).toMatchObject({ code: 10334 });
  });
});
