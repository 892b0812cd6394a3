import { expect, it } from 'vitest';
import { pollingIntervalMs } from './polling-interval.ts';

it('polls only while something is pending', () => {
  expect(pollingIntervalMs({ pending: false, own: true, connection: 'down' })).toBe(0);
});

it('polls often while the stream is down, and for what the stream does not carry', () => {
  const often = pollingIntervalMs({ pending: true, own: true, connection: 'down' });
  expect(often).toBeGreaterThan(0);
  expect(pollingIntervalMs({ pending: true, own: false, connection: 'open' })).toBe(often);
  expect(pollingIntervalMs({ pending: true, own: true, connection: 'open' })).toBeGreaterThan(often);
});
