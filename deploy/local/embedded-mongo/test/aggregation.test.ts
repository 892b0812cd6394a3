import { Decimal128, Double, Int32, Long } from 'bson';
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

type Expression = [expression: unknown, value: unknown];
const at = new Date('2026-03-28T23:30:00Z');

/** Expressions over `{n: 3, d: 2.5, s: 'Straße', a: [1, 2, 3], o: {x: 1}, at, nil: null, docs: [{k: 1}, {k: 2}, {}]}`. */
const expressions: Expression[] = [
  [{ $add: ['$n', 1, 0.5] }, 4.5],
  [{ $add: ['$at', 1000] }, new Date(at.getTime() + 1000)],
  [{ $subtract: ['$at', new Date(0)] }, at.getTime()],
  [{ $divide: ['$n', 2] }, 1.5],
  [{ $mod: [-7, 3] }, -1],
  [{ $multiply: ['$n', '$missing'] }, null],
  [{ $round: [2.5] }, 2],
  [{ $round: [3.145, 2] }, 3.15],
  [{ $round: [2.675, 2] }, 2.67],
  [{ $round: [-1.55, 1] }, -1.6],
  [{ $trunc: [-1.57, 1] }, -1.5],
  [{ $abs: -3 }, 3],
  [{ $ceil: 2.1 }, 3],
  [{ $pow: [2, 10] }, 1024],
  [{ $sqrt: 16 }, 4],
  [{ $sin: 0 }, 0],
  [{ $cmp: ['$n', 'text'] }, -1],
  [{ $eq: ['$missing', null] }, false],
  [{ $gt: ['$nil', '$missing'] }, true],
  [{ $and: [1, 'x', []] }, true],
  [{ $or: [0, null, '$missing', false] }, false],
  [{ $not: ['$nil'] }, true],
  [{ $cond: [{ $gte: ['$n', 3] }, 'big', 'small'] }, 'big'],
  [{ $ifNull: ['$missing', '$nil', 'else'] }, 'else'],
  [
    {
      $switch: {
        branches: [
          // biome-ignore lint/suspicious/noThenProperty: it is MongoDB's name
          { case: { $eq: ['$n', 1] }, then: 'one' },
          // biome-ignore lint/suspicious/noThenProperty: it is MongoDB's name
          { case: true, then: 'other' },
        ],
      },
    },
    'other',
  ],
  [{ $let: { vars: { x: '$n' }, in: { $multiply: ['$$x', '$$x'] } } }, 9],
  [{ $concat: ['$s', '-', 'x'] }, 'Straße-x'],
  [{ $concat: ['$s', '$missing'] }, null],
  [{ $toUpper: '$s' }, 'STRAßE'],
  [{ $toLower: '$s' }, 'straße'],
  [{ $strLenCP: '$s' }, 6],
  [{ $strLenBytes: '$s' }, 7],
  [{ $substrCP: ['$s', 4, 5] }, 'ße'],
  [{ $substrBytes: ['$s', 0, 4] }, 'Stra'],
  [{ $indexOfCP: ['$s', 'e'] }, 5],
  [{ $indexOfBytes: ['$s', 'e'] }, 6],
  [{ $split: ['a-b-c', '-'] }, ['a', 'b', 'c']],
  [{ $trim: { input: '  x ' } }, 'x'],
  [{ $ltrim: { input: '0012', chars: '0' } }, '12'],
  [{ $replaceAll: { input: 'a.b.c', find: '.', replacement: '+' } }, 'a+b+c'],
  [{ $regexMatch: { input: '$s', regex: /^str/i } }, true],
  [{ $regexFind: { input: 'ß12 3', regex: '(\\d)(\\d)' } }, { match: '12', idx: 1, captures: ['1', '2'] }],
  [{ $strcasecmp: ['aB', 'Ab'] }, 0],
  [{ $size: '$a' }, 3],
  [{ $arrayElemAt: ['$a', -1] }, 3],
  [{ $first: '$a' }, 1],
  [{ $slice: ['$a', 1, 5] }, [2, 3]],
  [{ $in: [2, '$a'] }, true],
  [{ $indexOfArray: ['$a', 3] }, 2],
  [{ $filter: { input: '$a', as: 'x', cond: { $gt: ['$$x', 1] } } }, [2, 3]],
  [{ $map: { input: '$a', in: { $add: ['$$this', '$n'] } } }, [4, 5, 6]],
  [{ $reduce: { input: '$a', initialValue: 0, in: { $add: ['$$value', '$$this'] } } }, 6],
  [{ $concatArrays: ['$a', [9]] }, [1, 2, 3, 9]],
  [{ $reverseArray: '$a' }, [3, 2, 1]],
  [{ $range: [0, 7, 3] }, [0, 3, 6]],
  [
    { $zip: { inputs: ['$a', ['x']], useLongestLength: true } },
    [
      [1, 'x'],
      [2, null],
      [3, null],
    ],
  ],
  [{ $sortArray: { input: '$a', sortBy: -1 } }, [3, 2, 1]],
  [{ $sum: '$a' }, 6],
  [{ $avg: ['$n', '$d'] }, 2.75],
  [{ $max: ['$n', '$d', '$nil'] }, 3],
  [{ $setUnion: ['$a', [3, 4]] }, [1, 2, 3, 4]],
  [{ $setIntersection: ['$a', [3, 2, 9]] }, [2, 3]],
  [{ $setDifference: ['$a', [1]] }, [2, 3]],
  [{ $setEquals: ['$a', [3, 2, 1, 1]] }, true],
  ['$docs.k', [1, 2]],
  ['$a.0', []],
  ['$o.x', 1],
  [{ $mergeObjects: ['$o', { y: 2 }, null] }, { x: 1, y: 2 }],
  [{ $objectToArray: '$o' }, [{ k: 'x', v: 1 }]],
  [
    {
      $arrayToObject: [
        [
          ['k', 1],
          ['v', 2],
        ],
      ],
    },
    { k: 1, v: 2 },
  ],
  [{ $getField: 'n' }, 3],
  [{ $setField: { field: 'y', input: '$o', value: 5 } }, { x: 1, y: 5 }],
  [{ $literal: '$n' }, '$n'],
  [{ $type: '$missing' }, 'missing'],
  [{ $type: '$d' }, 'double'],
  [{ $toString: '$n' }, '3'],
  [{ $toInt: '12' }, 12],
  [{ $toDouble: '1.5' }, 1.5],
  [{ $toBool: 'false' }, true],
  [{ $toDate: '2026-01-02' }, new Date('2026-01-02')],
  [{ $convert: { input: 'x', to: 'int', onError: -1 } }, -1],
  [{ $year: '$at' }, 2026],
  [{ $dayOfMonth: { date: '$at', timezone: 'Europe/Berlin' } }, 29],
  [{ $hour: { date: '$at', timezone: '-03:30' } }, 20],
  [{ $dayOfWeek: '$at' }, 7],
  [{ $isoWeek: new Date('2027-01-01T00:00:00Z') }, 53],
  [{ $isoWeekYear: new Date('2027-01-01T00:00:00Z') }, 2026],
  [{ $week: new Date('2026-01-04T00:00:00Z') }, 1],
  [{ $year: '$nil' }, null],
  [
    { $dateToString: { date: '$at', format: '%Y-%m-%d %H:%M %z', timezone: 'Europe/Berlin' } },
    '2026-03-29 00:30 +0100',
  ],
  [{ $dateToString: { date: '$at' } }, '2026-03-28T23:30:00.000Z'],
  [{ $dateToString: { date: '$nil', onNull: '-' } }, '-'],
  [{ $dateTrunc: { date: '$at', unit: 'month' } }, new Date('2026-03-01T00:00:00Z')],
  [{ $dateTrunc: { date: '$at', unit: 'day', timezone: 'Europe/Berlin' } }, new Date('2026-03-28T23:00:00Z')],
  [{ $dateTrunc: { date: '$at', unit: 'week', startOfWeek: 'monday' } }, new Date('2026-03-23T00:00:00Z')],
  [
    { $dateAdd: { startDate: new Date('2026-01-31T12:00:00Z'), unit: 'month', amount: 1 } },
    new Date('2026-02-28T12:00:00Z'),
  ],
  [
    { $dateAdd: { startDate: '$at', unit: 'day', amount: 1, timezone: 'Europe/Berlin' } },
    new Date('2026-03-29T22:30:00Z'),
  ],
  [{ $dateSubtract: { startDate: '$at', unit: 'minute', amount: 90 } }, new Date('2026-03-28T22:00:00Z')],
  [{ $dateDiff: { startDate: '$at', endDate: new Date('2026-04-01T00:00:00Z'), unit: 'day' } }, 4],
  [{ $dateDiff: { startDate: '$at', endDate: new Date('2026-04-01T00:00:00Z'), unit: 'month' } }, 1],
  [{ $dateFromParts: { year: 2026, month: 14, day: 1, timezone: 'Europe/Berlin' } }, new Date('2027-01-31T23:00:00Z')],
  [
    { $dateToParts: { date: '$at' } },
    { year: 2026, month: 3, day: 28, hour: 23, minute: 30, second: 0, millisecond: 0 },
  ],
];

describe('expressions', () => {
  it.each(expressions.map(([expression, value]) => ({ title: JSON.stringify(expression), expression, value })))(
    '$title',
    async ({ expression, value }) => {
      const document = {
        _id: 1,
        n: 3,
        d: 2.5,
        s: 'Straße',
        a: [1, 2, 3],
        o: { x: 1 },
        at,
        nil: null,
        docs: [{ k: 1 }, { k: 2 }, {}],
      };
      const collection = await server.fresh([document]);
      const [found] = await collection.aggregate([{ $replaceWith: { value: expression } }]).toArray();
      expect(found).toEqual({ value });
    },
  );

  it('calculate in the wider type', async () => {
    const collection = await server.fresh([
      { i: new Int32(2147483647), l: Long.MAX_VALUE, d: new Double(2), m: Decimal128.fromString('0.10') },
    ]);
    const sums = {
      $project: {
        _id: 0,
        a: { $add: ['$i', 1] },
        b: { $add: ['$l', 1] },
        c: { $multiply: ['$i', '$d'] },
        e: { $add: ['$m', '$i'] },
      },
    };
    const [found] = await collection.aggregate([sums], { promoteValues: false }).toArray();
    expect(Object.values(found!).map((value) => [value._bsontype, String(value)])).toEqual([
      ['Long', '2147483648'],
      ['Double', '9223372036854776000'],
      ['Double', '4294967294'],
      ['Decimal128', '2147483647.10'],
    ]);
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

describe('find’s projections', () => {
  const document = { _id: 1, a: [{ k: 1, v: 1 }, { k: 2, v: 2 }, 7], b: { c: 1, d: { e: 1 } }, n: [1, 2, 3, 4] };
  const cases: [title: string, filter: AnyDoc, projection: AnyDoc, result: AnyDoc][] = [
    ['a path through an array', {}, { 'a.k': 1, _id: 0 }, { a: [{ k: 1 }, { k: 2 }] }],
    ['an excluded path through an array', {}, { 'a.k': 0, b: 0, n: 0 }, { _id: 1, a: [{ v: 1 }, { v: 2 }, 7] }],
    ['_id alone', {}, { _id: 1 }, { _id: 1 }],
    ['all but _id', {}, { _id: 0, a: 0, n: 0 }, { b: document.b }],
    ['$slice', {}, { n: { $slice: [1, 2] }, a: 0, b: 0 }, { _id: 1, n: [2, 3] }],
    ['$slice from the end', {}, { n: { $slice: -1 }, a: 0, b: 0 }, { _id: 1, n: [4] }],
    ['$elemMatch', {}, { a: { $elemMatch: { k: 2 } } }, { _id: 1, a: [{ k: 2, v: 2 }] }],
    ['the element that matched', { 'a.k': 2 }, { 'a.$': 1 }, { _id: 1, a: [{ k: 2, v: 2 }] }],
    ['an expression', {}, { sum: { $sum: '$n' }, 'b.c': 1 }, { _id: 1, b: { c: 1 }, sum: 10 }],
    ['a nested document', {}, { b: { d: 1 } }, { _id: 1, b: { d: { e: 1 } } }],
  ];
  it.each(cases)('%s', async (_title, filter, projection, result) => {
    const collection = await server.fresh([document]);
    expect(await collection.findOne(filter, { projection })).toEqual(result);
  });

  it.each([
    ['mixtures', { a: 1, b: 0 }, 31254],
    ['collisions', { a: 1, 'a.k': 1 }, 31250],
    ['$ without a match', { 'n.$': 1 }, 51246],
  ])('refuse %s', async (_title, projection, code) => {
    const collection = await server.fresh([document]);
    expect(await failure(collection.findOne({}, { projection }))).toMatchObject({ code });
  });
});
