import { expect, it } from 'vitest';
import { reconnectDelayMs } from './live-recordings-api.ts';

it('doubles from a second to half a minute', () => {
  expect([0, 1, 2, 3, 4, 5, 6, 60].map((attempt) => reconnectDelayMs(attempt, 1))).toEqual([
    1000, 2000, 4000, 8000, 16_000, 30_000, 30_000, 30_000,
  ]);
});

it('is spread over the upper half', () => {
  expect(reconnectDelayMs(2, 0)).toBe(2000);
  expect(reconnectDelayMs(2, 0.5)).toBe(3000);
});
