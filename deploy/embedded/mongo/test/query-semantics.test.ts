import mongoose from 'mongoose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnyDoc, failure, startTestServer, type TestServer } from './test-server.ts';

const { Long, Double, Decimal128, ObjectId, MinKey, MaxKey } = mongoose.mongo;
type Case = [title: string, filter: AnyDoc, ids: number[]];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function idsOf(documents: AnyDoc[], filter: AnyDoc): Promise<number[]> {
  const collection = await server.fresh(documents);
  const found = await collection.find(filter).sort({ _id: 1 }).project({ _id: 1 }).toArray();
  return found.map(({ _id }) => _id as number);
}

function table(title: string, documents: AnyDoc[], cases: Case[]): void {
  describe(title, () => {
    it.each(cases)('%s', async (_title, filter, ids) => {
      expect(await idsOf(documents, filter)).toEqual(ids);
    });
  });
}

table(
  'equality',
  [
    { _id: 1, a: 1 },
    { _id: 2, a: null },
    { _id: 3 },
    { _id: 4, a: [1, 2] },
    { _id: 5, a: [[1, 2]] },
    { _id: 6, a: { b: 1, c: 2 } },
    { _id: 7, a: { c: 2, b: 1 } },
    { _id: 8, a: [] },
    { _id: 9, a: Long.fromNumber(1) },
    { _id: 10, a: new Double(1) },
    { _id: 11, a: '1' },
    { _id: 12, a: [null] },
  ],
  [
    ['a number matches numbers of every type and elements of arrays', { a: 1 }, [1, 4, 9, 10]],
    ['null matches null, missing, and a null element', { a: null }, [2, 3, 12]],
    ['an array matches itself or an element', { a: [1, 2] }, [4, 5]],
    ['the empty array matches only itself', { a: [] }, [8]],
    ["a document's order of fields counts", { a: { b: 1, c: 2 } }, [6]],
    ['$ne is the whole of the rest', { a: { $ne: 1 } }, [2, 3, 5, 6, 7, 8, 11, 12]],
    ['$ne null wants a value that is not null', { a: { $ne: null } }, [1, 4, 5, 6, 7, 8, 9, 10, 11]],
    ['$in takes null as equality does', { a: { $in: ['1', null] } }, [2, 3, 11, 12]],
    ['$nin leaves out what $in finds', { a: { $nin: [1, null] } }, [5, 6, 7, 8, 11]],
    ['$exists sees null as existing', { a: { $exists: true } }, [1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12]],
    ['$exists: false', { a: { $exists: false } }, [3]],
  ],
);

table(
  'paths',
  [
    { _id: 1, a: { b: 1 } },
    { _id: 2, a: [{ b: 1 }, { b: 2 }] },
    { _id: 3, a: [{ c: 1 }] },
    { _id: 4, a: [] },
    { _id: 5, a: 5 },
    { _id: 6, a: [1, 2] },
    { _id: 7 },
    { _id: 8, a: [[{ b: 1 }]] },
    { _id: 9, a: { b: [1, 2] } },
  ],
  [
    ['a path goes through arrays of documents', { 'a.b': 1 }, [1, 2, 9]],
    ['null at a path: no empty array, no array of scalars', { 'a.b': null }, [3, 5, 7]],
    ['a position', { 'a.0.b': 1 }, [2, 8]],
    ['a position of a scalar', { 'a.1': 2 }, [6]],
    ['a position that exists', { 'a.1': { $exists: true } }, [2, 6]],
    ['two conditions may be met by two elements', { 'a.b': { $gt: 1, $lt: 2 } }, [2, 9]],
  ],
);

table(
  'order',
  [
    { _id: 1, a: 5 },
    { _id: 2, a: '5' },
    { _id: 3, a: Number.NaN },
    { _id: 4, a: new Date(5) },
    { _id: 5, a: null },
    { _id: 6 },
    { _id: 7, a: [3, 9] },
    { _id: 8, a: true },
    { _id: 9, a: new MinKey() },
    { _id: 10, a: Long.fromString('9007199254740993') },
    { _id: 11, a: new Double(9007199254740992) },
    { _id: 12, a: { b: 1 } },
  ],
  [
    ['comparison stays within the type', { a: { $gt: 4 } }, [1, 7, 10, 11]],
    ['strings', { a: { $gte: '5' } }, [2]],
    ['NaN is less than nothing', { a: { $lt: 100 } }, [1, 7]],
    ['NaN equals itself', { a: Number.NaN }, [3]],
    ['$lte NaN finds NaN', { a: { $lte: Number.NaN } }, [3]],
    ['$gte null is equality with null', { a: { $gte: null } }, [5, 6]],
    ['dates', { a: { $lte: new Date(5) } }, [4]],
    ['booleans', { a: { $gt: false } }, [8]],
    ['MaxKey is above every value', { a: { $lt: new MaxKey() } }, [1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12]],
    ['whole numbers too large for a double are distinguished', { a: { $gt: 9007199254740992 } }, [10]],
    ['an array matches by an element on each side', { a: { $gt: 8, $lt: 4 } }, [7]],
    ['documents', { a: { $gt: { b: 0 } } }, [12]],
  ],
);

table(
  'other operators',
  [
    { _id: 1, s: 'Alpha', t: ['x', 'y'], n: 5 },
    { _id: 2, s: 'alphabet\n', t: ['y', 'z'], n: -5 },
    {
      _id: 3,
      s: 'beta',
      t: [
        { k: 1, v: 2 },
        { k: 2, v: 1 },
      ],
      n: 2.5,
    },
    { _id: 4, s: ['gamma', 'alpha'], t: 'x', n: Long.fromNumber(10) },
    { _id: 5, s: /alpha/i, t: [], n: '5' },
    { _id: 6, s: 'naïve.café', t: [['x']] },
  ],
  [
    ['a regular expression', { s: /^alpha/ }, [2, 4]],
    ['its options', { s: { $regex: '^ALPHA$', $options: 'i' } }, [1, 4]],
    ['the end is also before a last newline', { s: /^alphabet$/ }, [2]],
    ['a stored expression equals itself', { s: /alpha/i }, [1, 2, 4, 5]],
    ['an escaped dot and characters beyond ASCII', { s: /ï.e\.caf.$/ }, [6]],
    ['an expression in $in', { s: { $in: [/^bet/, 'Alpha'] } }, [1, 3]],
    ['$not with an expression', { s: { $not: /alpha/i } }, [3, 6]],
    ['$or', { $or: [{ n: 5 }, { n: -5 }] }, [1, 2]],
    ['$and', { $and: [{ t: 'x' }, { t: 'y' }] }, [1]],
    ['$comment says nothing', { n: 5, $comment: 'why' }, [1]],
  ],
);

describe('unsupported queries', () => {
  const refusals: [title: string, filter: AnyDoc, code: number, codeName: string][] = [
    ['an operator that does not exist', { a: { $foo: 1 } }, 2, 'BadValue'],
    ['a top-level operator that does not exist', { $foo: [] }, 2, 'BadValue'],
    ['an operator among fields', { a: { $gt: 1, b: 2 } }, 2, 'BadValue'],
    ['$in without an array', { a: { $in: 1 } }, 2, 'BadValue'],
    ['an empty $or', { $or: [] }, 2, 'BadValue'],
    ['$where', { $where: 'true' }, 2, 'BadValue'],
    ['$elemMatch', { a: { $elemMatch: {} } }, 2, 'BadValue'],
    ['a broken expression', { a: { $regex: '(' } }, 51091, 'Location51091'],
    ['PCRE syntax that JavaScript lacks', { a: { $regex: 'a++' } }, 115, 'CommandNotSupported'],
    ['$expr', { $expr: { $eq: ['$a', 1] } }, 2, 'BadValue'],
    ['a comparison with a decimal', { a: Decimal128.fromString('1') }, 115, 'CommandNotSupported'],
  ];
  it.each(refusals)('%s', async (_title, filter, code, codeName) => {
    const collection = await server.fresh([{ _id: 1, a: 1 }]);
    expect(await failure(collection.find(filter).toArray())).toMatchObject({ code, codeName });
  });
});

describe('ids', () => {
  it('does not confuse an ObjectId with its text or with a date', async () => {
    const id = new ObjectId();
    const collection = await server.fresh([
      { _id: 1, a: id },
      { _id: 2, a: id.toHexString() },
      { _id: 3, a: id.getTimestamp() },
    ]);
    expect((await collection.find({ a: id }).toArray()).map(({ _id }) => _id)).toEqual([1]);
    expect((await collection.find({ a: id.toHexString() }).toArray()).map(({ _id }) => _id)).toEqual([2]);
    expect((await collection.find({ a: id.getTimestamp() }).toArray()).map(({ _id }) => _id)).toEqual([3]);
  });
});
