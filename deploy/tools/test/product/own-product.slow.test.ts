import { afterAll, beforeAll, describe } from 'vitest';
import { testAttacks } from './attacks.ts';
import { testCalibrate } from './calibrate.ts';
import { testDeletions } from './deletions.ts';
import { type Product, startProduct } from './running-product.ts';
import { type Collector, startCollector, testTraces } from './traces.ts';

// One product for four themes: its start takes ten seconds of a processor. Who harms it more comes later.
let product: Product;
let collector: Collector;

beforeAll(async () => {
  collector = await startCollector();
  // What processes inherit.
  Object.assign(process.env, collector.variables);
  product = await startProduct({ SPEECH_ENGINE: 'pocketsphinx' }).finally(() => {
    for (const name of Object.keys(collector.variables)) delete process.env[name];
  });
}, 120_000);
afterAll(async () => {
  await product?.stop();
  collector.close();
});

describe('traces', () =>
  testTraces(
    () => product,
    () => collector,
  ));

describe('npm run calibrate', () => testCalibrate(() => product));
describe('deletions', () => testDeletions(() => product));
describe('attacks', () => testAttacks(() => product));
