const firstMs = 1000;
const longestMs = 30_000;

/**
 * Exponential backoff before reconnecting, in milliseconds: one second to half a minute, with jitter over the upper half
 * so that browsers do not all return at once after a restart.
 * @param attempt failures in a row, from 0
 * @param random 0–1
 */
export function reconnectDelayMs(attempt: number, random: number): number {
  const ceilingMs = Math.min(longestMs, firstMs * 2 ** Math.min(attempt, 10));
  return Math.round(ceilingMs * (0.5 + random / 2));
}
