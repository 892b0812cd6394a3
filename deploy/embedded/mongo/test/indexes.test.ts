import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnyDoc, failure, startTestServer, type TestServer } from './test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ expiryIntervalMs: 50 });
});
afterAll(() => server.stop());

describe('unique indexes', () => {
  it('reject a duplicate with MongoDB’s message, on insert, update, upsert and replacement', async () => {
    const collection = await server.fresh([
      { _id: 1, email: 'a@b.c' },
      { _id: 2, email: 'd@e.f' },
    ]);
    await collection.createIndex({ email: 1 }, { unique: true });
    const expected = { code: 11000, keyPattern: { email: 1 }, keyValue: { email: 'a@b.c' } };
    const writes = [
      () => collection.insertOne({ email: 'a@b.c' }),
      () => collection.updateOne({ _id: 2 }, { $set: { email: 'a@b.c' } }),
      () => collection.updateOne({ _id: 3 }, { $set: { email: 'a@b.c' } }, { upsert: true }),
      () => collection.replaceOne({ _id: 2 }, { email: 'a@b.c' }),
    ];
    for (const write of writes) {
      const error = await failure(write());
      expect(error).toMatchObject(expected);
      expect(error.message).toContain(
        `E11000 duplicate key error collection: ${collection.namespace} index: email_1 dup key: { email: "a@b.c" }`,
      );
    }
    expect(await collection.countDocuments()).toBe(2);
  });

  it('can be compound, treat missing as null, and release a value that is removed', async () => {
    const collection = await server.fresh([
      { _id: 1, a: 1, b: 1 },
      { _id: 2, a: 1 },
    ]);
    await collection.createIndex({ a: 1, b: -1 }, { unique: true });
    expect(await failure(collection.insertOne({ a: 1, b: null }))).toMatchObject({ keyValue: { a: 1, b: null } });
    await collection.insertOne({ _id: 3, a: 1, b: 2 });
    await collection.deleteOne({ _id: 3 });
    await collection.insertOne({ _id: 4, a: 1, b: 2 });
    await collection.updateOne({ _id: 4 }, { $set: { b: 3 } });
    await collection.insertOne({ _id: 5, a: 1, b: 2.0 });
  });

  it('may be sparse or partial', async () => {
    const sparse = await server.fresh([{ a: 1 }, {}, {}]);
    await sparse.createIndex({ a: 1 }, { unique: true, sparse: true });
    expect(await failure(sparse.insertOne({ a: 1 }))).toMatchObject({ code: 11000 });
    expect(await sparse.countDocuments({ a: null })).toBe(2);
    expect(await sparse.find().sort({ a: 1 }).toArray()).toHaveLength(3);
    const partial = await server.fresh([
      { a: 1, open: true },
      { a: 1, open: false },
    ]);
    await partial.createIndex({ a: 1 }, { unique: true, partialFilterExpression: { open: true } });
    await partial.insertOne({ a: 1, open: false });
    expect(await failure(partial.insertOne({ a: 1, open: true }))).toMatchObject({ code: 11000 });
    expect(await failure(partial.updateOne({ open: false }, { $set: { open: true } }))).toMatchObject({ code: 11000 });
    expect(await partial.countDocuments({ a: 1 })).toBe(3);
  });

  it('compare array elements between documents, not within one', async () => {
    const collection = await server.fresh([{ _id: 1, t: ['a', 'b', 'a'] }]);
    await collection.createIndex({ t: 1 }, { unique: true });
    expect(await failure(collection.insertOne({ t: ['c', 'b'] }))).toMatchObject({ code: 11000, keyValue: { t: 'b' } });
    await collection.updateOne({ _id: 1 }, { $pull: { t: 'b' as never } });
    await collection.insertOne({ t: ['c', 'b'] });
  });

  it('cannot be built over duplicates, which leaves nothing behind', async () => {
    const collection = await server.fresh([{ a: 1 }, { a: 1 }]);
    expect(await failure(collection.createIndex({ a: 1 }, { unique: true }))).toMatchObject({ code: 11000 });
    expect((await collection.indexes()).map(({ name }) => name)).toEqual(['_id_']);
    await collection.insertOne({ a: 1 });
    expect(await collection.countDocuments({ a: 1 })).toBe(3);
  });
});

describe('indexes', () => {
  it('are listed, created and dropped', async () => {
    const collection = await server.fresh([{ a: 1 }]);
    expect(await collection.createIndex({ a: 1, b: -1 })).toBe('a_1_b_-1');
    await collection.createIndex({ a: 1, b: -1 });
    await collection.createIndex({ c: 1 }, { name: 'by_c', expireAfterSeconds: 60, sparse: true });
    expect(await collection.indexes()).toEqual([
      { v: 2, key: { _id: 1 }, name: '_id_' },
      { v: 2, key: { a: 1, b: -1 }, name: 'a_1_b_-1' },
      { v: 2, key: { c: 1 }, name: 'by_c', expireAfterSeconds: 60, sparse: true },
    ]);
    await collection.dropIndex('by_c');
    await collection.dropIndexes();
    expect(await collection.indexes()).toHaveLength(1);
  });

  const refusals: [
    title: string,
    run: (c: Awaited<ReturnType<TestServer['fresh']>>) => Promise<unknown>,
    code: number,
  ][] = [
    ['the same keys by another name', (c) => c.createIndex({ a: 1 }, { name: 'other' }), 85],
    ['the same name for other keys', (c) => c.createIndex({ b: 1 }, { name: 'a_1' }), 86],
    ['the same name with another option', (c) => c.createIndex({ a: 1 }, { unique: true }), 86],
    ['a text index', (c) => c.createIndex({ a: 'text' }), 115],
    ['a wildcard index', (c) => c.createIndex({ '$**': 1 }), 115],
    ['a collation', (c) => c.createIndex({ z: 1 }, { collation: { locale: 'en', strength: 2 } }), 115],
    ['a TTL over two fields', (c) => c.createIndex({ z: 1, y: 1 }, { expireAfterSeconds: 1 }), 67],
    ['a drop of the _id index', (c) => c.dropIndex('_id_'), 72],
    ['a drop of an index that is not there', (c) => c.dropIndex('nope'), 27],
    ['indexes of a collection that is not there', () => server.collection('nowhere').dropIndex('a_1'), 26],
    [
      'two arrays in one compound index',
      (c) => c.createIndex({ x: 1, y: 1 }).then(() => c.insertOne({ x: [1], y: [2] })),
      171,
    ],
  ];
  it.each(refusals)('refuses %s', async (_title, run, code) => {
    const collection = await server.fresh([{ a: 1 }]);
    await collection.createIndex({ a: 1 });
    expect(await failure(run(collection))).toMatchObject({ code });
  });
});

describe('TTL indexes', () => {
  it('remove expired documents, by the earliest date in an array, and nothing else', async () => {
    const hour = 3_600_000;
    const now = Date.now();
    const collection = await server.fresh([
      { _id: 'old', at: new Date(now - 2 * hour) },
      { _id: 'new', at: new Date(now) },
      { _id: 'text', at: 'yesterday' },
      { _id: 'number', at: 5 },
      { _id: 'none' },
      { _id: 'list', at: [new Date(now + hour), new Date(now - 2 * hour)] },
    ]);
    await collection.createIndex({ at: -1 }, { expireAfterSeconds: 3600 });
    const ids = async (): Promise<AnyDoc[]> =>
      (await collection.find().sort({ _id: 1 }).toArray()).map(({ _id }) => _id);
    await expect.poll(ids).toEqual(['new', 'none', 'number', 'text']);
    expect(await collection.countDocuments({ at: { $lt: new Date(now - hour) } })).toBe(0);
  });
});

describe('collections', () => {
  it('are created, listed, renamed and dropped', async () => {
    const db = server.client.db('shelf');
    await db.createCollection('one');
    await db.createCollection('one');
    await db.collection('two').insertOne({ a: 1 });
    expect((await db.listCollections().toArray()).map(({ name }) => name)).toEqual(['one', 'two']);
    expect(await db.listCollections({ name: 'two' }, { nameOnly: true }).toArray()).toEqual([
      { name: 'two', type: 'collection' },
    ]);
    await db.collection('two').rename('three');
    expect(await db.collection('three').countDocuments()).toBe(1);
    expect(await failure(db.collection('three').rename('one'))).toMatchObject({ code: 48 });
    expect(await db.collection('one').drop()).toBe(true);
    expect((await server.client.db().admin().listDatabases()).databases.map(({ name }) => name)).toContain('shelf');
    await db.dropDatabase();
    expect(await db.listCollections().toArray()).toEqual([]);
    expect(await failure(db.collection('bad$name').insertOne({}))).toMatchObject({ code: 73 });
    expect(await failure(db.createCollection('c', { capped: true, size: 100 }))).toMatchObject({ code: 115 });
  });
});
