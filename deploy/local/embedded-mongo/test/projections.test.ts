import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnyDoc, failure, startTestServer, type TestServer } from './test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

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
