import {
  Binary,
  BSONRegExp,
  Code,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  Timestamp,
  UUID,
} from 'bson';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { compareValues } from '../src/bson/compare.ts';
import { encodeKey, invertKey } from '../src/bson/key-encoding.ts';
import { decode, encode } from '../src/bson/values.ts';
import { type AnyDoc, startTestServer, type TestServer } from './test-server.ts';

/** Values in MongoDB's order, strictly ascending. */
const ASCENDING: unknown[] = [
  new MinKey(),
  null,
  new Double(Number.NaN),
  new Double(Number.NEGATIVE_INFINITY),
  new Double(-Number.MAX_VALUE),
  Long.MIN_VALUE,
  new Double(-1.5),
  new Int32(-1),
  new Int32(0),
  new Double(Number.MIN_VALUE),
  new Double(0.1),
  new Int32(1),
  new Double(2 ** 53),
  Long.fromString('9007199254740993'),
  new Double(2 ** 53 + 2),
  Long.MAX_VALUE,
  new Double(2 ** 63),
  new Double(Number.MAX_VALUE),
  new Double(Number.POSITIVE_INFINITY),
  '',
  'A',
  'a',
  'a\0',
  'a\0b',
  'aa',
  'z',
  '\uffff',
  '\u{1f600}',
  {},
  { a: new Int32(1) },
  { a: new Int32(1), b: new Int32(0) },
  { b: new Int32(0) },
  { a: 'x' },
  [],
  [new Int32(1)],
  [new Int32(1), new Int32(2)],
  [new Int32(2)],
  ['a'],
  new Binary(Buffer.from([9]), 0),
  new Binary(Buffer.from([1, 2]), 0),
  new Binary(Buffer.from([1, 2]), 5),
  new ObjectId('000000000000000000000001'),
  new ObjectId('f00000000000000000000000'),
  false,
  true,
  new Date(-1),
  new Date(0),
  new Timestamp({ t: 0, i: 5 }),
  new Timestamp({ t: 4000000000, i: 1 }),
  new BSONRegExp('a', ''),
  new BSONRegExp('a', 'i'),
  new Code('f'),
  new MaxKey(),
];

/** A value as decoded by the server. */
const stored = (value: unknown): unknown => decode(encode({ value })).value;

const number = fc.oneof(
  fc.double().map((value) => new Double(value)),
  fc.integer().map((value) => new Int32(value)),
  fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map((value) => Long.fromBigInt(value)),
);
const value = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    number,
    fc.string({ unit: 'binary' }),
    fc.boolean(),
    fc.constant(null),
    fc.date({ noInvalidDate: true }),
    tie('array'),
    tie('doc'),
  ),
  array: fc.array(tie('any'), { maxLength: 3 }),
  doc: fc.dictionary(fc.stringMatching(/^[a-c]{1,2}$/), tie('any'), { maxKeys: 3, noNullPrototype: true }),
})).any;

describe('BSON order', () => {
  it('matches the reference order, compared directly and by key, in both directions', () => {
    for (const [i, left] of ASCENDING.entries()) {
      for (const [j, right] of ASCENDING.entries()) {
        const expected = Math.sign(i - j);
        const shown = `${i} against ${j}`;
        expect(Math.sign(compareValues(stored(left), stored(right))), shown).toBe(expected);
        expect(Buffer.compare(encodeKey(stored(left)), encodeKey(stored(right))), shown).toBe(expected);
        expect(Buffer.compare(invertKey(encodeKey(stored(left))), invertKey(encodeKey(stored(right)))), shown).toBe(
          -expected || 0,
        );
      }
    }
  });

  it('of keys equals the order of comparison, for any values', () => {
    fc.assert(
      fc.property(value, value, (a, b) => {
        const [left, right] = [stored(a), stored(b)];
        expect(Math.sign(Buffer.compare(encodeKey(left), encodeKey(right)))).toBe(
          Math.sign(compareValues(left, right)),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('of numbers follows their exact values', () => {
    const exact = (value: unknown): bigint | undefined =>
      value instanceof Double
        ? Number.isInteger(value.value)
          ? BigInt(value.value)
          : undefined
        : BigInt(String(value));
    fc.assert(
      fc.property(number, number, (a, b) => {
        const [left, right] = [exact(a), exact(b)];
        fc.pre(left !== undefined && right !== undefined);
        expect(Math.sign(compareValues(a, b))).toBe(left! < right! ? -1 : left! > right! ? 1 : 0);
      }),
      // Two between the same neighboring doubles, which random values hit only once in many runs.
      { numRuns: 2000, examples: [[Long.fromString('-9223372036854774785'), Long.fromString('-9223372036854775581')]] },
    );
  });

  it('gives equal numbers of different types the same key', () => {
    const ones = [new Int32(1), new Double(1), Long.fromNumber(1)];
    expect(new Set(ones.map((one) => encodeKey(one).toString('hex'))).size).toBe(1);
    expect(encodeKey(new Double(-0))).toEqual(encodeKey(new Int32(0)));
  });
});

describe('through the server', () => {
  let server: TestServer;
  beforeAll(async () => {
    server = await startTestServer({ promoteValues: false });
  });
  afterAll(() => server.stop());

  it.each([false, true])('find sorts across types, with an index: %s', async (indexed) => {
    const collection = await server.fresh();
    if (indexed) await collection.createIndex({ v: -1 });
    const shuffled: AnyDoc[] = ASCENDING.flatMap((v, _id) => (Array.isArray(v) ? [] : [{ _id, v }])).sort(
      (a, b) => ((a._id * 7) % 59) - ((b._id * 7) % 59),
    );
    await collection.insertMany(shuffled);
    const found = await collection.find().sort({ v: -1 }).toArray();
    const ids = found.map(({ _id }) => Number(_id));
    expect(ids).toEqual([...ids].sort((a, b) => b - a));
    expect(ids.length).toBe(shuffled.length);
  });

  it('keeps every type through inserts, replacements and updates of other fields', async () => {
    const collection = await server.fresh();
    const types: AnyDoc = {
      double: new Double(1),
      int: new Int32(1),
      long: Long.fromNumber(1),
      negativeZero: new Double(-0),
      nan: new Double(Number.NaN),
      decimal: Decimal128.fromString('1.500'),
      date: new Date(1),
      id: new ObjectId(),
      binary: new Binary(Buffer.from([1, 2, 3]), 128),
      uuid: new UUID(),
      timestamp: new Timestamp({ t: 1, i: 2 }),
      regex: new BSONRegExp('a/b', 'im'),
      code: new Code('f()', { x: new Int32(1) }),
      nested: { deep: [{ int: new Int32(2), double: new Double(2) }], empty: {}, none: null },
      reference: { $ref: 'other', $id: new Int32(1), extra: true },
    };
    await collection.insertOne({ _id: 1, ...types });
    await collection.updateOne({ _id: 1 }, { $set: { changed: true }, $push: { list: Long.fromNumber(5) as never } });
    const raw = await collection.findOne({ _id: 1 }, { raw: true, projection: {} });
    const bytes = encode({ _id: new Int32(1), ...types, changed: true, list: [Long.fromNumber(5)] });
    expect(Buffer.from(raw as unknown as Uint8Array).toString('hex')).toBe(bytes.toString('hex'));
    await collection.replaceOne({ _id: 1 }, types);
    const replaced = await collection.findOne({ _id: 1 }, { raw: true, projection: { _id: 0 } });
    expect(Buffer.from(replaced as unknown as Uint8Array).toString('hex')).toBe(encode(types).toString('hex'));
  });
});
