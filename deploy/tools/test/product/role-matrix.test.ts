import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import { matrix } from './role-matrix.ts';
import { callers, makeWorld, tryRow, type World } from './role-world.ts';
import { connectProduct } from './running-product.ts';

declare module 'vitest' {
  interface ProvidedContext {
    productUrl: string;
    demoPassword: string;
    /** The address of the product's MongoDB, with an account that may do everything. */
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
  it.each(Object.entries(matrix))('%s answers each caller with the status of its row', async (name, row) => {
    const statuses = row[0].split(' ');
    const wanted = callers.flatMap((caller, index) =>
      statuses[index] === '-' ? [] : [expect.stringMatching(`^${caller}: (${statuses[index]})$`)],
    );
    expect(await tryRow(world, name, row)).toEqual(wanted);
  });
});
