import { Int32 } from 'bson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnyDoc, failure, startTestServer, type TestServer } from './test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const ORDERS: AnyDoc[] = [
  { _id: 1, who: 'ann', n: 3, lines: [{ price: 1 }, { price: 2 }, {}], item: { price: 2.5 } },
  { _id: 2, who: 'bob', n: 1, item: { price: 4 } },
  { _id: 3, who: 'ann', n: 2, item: { price: 0.5 } },
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
    '$group treats missing and null alike, and takes the first that is there',
    [{ $group: { _id: { $ifNull: ['$item.price', 'none'] }, n: { $sum: 1 } } }, { $sort: { _id: 1 } }, { $limit: 1 }],
    [{ _id: 0.5, n: 1 }],
  ],
  ['$group by a path through a list', [{ $match: { _id: 1 } }, { $group: { _id: '$lines.price' } }], [{ _id: [1, 2] }]],
  ['$group over no document returns none', [{ $match: { _id: 99 } }, { $group: { _id: 1, n: { $sum: 1 } } }], []],
  [
    '$limit before $sort',
    [{ $limit: 2 }, { $sort: { _id: -1 } }, { $group: { _id: '$_id' } }],
    [{ _id: 2 }, { _id: 1 }],
  ],
  ['$limit before $skip', [{ $limit: 3 }, { $skip: 2 }, { $group: { _id: '$_id' } }], [{ _id: 3 }]],
];

describe('pipeline stages', () => {
  it.each(stages)('%s', async (_title, pipeline, result) => {
    const collection = await server.fresh(ORDERS);
    expect(await collection.aggregate(pipeline).toArray()).toEqual(result);
  });

  it('read a cursor in batches', async () => {
    const collection = await server.fresh(Array.from({ length: 250 }, (_, _id) => ({ _id })));
    const cursor = collection.aggregate([{ $match: { _id: { $gte: 10 } } }, { $group: { _id: '$_id' } }], {
      batchSize: 7,
    });
    expect(await cursor.toArray()).toHaveLength(240);
  });

  it('sum doubles with error compensation, and keep number types', async () => {
    const collection = await server.fresh([
      ...Array.from({ length: 10 }, () => ({ d: 0.1, i: new Int32(2147483647) })),
    ]);
    const [sums] = await collection
      .aggregate([{ $group: { _id: null, d: { $sum: '$d' }, i: { $sum: '$i' }, none: { $sum: '$x' } } }], {
        promoteValues: false,
      })
      .toArray();
    expect([sums!.d, sums!.i, sums!.none].map(String)).toEqual(['1', '21474836470', '0']);
    expect([sums!.d, sums!.i, sums!.none].map((value) => value._bsontype)).toEqual(['Double', 'Long', 'Int32']);
  });
});

describe('refusals', () => {
  const refusals: [title: string, pipeline: AnyDoc[], code: number, codeName: string][] = [
    ['an unknown stage', [{ $foo: 1 }], 40324, 'Location40324'],
    ['a stage of MongoDB that the server lacks', [{ $facet: {} }], 40324, 'Location40324'],
    ['two stages in one', [{ $match: {}, $limit: 1 }], 40323, 'Location40323'],
    ['an unknown expression', [{ $group: { _id: { $foo: 1 } } }], 168, 'InvalidPipelineOperator'],
    ['an unknown accumulator', [{ $group: { _id: null, a: { $foo: 1 } } }], 15952, 'Location15952'],
    ['$group without _id', [{ $group: { a: { $sum: 1 } } }], 15955, 'Location15955'],
    ['$limit of zero', [{ $limit: 0 }], 15958, 'Location15958'],
    ['a variable', [{ $group: { _id: '$$ROOT' } }], 16410, 'Location16410'],
  ];
  it.each(refusals)('%s', async (_title, pipeline, code, codeName) => {
    const collection = await server.fresh(ORDERS);
    expect(await failure(collection.aggregate(pipeline).toArray())).toMatchObject({ code, codeName });
  });

  it("name the server's unsupported feature", async () => {
    const collection = await server.fresh(ORDERS);
    const error = await failure(collection.aggregate([{ $lookup: {} }]).toArray());
    expect(error.message).toBe(
      "Unrecognized pipeline stage name: '$lookup'. The embedded server supports $match, $group, $sort, $skip, $limit.",
    );
  });
});
