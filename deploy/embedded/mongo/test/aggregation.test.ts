import { Decimal128, Int32 } from 'bson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnyDoc, failure, startTestServer, type TestServer } from './test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const ORDERS: AnyDoc[] = [
  { _id: 1, who: 'ann', n: 3, tags: ['a', 'b'], item: { price: 2.5 } },
  { _id: 2, who: 'bob', n: 1, tags: ['b'], item: { price: 4 } },
  { _id: 3, who: 'ann', n: 2, tags: [], item: { price: 0.5 } },
  { _id: 4, who: 'cem', n: null },
];

type Case = [title: string, pipeline: AnyDoc[], result: AnyDoc[]];

const stages: Case[] = [
  [
    '$group sums, counts and finds extremes',
    [
      { $group: { _id: '$who', total: { $sum: '$n' }, count: { $sum: 1 }, min: { $min: '$n' }, max: { $max: '$n' } } },
      { $sort: { _id: 1 } },
    ],
    [
      { _id: 'ann', total: 5, count: 2, min: 2, max: 3 },
      { _id: 'bob', total: 1, count: 1, min: 1, max: 1 },
      { _id: 'cem', total: 0, count: 1, min: null, max: null },
    ],
  ],
  [
    '$group by a document treats missing and null alike',
    [{ $group: { _id: { item: '$item.price' } } }, { $group: { _id: null, groups: { $sum: 1 } } }],
    [{ _id: null, groups: 4 }],
  ],
  [
    '$project includes, nests and computes',
    [{ $match: { _id: 1 } }, { $project: { _id: 0, who: 1, item: { price: 1 }, isBig: { $gte: ['$n', 3] } } }],
    [{ who: 'ann', item: { price: 2.5 }, isBig: true }],
  ],
  [
    '$project excludes',
    [{ $match: { _id: 2 } }, { $project: { 'item.price': 0, tags: 0 } }],
    [{ _id: 2, who: 'bob', n: 1, item: {} }],
  ],
  [
    '$set and $unset change fields',
    [{ $match: { _id: 2 } }, { $set: { 'item.name': 'x', who: '$$REMOVE', same: '$n' } }, { $unset: ['tags'] }],
    [{ _id: 2, n: 1, item: { price: 4, name: 'x' }, same: 1 }],
  ],
  [
    '$replaceRoot promotes a document',
    [
      { $match: { item: { $exists: true } } },
      { $replaceRoot: { newRoot: '$item' } },
      { $sort: { price: 1 } },
      { $limit: 1 },
    ],
    [{ price: 0.5 }],
  ],
  ['$group over no document returns none', [{ $match: { _id: 99 } }, { $group: { _id: 1, n: { $sum: 1 } } }], []],
  ['$limit before $sort', [{ $limit: 2 }, { $sort: { _id: -1 } }, { $project: { _id: 1 } }], [{ _id: 2 }, { _id: 1 }]],
  ['$limit before $skip', [{ $limit: 3 }, { $skip: 2 }, { $project: { _id: 1 } }], [{ _id: 3 }]],
];

describe('stages', () => {
  it.each(stages)('%s', async (_title, pipeline, result) => {
    const collection = await server.fresh(ORDERS);
    expect(await collection.aggregate(pipeline).toArray()).toEqual(result);
  });

  it('are read in batches', async () => {
    const collection = await server.fresh(Array.from({ length: 250 }, (_, _id) => ({ _id })));
    const cursor = collection.aggregate([{ $match: { _id: { $gte: 10 } } }, { $set: { x: 1 } }], { batchSize: 7 });
    expect(await cursor.toArray()).toHaveLength(240);
  });

  it('sum doubles with compensation, and keep number types', async () => {
    const collection = await server.fresh([
      ...Array.from({ length: 10 }, () => ({ d: 0.1, i: new Int32(2147483647), m: Decimal128.fromString('0.1') })),
    ]);
    const [sums] = await collection
      .aggregate(
        [{ $group: { _id: null, d: { $sum: '$d' }, i: { $sum: '$i' }, m: { $sum: '$m' }, none: { $sum: '$x' } } }],
        { promoteValues: false },
      )
      .toArray();
    expect([sums!.d, sums!.i, sums!.m, sums!.none].map(String)).toEqual(['1', '21474836470', '1.0', '0']);
    expect([sums!.d, sums!.i, sums!.none].map((value) => value._bsontype)).toEqual(['Double', 'Long', 'Int32']);
  });
});

type Expression = [expression: unknown, value: unknown];

/** Expressions over `{n: 3, a: [1, 2, 3], o: {x: 1}, nil: null, docs: [{k: 1}, {k: 2}, {}]}`. */
const expressions: Expression[] = [
  [{ $eq: ['$missing', null] }, false],
  [{ $eq: ['$n', 3.0] }, true],
  [{ $ne: ['$n', 3] }, false],
  [{ $gt: ['$nil', '$missing'] }, true],
  [{ $lte: ['$n', 'text'] }, true],
  [{ $and: [1, 'x', []] }, true],
  [{ $or: [0, null, '$missing', false] }, false],
  [{ $not: ['$nil'] }, true],
  [{ $cond: [{ $gte: ['$n', 3] }, 'big', 'small'] }, 'big'],
  // biome-ignore lint/suspicious/noThenProperty: the name is MongoDB's
  [{ $cond: { if: { $lt: ['$n', 3] }, then: 'small', else: 'big' } }, 'big'],
  [{ $ifNull: ['$missing', '$nil', 'else'] }, 'else'],
  ['$docs.k', [1, 2]],
  ['$a.0', []],
  ['$o.x', 1],
  [{ nested: ['$n', '$missing'] }, { nested: [3, null] }],
  [{ $setField: { field: 'y', input: '$o', value: 5 } }, { x: 1, y: 5 }],
  [{ $setField: { field: 'x', input: '$o', value: '$$REMOVE' } }, {}],
  [{ $literal: '$n' }, '$n'],
];

describe('expressions', () => {
  it.each(expressions.map(([expression, value]) => ({ title: JSON.stringify(expression), expression, value })))(
    '$title',
    async ({ expression, value }) => {
      const document = { _id: 1, n: 3, a: [1, 2, 3], o: { x: 1 }, nil: null, docs: [{ k: 1 }, { k: 2 }, {}] };
      const collection = await server.fresh([document]);
      const [found] = await collection.aggregate([{ $replaceWith: { value: expression } }]).toArray();
      expect(found).toEqual({ value });
    },
  );

  it('$rand differs from one document to the next', async () => {
    const collection = await server.fresh(ORDERS);
    const found = await collection.aggregate([{ $project: { _id: 0, r: { $rand: {} } } }]).toArray();
    expect(new Set(found.map(({ r }) => r)).size).toBe(ORDERS.length);
    expect(found.every(({ r }) => r >= 0 && r < 1)).toBe(true);
  });
});

describe('refusals', () => {
  const refusals: [title: string, pipeline: AnyDoc[], code: number, codeName: string][] = [
    ['an unknown stage', [{ $foo: 1 }], 40324, 'Location40324'],
    ['a stage of MongoDB that the server lacks', [{ $facet: {} }], 40324, 'Location40324'],
    ['two stages in one', [{ $match: {}, $limit: 1 }], 40323, 'Location40323'],
    ['an unknown expression', [{ $project: { a: { $foo: 1 } } }], 168, 'InvalidPipelineOperator'],
    [
      'an expression of MongoDB that the server lacks',
      [{ $set: { a: { $year: '$b' } } }],
      168,
      'InvalidPipelineOperator',
    ],
    ['an unknown accumulator', [{ $group: { _id: null, a: { $foo: 1 } } }], 15952, 'Location15952'],
    ['$group without _id', [{ $group: { a: { $sum: 1 } } }], 15955, 'Location15955'],
    ['$limit of zero', [{ $limit: 0 }], 15958, 'Location15958'],
    ['a mixed projection', [{ $project: { a: 1, b: 0 } }], 31254, 'Location31254'],
    [
      '$setField of a number',
      [{ $set: { a: { $setField: { field: 'x', input: 1, value: 1 } } } }],
      4161105,
      'Location4161105',
    ],
    ['an undefined variable', [{ $set: { a: '$$who' } }], 17276, 'Location17276'],
  ];
  it.each(refusals)('%s', async (_title, pipeline, code, codeName) => {
    const collection = await server.fresh(ORDERS);
    expect(await failure(collection.aggregate(pipeline).toArray())).toMatchObject({ code, codeName });
  });

  it('name what the server has', async () => {
    const collection = await server.fresh(ORDERS);
    const error = await failure(collection.aggregate([{ $lookup: {} }]).toArray());
    expect(error.message).toBe(
      "Unrecognized pipeline stage name: '$lookup'. The embedded server supports $match, $addFields, $set, $project, $unset, $replaceWith, $replaceRoot, $group, $sort, $skip, $limit.",
    );
  });
});
