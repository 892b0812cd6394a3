import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type AnyDoc, failure, startTestServer, type TestServer } from './test-server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

describe('find’s projections', () => {
  const document = { _id: 1, a: [{ k: 1, v: 1 }, { k: 2, v: 2 }, 7], b: { c: 1, d: { e: 1 } }, n: [1, 2, 3, 4] };
  const cases: [title: string, projection: AnyDoc, result: AnyDoc][] = [
    ['a path through an array', { 'a.k': 1, _id: 0 }, { a: [{ k: 1 }, { k: 2 }] }],
    ['an excluded path through an array', { 'a.k': 0, b: 0, n: 0 }, { _id: 1, a: [{ v: 1 }, { v: 2 }, 7] }],
    ['_id alone', { _id: 1 }, { _id: 1 }],
    ['everything except _id', { _id: 0, a: 0, n: 0 }, { b: document.b }],
  ];
  it.each(cases)('%s', async (_title, projection, result) => {
    const collection = await server.fresh([document]);
    expect(await collection.findOne({}, { projection })).toEqual(result);
  });

  it.each([
    ['mixtures', { a: 1, b: 0 }, 31254],
    ['collisions', { a: 1, 'a.k': 1 }, 31250],
    ['a positional path', { 'n.$': 1 }, 115],
    ['an operator that the server lacks', { n: { $slice: 1 } }, 115],
  ])('refuse %s', async (_title, projection, code) => {
    const collection = await server.fresh([document]);
    expect(await failure(collection.findOne({}, { projection }))).toMatchObject({ code });
  });
});
