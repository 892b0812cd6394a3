import { afterAll, beforeAll, describe } from 'vitest';
import { testAttacks } from './attacks.ts';
import { testCalibrate } from './calibrate.ts';
import { testDeletions } from './deletions.ts';
import { type Product, startProduct } from './running-product.ts';

// One product for three themes: its start takes ten seconds of a processor. Who harms it more comes later.
let product: Product;

beforeAll(async () => {
  product = await startProduct({ SPEECH_ENGINE: 'pocketsphinx' });
}, 120_000);
afterAll(() => product?.stop());

describe('npm run calibrate', () => testCalibrate(() => product));
describe('deletions', () => testDeletions(() => product));
describe('attacks', () => testAttacks(() => product));
