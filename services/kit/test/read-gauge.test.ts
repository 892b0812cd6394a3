import { Registry } from '@prometheus-io/client';
import { expect, test } from 'vitest';
import { registerReadGauge } from '../src/process/read-gauge.ts';

test('a gauge that fails has no value until it works again, and the others are still served', async () => {
  const registry = new Registry();
  let broken = false;
  const read = async <Value>(value: Value) => {
    if (broken) throw new Error('MongoDB is down');
    return value;
  };
  registerReadGauge(registry, { name: 'plain', help: 'x', read: () => read(7) });
  registerReadGauge(registry, {
    name: 'labeled',
    help: 'x',
    labelNames: ['queue'],
    read: () => read([[{ queue: 'a' }, 1] as const, [{ queue: 'b' }, 2] as const]),
  });
  registerReadGauge(registry, { name: 'fine', help: 'x', read: async () => 3 });
  const lines = async () => (await registry.metrics()).split('\n').filter((line) => /^\w+[ {]/.test(line));
  const all = ['plain 7', 'labeled{queue="a"} 1', 'labeled{queue="b"} 2', 'fine 3'];
  expect(await lines()).toEqual(all);
  broken = true;
  expect(await lines()).toEqual(['fine 3']);
  broken = false;
  expect(await lines()).toEqual(all);
});

test('a gauge that hangs is abandoned after two seconds', async () => {
  const registry = new Registry();
  registerReadGauge(registry, { name: 'hangs', help: 'x', read: () => new Promise(() => undefined) });
  const begun = performance.now();
  expect(await registry.metrics()).not.toMatch(/^hangs /m);
  expect(performance.now() - begun).toBeLessThan(5000);
});
