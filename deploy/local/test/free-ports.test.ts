import { once } from 'node:events';
import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { findFreePorts, reservationOf } from '../src/free-ports.ts';

test('finds different ports outside the range for outgoing connections', async () => {
  const ports = await findFreePorts(200);
  expect(new Set(ports).size).toBe(200);
  expect(Math.max(...ports)).toBeLessThan(32_768);
  expect(Math.min(...ports)).toBeGreaterThan(1023);
});

test.runIf(process.platform === 'linux')('reserves what it finds, also for other processes', async () => {
  const [port = 0] = await findFreePorts(1);
  const [error] = await once(createServer().listen(reservationOf(port)), 'error');
  expect(error).toMatchObject({ code: 'EADDRINUSE' });
});
