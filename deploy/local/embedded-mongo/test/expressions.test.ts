import { Decimal128, Double, Int32, Long } from 'bson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestServer, type TestServer } from './test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

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
