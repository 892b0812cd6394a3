import { Decimal128, Int32 } from 'bson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnyDoc, failure, startTestServer, type TestServer } from './test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const ORDERS: AnyDoc[] = [
  { _id: 1, who: 'ann', n: 3, tags: ['a', 'b'], at: new Date('2026-03-28T23:30:00Z'), item: { price: 2.5 } },
  { _id: 2, who: 'bob', n: 1, tags: ['b'], at: new Date('2026-03-29T10:15:30.500Z'), item: { price: 4 } },
  { _id: 3, who: 'ann', n: 2, tags: [], at: new Date('2026-12-31T12:00:00Z'), item: { price: 0.5 } },
  { _id: 4, who: 'cem', n: null, at: null },
];

type Case = [title: string, pipeline: AnyDoc[], result: AnyDoc[]];

const stages: Case[] = [
  [
    '$group with sums',
    [
      { $group: { _id: '$who', total: { $sum: '$n' }, count: { $sum: 1 }, mean: { $avg: '$n' } } },
      { $sort: { _id: 1 } },
    ],
    [
      { _id: 'ann', total: 5, count: 2, mean: 2.5 },
      { _id: 'bob', total: 1, count: 1, mean: 1 },
      { _id: 'cem', total: 0, count: 1, mean: null },
    ],
  ],
  [
    '$group by nothing',
    [{ $group: { _id: null, least: { $min: '$n' }, most: { $max: '$n' }, all: { $push: '$n' }, c: { $count: {} } } }],
    [{ _id: null, least: 1, most: 3, all: [3, 1, 2, null], c: 4 }],
  ],
  [
    '$group by a document, missing and null together',
    [{ $group: { _id: { item: '$item.price' } } }, { $count: 'groups' }],
    [{ groups: 4 }],
  ],
  [
    '$first, $last, $addToSet after a sort',
    [
      { $sort: { n: 1 } },
      { $group: { _id: '$who', first: { $first: '$n' }, last: { $last: '$n' }, set: { $addToSet: '$who' } } },
      { $match: { _id: 'ann' } },
    ],
    [{ _id: 'ann', first: 2, last: 3, set: ['ann'] }],
  ],
  [
    '$topN and $maxN',
    [
      {
        $group: {
          _id: null,
          top: { $topN: { n: 2, sortBy: { n: -1 }, output: '$_id' } },
          max: { $maxN: { input: '$n', n: 2 } },
        },
      },
    ],
    [{ _id: null, top: [1, 3], max: [3, 2] }],
  ],
  [
    '$unwind',
    [{ $unwind: '$tags' }, { $project: { tags: 1 } }],
    [
      { _id: 1, tags: 'a' },
      { _id: 1, tags: 'b' },
      { _id: 2, tags: 'b' },
    ],
  ],
  [
    '$unwind that keeps the empty',
    [{ $unwind: { path: '$tags', includeArrayIndex: 'i', preserveNullAndEmptyArrays: true } }, { $project: { i: 1 } }],
    [
      { _id: 1, i: 0 },
      { _id: 1, i: 1 },
      { _id: 2, i: 0 },
      { _id: 3, i: null },
      { _id: 4, i: null },
    ],
  ],
  [
    '$sortByCount',
    [{ $unwind: '$tags' }, { $sortByCount: '$tags' }],
    [
      { _id: 'b', count: 2 },
      { _id: 'a', count: 1 },
    ],
  ],
  [
    '$bucket',
    [
      { $match: { n: { $ne: null } } },
      { $bucket: { groupBy: '$n', boundaries: [0, 2, 10], output: { ids: { $push: '$_id' } } } },
    ],
    [
      { _id: 0, ids: [2] },
      { _id: 2, ids: [1, 3] },
    ],
  ],
  [
    '$facet',
    [
      {
        $facet: {
          count: [{ $count: 'n' }],
          page: [{ $sort: { _id: -1 } }, { $skip: 1 }, { $limit: 1 }, { $project: { _id: 1 } }],
        },
      },
    ],
    [{ count: [{ n: 4 }], page: [{ _id: 3 }] }],
  ],
  [
    '$project: inclusion, nesting, computation',
    [{ $match: { _id: 1 } }, { $project: { _id: 0, who: 1, item: { price: 1 }, twice: { $multiply: ['$n', 2] } } }],
    [{ who: 'ann', item: { price: 2.5 }, twice: 6 }],
  ],
  [
    '$project: exclusion',
    [{ $match: { _id: 2 } }, { $project: { at: 0, 'item.price': 0, tags: 0 } }],
    [{ _id: 2, who: 'bob', n: 1, item: {} }],
  ],
  [
    '$set and $unset',
    [{ $match: { _id: 2 } }, { $set: { 'item.name': 'x', who: '$$REMOVE', same: '$n' } }, { $unset: ['at', 'tags'] }],
    [{ _id: 2, n: 1, item: { price: 4, name: 'x' }, same: 1 }],
  ],
  [
    '$replaceRoot',
    [
      { $match: { item: { $exists: true } } },
      { $replaceRoot: { newRoot: '$item' } },
      { $sort: { price: 1 } },
      { $limit: 1 },
    ],
    [{ price: 0.5 }],
  ],
  ['$count of nothing is nothing', [{ $match: { _id: 99 } }, { $count: 'n' }], []],
  ['$count', [{ $match: { who: 'ann' } }, { $count: 'n' }], [{ n: 2 }]],
  ['$limit before $sort', [{ $limit: 2 }, { $sort: { _id: -1 } }, { $project: { _id: 1 } }], [{ _id: 2 }, { _id: 1 }]],
  ['$limit before $skip', [{ $limit: 3 }, { $skip: 2 }, { $project: { _id: 1 } }], [{ _id: 3 }]],
  [
    '$unionWith itself',
    [
      { $match: { _id: 1 } },
      { $unionWith: { coll: 'self', pipeline: [{ $match: { _id: 2 } }] } },
      { $project: { _id: 1 } },
    ],
    [{ _id: 1 }, { _id: 2 }],
  ],
];

describe('stages', () => {
  it.each(stages)('%s', async (_title, pipeline, result) => {
    const collection = await server.fresh(ORDERS);
    const text = JSON.stringify(pipeline).replace('"self"', JSON.stringify(collection.collectionName));
    expect(await collection.aggregate(JSON.parse(text) as AnyDoc[]).toArray()).toEqual(result);
  });

  it('$lookup by fields, by a pipeline, and by both', async () => {
    const people = await server.fresh([{ _id: 'ann', team: 1 }, { _id: 'bob', team: 2 }, { _id: 'none' }]);
    const orders = await server.fresh(ORDERS);
    const from = orders.collectionName;
    const byField = await people
      .aggregate([
        { $lookup: { from, localField: '_id', foreignField: 'who', as: 'orders' } },
        { $project: { ids: '$orders._id' } },
      ])
      .toArray();
    expect(byField).toEqual([
      { _id: 'ann', ids: [1, 3] },
      { _id: 'bob', ids: [2] },
      { _id: 'none', ids: [] },
    ]);
    const pipeline = [
      { $match: { $expr: { $and: [{ $eq: ['$who', '$$who'] }, { $gt: ['$n', 2] }] } } },
      { $project: { _id: 1 } },
    ];
    const byPipeline = await people
      .aggregate([
        { $lookup: { from, let: { who: '$_id' }, pipeline, as: 'big' } },
        { $match: { 'big.0': { $exists: true } } },
      ])
      .toArray();
    expect(byPipeline).toEqual([{ _id: 'ann', team: 1, big: [{ _id: 1 }] }]);
    const both = await people
      .aggregate([
        {
          $lookup: {
            from,
            localField: '_id',
            foreignField: 'who',
            pipeline: [{ $sort: { n: 1 } }, { $limit: 1 }, { $project: { n: 1 } }],
            as: 'least',
          },
        },
        { $match: { _id: 'ann' } },
      ])
      .toArray();
    expect(both).toEqual([{ _id: 'ann', team: 1, least: [{ _id: 3, n: 2 }] }]);
    const missing = await people
      .aggregate([
        { $lookup: { from, localField: 'nothing', foreignField: 'n', as: 'nulls' } },
        { $match: { _id: 'none' } },
      ])
      .toArray();
    expect(missing[0]!.nulls.map(({ _id }: AnyDoc) => _id)).toEqual([4]);
  });

  it('reads in batches', async () => {
    const collection = await server.fresh(Array.from({ length: 250 }, (_, _id) => ({ _id })));
    const cursor = collection.aggregate([{ $match: { _id: { $gte: 10 } } }, { $set: { x: 1 } }], { batchSize: 7 });
    expect(await cursor.toArray()).toHaveLength(240);
  });

  it('sums doubles with the error carried along, and keeps types', async () => {
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

describe('what is refused', () => {
  const refusals: [title: string, pipeline: AnyDoc[], code: number][] = [
    ['a stage that does not exist', [{ $foo: 1 }], 40324],
    ['a stage that is not done here', [{ $graphLookup: {} }], 115],
    ['two stages in one', [{ $match: {}, $limit: 1 }], 40323],
    ['an expression that does not exist', [{ $project: { a: { $foo: 1 } } }], 168],
    ['an expression that is not done here', [{ $project: { a: { $function: {} } } }], 115],
    ['an accumulator that does not exist', [{ $group: { _id: null, a: { $foo: 1 } } }], 15952],
    ['$group without _id', [{ $group: { a: { $sum: 1 } } }], 15955],
    ['a limit of zero', [{ $limit: 0 }], 15958],
    ['a mixed projection', [{ $project: { a: 1, b: 0 } }], 31254],
    ['an addition of text', [{ $project: { a: { $add: ['$who', 1] } } }], 16554],
    ['a division by zero', [{ $project: { a: { $divide: [1, 0] } } }], 2],
    ['$size of no array', [{ $project: { a: { $size: '$who' } } }], 17124],
    ['an unknown time zone', [{ $project: { a: { $hour: { date: '$at', timezone: 'Mars/Base' } } } }], 40485],
  ];
  it.each(refusals)('%s', async (_title, pipeline, code) => {
    const collection = await server.fresh(ORDERS);
    expect(await failure(collection.aggregate(pipeline).toArray())).toMatchObject({ code });
  });
});
