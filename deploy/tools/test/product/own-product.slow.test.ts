import { afterAll, beforeAll, describe } from 'vitest';
import { testAttacks } from './attacks.ts';
import { testCalibrate } from './calibrate.ts';
import { testDeletions } from './deletions.ts';
import { type Product, startProduct } from './running-product.ts';
import { type Collector, startCollector, testTraces } from './traces.ts';

// One product for four suites, since starting it takes ten seconds of CPU time. The most destructive ones come last.
let product: Product;
let collector: Collector;

beforeAll(async () => {
  collector = await startCollector();
  // Inherited by the product's processes.
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
