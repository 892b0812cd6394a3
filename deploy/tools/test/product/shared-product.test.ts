import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { testAttacks } from './attacks.ts';
import { testCalibrate } from './calibrate.ts';
import { testDeletions } from './deletions.ts';
import { matrix } from './role-matrix.ts';
import { callers, makeWorld, tryRow, type World } from './role-world.ts';
import { type Product, startProduct } from './running-product.ts';

// One product for three themes: its start takes ten seconds of a processor. Who harms it more comes later.
let product: Product;

beforeAll(async () => {
  product = await startProduct({ SPEECH_ENGINE: 'pocketsphinx' });
}, 120_000);
afterAll(() => product?.stop());

describe('the role matrix', () => {
  let world: World;
  beforeAll(async () => {
    world = await makeWorld(product);
  });

  it.each(Object.entries(matrix))('%s answers each caller with the status of its row', async (name, row) => {
    const statuses = row[0].split(' ');
    const wanted = callers.map((caller, index) => expect.stringMatching(`^${caller}: (${statuses[index]})$`));
    expect(await tryRow(world, name, row)).toEqual(wanted);
  });
});

describe('npm run calibrate', () => testCalibrate(() => product));
describe('deletions', () => testDeletions(() => product));
describe('attacks', () => testAttacks(() => product));
