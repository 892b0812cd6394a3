import { describe, expect, it } from 'vitest';
import { type AnyDoc, failure, type TestServer } from './test-server.ts';

type Collection = Awaited<ReturnType<TestServer['fresh']>>;

/** One scenario of the drivers' CRUD specification: an operation on three documents, its result, and the documents afterward. */
export interface Scenario {
  title: string;
  run: (collection: Collection) => Promise<unknown>;
  result?: unknown;
  error?: AnyDoc;
  left?: AnyDoc[];
}

/** The initial documents of every scenario. */
export const START = [
  { _id: 1, x: 11 },
  { _id: 2, x: 22 },
  { _id: 3, x: 33 },
];

/** Runs each scenario in its own collection. */
export function scenarioTable(server: () => TestServer, title: string, scenarios: Scenario[]): void {
  describe(title, () => {
    it.each(scenarios)('$title', async ({ run, result, error, left = START }) => {
      const collection = await server().fresh(START);
      if (error) expect(await failure(run(collection))).toMatchObject(error);
      else if (result !== undefined) expect(await run(collection)).toMatchObject(result as AnyDoc);
      else await run(collection);
      expect(await collection.find().sort({ _id: 1 }).toArray()).toEqual(left);
    });
  });
}
