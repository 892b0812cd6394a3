const firstMs = 1000;
const longestMs = 30_000;

/**
 * How long to wait before the next attempt to connect, in milliseconds: doubling from one second to half a minute, and
 * spread over the upper half of that, so that browsers do not all return in the same moment after a restart.
 * @param attempt failures in a row, from 0
 * @param random 0–1
 */
export function reconnectDelayMs(attempt: number, random: number): number {
  const ceilingMs = Math.min(longestMs, firstMs * 2 ** Math.min(attempt, 10));
  return Math.round(ceilingMs * (0.5 + random / 2));
}
