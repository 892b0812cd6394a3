import { expect, test } from 'vitest';
import { findFreePorts } from '../src/free-ports.ts';

test('finds different ports that no outgoing connection can be given', async () => {
  const ports = await findFreePorts(200);
  expect(new Set(ports).size).toBe(200);
  expect(Math.max(...ports)).toBeLessThan(32_768);
  expect(Math.min(...ports)).toBeGreaterThan(1023);
});
