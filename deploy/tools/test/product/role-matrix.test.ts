import { allRoutes } from '@interview-prep/contracts/api/routes';
import { ApiScope } from '@interview-prep/contracts/api/scopes';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { matrix } from './role-matrix.ts';
import { callers, makeWorld, tryRow, tryRowWithKey, type World } from './role-world.ts';
import { connectProduct } from './running-product.ts';

declare module 'vitest' {
  interface ProvidedContext {
    productUrl: string;
    demoPassword: string;
    /** The connection string of the product's MongoDB, with an account that has all permissions. */
    productMongo: string;
    productDataDir: string;
  }
}

let mongo: MongoClient;
let world: World;

beforeAll(async () => {
  mongo = await MongoClient.connect(inject('productMongo'));
  const product = await connectProduct(inject('productUrl'), inject('demoPassword'), mongo.db('auth'));
  world = await makeWorld(product);
});
afterAll(() => mongo.close());

describe('the role matrix', () => {
  it.each(Object.entries(matrix))('%s returns each caller the status in its row', async (name, row) => {
    const statuses = row[0].split(' ');
    const wanted = callers.flatMap((caller, index) =>
      statuses[index] === '-' ? [] : [expect.stringMatching(`^${caller}: (${statuses[index]})$`)],
    );
    expect(await tryRow(world, name, row)).toEqual(wanted);
  });
});

describe.each(ApiScope.options)("an admin's API key of the scope %s", (scope) => {
  let key: string;
  beforeAll(async () => {
    const body = { name: scope, scopes: [scope], days: 1 };
    const created = { method: 'post', path: '/api/auth/api-keys', body } as const;
    // A new admin, since the rows above have signed out the other one.
    const { token } = await world.product.newAdmin();
    ({ secret: key } = await world.product.ask<{ secret: string }>(created, token));
  });

  it("can call public routes and the routes in its scope with the admin's rights; all others reject it", async () => {
    const { open = [], closed = [] } = Object.groupBy(allRoutes, ([, { access, scopes }]) =>
      access === 'anyone' || scopes.includes(scope) ? 'open' : 'closed',
    );
    const rowOf = (name: string) => matrix[name as keyof typeof matrix];
    const refusals = closed.map(async ([name]) => ({
      name,
      // All of them are rejected, so they can't affect other tests' data.
      status: await tryRowWithKey(world, key, name, rowOf(name), 'stranger'),
    }));
    expect((await Promise.all(refusals)).filter(({ status }) => status !== 403)).toEqual([]);
    const wrong: string[] = [];
    for (const [name] of open) {
      const wanted = rowOf(name)[0].split(' ')[callers.indexOf('admin')] ?? '';
      if (wanted === '-') continue;
      const status = await tryRowWithKey(world, key, name, rowOf(name), 'admin');
      if (!new RegExp(`^(${wanted})$`).test(String(status))) wrong.push(`${name}: ${status}`);
    }
    expect(wrong).toEqual([]);
  });
});
