import { Long } from 'bson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnyDoc, failure, startTestServer, type TestServer } from './test-server.ts';

let server: TestServer;
let big: Awaited<ReturnType<TestServer['fresh']>>;
beforeAll(async () => {
  server = await startTestServer();
  big = await server.fresh(Array.from({ length: 20_000 }, (_, _id) => ({ _id, n: _id % 7 })));
});
afterAll(() => server.stop());

const run = (command: AnyDoc): Promise<unknown> => server.client.db('test').command(command);

type Refusal = [title: string, command: AnyDoc, code: number, codeName: string];

function refuses(title: string, refusals: Refusal[]): void {
  describe(title, () => {
    it.each(refusals)('%s', async (_title, command, code, codeName) => {
      await server.collection('c').updateOne({ _id: 1 }, { $set: { a: 1 } }, { upsert: true });
      expect(await failure(run(command))).toMatchObject({ code, codeName });
      expect(await server.collection('c').find().toArray()).toEqual([{ _id: 1, a: 1 }]);
    });
  });
}

const insert = { insert: 'c', documents: [{ _id: 2 }] };

refuses('an unknown or impossible concern', [
  ['a read level', { find: 'c', readConcern: { level: 'quorum' } }, 2, 'BadValue'],
  ['a read level of another type', { find: 'c', readConcern: { level: 1 } }, 14, 'TypeMismatch'],
  ['a read concern of another type', { find: 'c', readConcern: 'local' }, 14, 'TypeMismatch'],
  ['a field of a read concern', { find: 'c', readConcern: { lvl: 'local' } }, 40415, 'IDLUnknownField'],
  ['a snapshot', { find: 'c', readConcern: { level: 'snapshot' } }, 123, 'NotAReplicaSet'],
  ['a linearizable read', { find: 'c', readConcern: { level: 'linearizable' } }, 123, 'NotAReplicaSet'],
  ['a write mode', { ...insert, writeConcern: { w: 'everywhere' } }, 2, 'BadValue'],
  ['two members', { ...insert, writeConcern: { w: 2 } }, 2, 'BadValue'],
  ['a negative number of members', { ...insert, writeConcern: { w: -1 } }, 9, 'FailedToParse'],
  ['a boolean write mode', { ...insert, writeConcern: { w: true } }, 9, 'FailedToParse'],
  ['a journal flag of another type', { ...insert, writeConcern: { j: 'yes' } }, 14, 'TypeMismatch'],
  ['a field of a write concern', { ...insert, writeConcern: { journal: true } }, 40415, 'IDLUnknownField'],
]);

refuses('a field of the wrong type', [
  ['limit', { find: 'c', limit: '5' }, 14, 'TypeMismatch'],
  ['skip', { find: 'c', skip: '5' }, 14, 'TypeMismatch'],
  ['batchSize', { find: 'c', batchSize: '5' }, 14, 'TypeMismatch'],
  ['singleBatch', { find: 'c', singleBatch: 'yes' }, 14, 'TypeMismatch'],
  ['filter', { find: 'c', filter: 'a' }, 14, 'TypeMismatch'],
  ['ordered', { ...insert, ordered: 'no' }, 14, 'TypeMismatch'],
  ['a limit of count', { count: 'c', limit: '1' }, 14, 'TypeMismatch'],
  ['upsert of findAndModify', { findAndModify: 'c', update: { a: 2 }, upsert: 'yes' }, 14, 'TypeMismatch'],
]);

describe('operations in a bulk write', () => {
  const refusals: Refusal[] = [
    ['a delete without a limit', { delete: 'c', deletes: [{ q: {} }] }, 40414, 'IDLFailedToParse'],
    ['a limit of the wrong type', { delete: 'c', deletes: [{ q: {}, limit: '1' }] }, 14, 'TypeMismatch'],
    ['a limit of two', { delete: 'c', deletes: [{ q: {}, limit: 2 }] }, 9, 'FailedToParse'],
    ['an unknown field', { update: 'c', updates: [{ q: {}, u: {}, mutli: true }] }, 40415, 'IDLUnknownField'],
    ['multi of the wrong type', { update: 'c', updates: [{ q: {}, u: {}, multi: 'x' }] }, 14, 'TypeMismatch'],
  ];
  it.each(refusals)('refuse %s', async (_title, command, code) => {
    expect(await run(command)).toMatchObject({ ok: 1, n: 0, writeErrors: [{ index: 0, code }] });
  });
});

describe('maxTimeMS', () => {
  /** Tests each document a hundred times. All but seven match. */
  const slow = { $and: [{ _id: { $gte: 7 } }, ...Array.from({ length: 99 }, (_, i) => ({ n: { $ne: -i - 1 } }))] };
  const expired = { code: 50, codeName: 'MaxTimeMSExpired' };

  it.each([
    ['negative', -1],
    ['beyond 32 bits', 2 ** 31],
    ['fractional', 1.5],
    ['a string', '5'],
  ])('is rejected as %s', async (_title, maxTimeMS) => {
    expect(await failure(run({ find: 'c', maxTimeMS }))).toMatchObject({ code: 2, codeName: 'BadValue' });
  });

  it('aborts a find, a count, an aggregation and an update, and the update changes nothing', async () => {
    expect(await failure(big.find(slow, { maxTimeMS: 1, batchSize: 20_000 }).toArray())).toMatchObject(expired);
    expect(await failure(big.countDocuments(slow, { maxTimeMS: 1 }))).toMatchObject(expired);
    const groups = [{ $match: slow }, { $group: { _id: '$n', count: { $sum: 1 } } }];
    expect(await failure(big.aggregate(groups, { maxTimeMS: 1 }).toArray())).toMatchObject(expired);
    const update = { update: big.collectionName, updates: [{ q: {}, u: { $set: { x: 1 } }, multi: true }] };
    expect(await failure(run({ ...update, maxTimeMS: 1 }))).toMatchObject(expired);
    expect(await big.countDocuments({ x: 1 })).toBe(0);
  });

  it('aborts a cursor whose batches together take longer', async () => {
    const cursor = big.find(slow, { maxTimeMS: 15, batchSize: 200 });
    const expiredLater = async () => {
      for await (const _ of cursor) {
        // Only the server's own time counts.
      }
    };
    expect(await failure(expiredLater())).toMatchObject(expired);
  });

  it('does not abort what finishes in time, and 0 means no limit', async () => {
    expect(await big.countDocuments(slow, { maxTimeMS: 60_000 })).toBe(20_000 - 7);
    expect(await run({ count: big.collectionName, query: slow, maxTimeMS: 0 })).toMatchObject({ n: 20_000 - 7 });
    expect(await failure(run({ getMore: Long.fromNumber(1), collection: 'c', maxTimeMS: 5 }))).toMatchObject({
      code: 2,
    });
  });
});

describe('partial indexes', () => {
  it.each([
    ['$ne', { a: { $ne: 1 } }],
    ['$nin', { a: { $nin: [1] } }],
    ['$not', { a: { $not: { $gt: 1 } } }],
    ['$regex', { a: { $regex: '^x' } }],
    ['a regular expression', { a: /^x/ }],
    ['$exists: false', { a: { $exists: false } }],
    ['$ne within $and', { $and: [{ a: 1 }, { b: { $ne: 2 } }] }],
  ])('refuse %s', async (_title, partialFilterExpression) => {
    const collection = await server.fresh([{ _id: 1 }]);
    const error = await failure(collection.createIndex({ a: 1 }, { partialFilterExpression }));
    expect(error).toMatchObject({ code: 67, codeName: 'CannotCreateIndex' });
    expect(await collection.indexes()).toHaveLength(1);
  });

  it('support equality, ranges, $in, $exists, $and and $or', async () => {
    const collection = await server.fresh([{ _id: 1, a: 1 }]);
    const partialFilterExpression = {
      $or: [{ a: 1 }, { $and: [{ b: { $gt: 1, $lte: 5 } }, { c: { $exists: true } }] }, { d: { $in: [1, 2] } }],
      e: null,
    };
    expect(await collection.createIndex({ a: 1 }, { partialFilterExpression })).toBe('a_1');
  });

  it.each([{ sparse: true }, { unique: true }, { expireAfterSeconds: 5 }])('refuse %j on _id', async (option) => {
    const collection = await server.fresh([{ _id: 1 }]);
    expect(await failure(collection.createIndex({ _id: 1 }, option))).toMatchObject({
      code: 197,
      codeName: 'InvalidIndexSpecificationOption',
    });
  });
});

describe('database names', () => {
  it('cannot differ only by case', async () => {
    await server.client
      .db('Shop')
      .collection('a')
      .insertOne({ _id: 1 as never });
    const error = await failure(server.client.db('shop').collection('b').insertOne({}));
    expect(error).toMatchObject({ code: 13297, codeName: 'DatabaseDifferCase' });
    expect(error.message).toBe('db already exists with different case already have: [Shop] trying to create [shop]');
    expect(await server.client.db('shop').collection('a').find().toArray()).toEqual([]);
    await server.client.db('Shop').dropDatabase();
    await server.client.db('shop').collection('b').insertOne({});
  });
});
