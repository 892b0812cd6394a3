import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnyDoc, failure, startTestServer, type TestServer } from './test-server.ts';

const { Long, Double, Int32, Decimal128 } = mongoose.mongo;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

type Case = [title: string, before: AnyDoc, update: AnyDoc, after: AnyDoc];

const cases: Case[] = [
  ['$set of a nested path makes the way', { a: 1 }, { $set: { 'b.c.d': 2 } }, { a: 1, b: { c: { d: 2 } } }],
  ['$set adds new fields in the order of their names', {}, { $set: { z: 1, b: 2 } }, { b: 2, z: 1 }],
  ['$set of an element', { a: [1, 2] }, { $set: { 'a.1': 9 } }, { a: [1, 9] }],
  ['$set beyond the end fills with null', { a: [1] }, { $set: { 'a.3': 9 } }, { a: [1, null, null, 9] }],
  ['$unset', { a: 1, b: { c: 1, d: 2 } }, { $unset: { a: '', 'b.c': '', 'x.y': '' } }, { b: { d: 2 } }],
  ['$unset of an element leaves null', { a: [1, 2] }, { $unset: { 'a.0': '' } }, { a: [null, 2] }],
  ['$inc of a missing field', {}, { $inc: { 'a.b': 5 } }, { a: { b: 5 } }],
  ['$inc', { a: 1 }, { $inc: { a: -2.5 } }, { a: -1.5 }],
  ['$push', { a: [1] }, { $push: { a: [2] } }, { a: [1, [2]] }],
  ['$push makes the array', {}, { $push: { 'a.b': 1 } }, { a: { b: [1] } }],
  ['$push keeps the last', { a: [1, 2] }, { $push: { a: { $each: [3], $slice: -2 } } }, { a: [2, 3] }],
  ['$addToSet', { a: [1, { x: 1 }] }, { $addToSet: { a: { $each: [{ x: 1 }, 2, 2, 1] } } }, { a: [1, { x: 1 }, 2] }],
  ['$pull by equality', { a: [1, 2, 1, null] }, { $pull: { a: 1 } }, { a: [2, null] }],
  ['$pull by operators', { a: [1, 5, 9] }, { $pull: { a: { $gt: 4 } } }, { a: [1] }],
  [
    '$pull by fields',
    { a: [{ k: 1, v: 1 }, { k: 2, v: 1 }, 7] },
    { $pull: { a: { k: 1, v: { $lt: 5 } } } },
    { a: [{ k: 2, v: 1 }, 7] },
  ],
  ['$pull by an expression', { a: ['ab', 'cd'] }, { $pull: { a: /^a/ } }, { a: ['cd'] }],
  ['$pullAll', { a: [1, 2, 3, [1]] }, { $pullAll: { a: [1, 3] } }, { a: [2, [1]] }],
  ['$setOnInsert does nothing to what exists', { a: 1 }, { $setOnInsert: { b: 2 }, $set: { a: 2 } }, { a: 2 }],
  ['a replacement keeps _id', { a: 1 }, { b: 2 }, { b: 2 }],
];

describe('updates', () => {
  it.each(cases)('%s', async (_title, before, update, after) => {
    const collection = await server.fresh([{ _id: 1, ...before }]);
    const isReplacement = !Object.keys(update)[0]!.startsWith('$');
    const result = isReplacement
      ? await collection.replaceOne({ _id: 1 }, update)
      : await collection.updateOne({ _id: 1 }, update);
    const found = await collection.findOne({ _id: 1 });
    expect(found).toEqual({ _id: 1, ...after });
    expect(Object.keys(found!)).toEqual(['_id', ...Object.keys(after)]);
    const isSame = JSON.stringify(before) === JSON.stringify(after);
    expect(result).toMatchObject({ matchedCount: 1, modifiedCount: isSame ? 0 : 1 });
  });
});

type Refusal = [title: string, before: AnyDoc, update: AnyDoc | AnyDoc[], code: number];

const refusals: Refusal[] = [
  ['an unknown modifier', {}, { $foo: { a: 1 } }, 9],
  ['a modifier of MongoDB that the server lacks', {}, { $mul: { a: 1 } }, 9],
  ['a change of _id', {}, { $set: { _id: 2 } }, 66],
  ['the removal of _id', {}, { $unset: { _id: '' } }, 66],
  ['two changes of one field', {}, { $set: { a: 1 }, $inc: { a: 1 } }, 40],
  ['a change above another', {}, { $set: { a: 1, 'a.b': 2 } }, 40],
  ['$inc of a text', { a: 'x' }, { $inc: { a: 1 } }, 14],
  ['$inc by a text', { a: 1 }, { $inc: { a: 'x' } }, 14],
  ['$push to a number', { a: 1 }, { $push: { a: 1 } }, 2],
  ['a path through a scalar', { a: 1 }, { $set: { 'a.b': 1 } }, 28],
  ['a name within an array', { a: [1] }, { $set: { 'a.b': 1 } }, 28],
  ['a pipeline', { a: 1 }, [{ $set: { a: 2 } }], 115],
  ['$push at a position', { a: [] }, { $push: { a: { $each: [1], $position: 0 } } }, 2],
  ['a positional operator of all', { a: [1] }, { $set: { 'a.$[]': 1 } }, 115],
  ['a sum of decimals', { a: Decimal128.fromString('1') }, { $inc: { a: 1 } }, 115],
  ['the positional operator $', { a: [1] }, { $set: { 'a.$': 1 } }, 115],
  ['a dollar name', {}, { $set: { 'a.$b': 1 } }, 52],
  ['an empty name', {}, { $set: { 'a..b': 1 } }, 56],
  ['an int64 that overflows', { a: Long.MAX_VALUE }, { $inc: { a: 1 } }, 2],
  ['a modifier without fields', {}, { $set: 5 }, 9],
];

describe('rejected updates', () => {
  it.each(refusals)('%s', async (_title, before, update, code) => {
    const collection = await server.fresh([{ _id: 1, ...before }]);
    const document = await collection.findOne({ _id: 1 }, { promoteLongs: false });
    expect(await failure(collection.updateOne({ _id: 1 }, update))).toMatchObject({ code });
    expect(await collection.findOne({ _id: 1 }, { promoteLongs: false })).toEqual(document);
  });

  it('more than 16 MB', async () => {
    const collection = await server.fresh([{ _id: 1, a: 'x'.repeat(9_000_000) }]);
    const error = await failure(collection.updateOne({ _id: 1 }, { $set: { b: 'x'.repeat(9_000_000) } }));
    expect(error).toMatchObject({ code: 10334 });
  });

  it('too many replacements at once', async () => {
    const collection = await server.fresh([{ _id: 1 }]);
    const command = { update: collection.collectionName, updates: [{ q: {}, u: { a: 1 }, multi: true }] };
    expect(
      await failure(
        server.client
          .db('test')
          .command(command)
          .then(({ writeErrors }) => Promise.reject(writeErrors[0])),
      ),
    ).toMatchObject({ code: 9 });
  });
});

describe('numbers', () => {
  const sums: [unknown, unknown, unknown][] = [
    [new Int32(1), new Int32(2), new Int32(3)],
    [new Int32(2147483647), new Int32(1), Long.fromNumber(2147483648)],
    [Long.fromNumber(1), new Int32(1), Long.fromNumber(2)],
    [new Int32(1), new Double(1), new Double(2)],
    [new Double(0.1), new Double(0.2), new Double(0.1 + 0.2)],
  ];
  it.each(sums)('%s + %s is %s, in its type', async (a, b, sum) => {
    const collection = await server.fresh([{ _id: 1, a }]);
    await collection.updateOne({ _id: 1 }, { $inc: { a: b as never } });
    const found = await collection.findOne({ _id: 1 }, { promoteValues: false });
    expect(found!.a.constructor.name).toBe((sum as object).constructor.name);
    expect(found!.a.toString()).toBe(String(sum));
  });
});

describe('upserts', () => {
  const upserts: [title: string, filter: AnyDoc, update: AnyDoc, made: AnyDoc][] = [
    [
      'the equalities of the query',
      { a: 1, 'b.c': 2, d: { $gt: 5 }, $and: [{ e: { $eq: 3 } }] },
      { $set: { f: 4 } },
      { a: 1, b: { c: 2 }, e: 3, f: 4 },
    ],
    ['$setOnInsert', { a: 1 }, { $setOnInsert: { b: 2 }, $inc: { n: 1 } }, { a: 1, b: 2, n: 1 }],
    ['$in of one, $or of one', { a: { $in: [1] }, $or: [{ b: 2 }] }, { $set: { c: 3 } }, { a: 1, b: 2, c: 3 }],
    ['$in of several is no equality', { a: { $in: [1, 2] } }, { $set: { c: 3 } }, { c: 3 }],
  ];
  it.each(upserts)('%s', async (_title, filter, update, made) => {
    const collection = await server.fresh();
    const result = await collection.updateOne(filter, update, { upsert: true });
    expect(result).toMatchObject({ matchedCount: 0, modifiedCount: 0, upsertedCount: 1 });
    const { _id, ...rest } = (await collection.findOne({}))!;
    expect(rest).toEqual(made);
    expect(_id).toEqual(result.upsertedId);
  });

  it('takes _id from the query or the replacement, or generates one', async () => {
    const collection = await server.fresh();
    await collection.updateOne({ _id: 7 }, { $set: { a: 1 } }, { upsert: true });
    await collection.replaceOne({ a: 9 }, { _id: 8, b: 1 }, { upsert: true });
    await collection.replaceOne({ _id: 9, x: 1 }, { b: 2 }, { upsert: true });
    expect(await collection.find().sort({ _id: 1 }).toArray()).toEqual([
      { _id: 7, a: 1 },
      { _id: 8, b: 1 },
      { _id: 9, b: 2 },
    ]);
    expect(await failure(collection.updateOne({ _id: 10 }, { $set: { _id: 11 } }, { upsert: true }))).toMatchObject({
      code: 66,
    });
  });
});
