import { trusted } from 'mongoose';

/** The clocks of two processes may differ by this much. */
const clocksDifferMs = 60_000;

/**
 * The condition of a query that a time has come, or is missing. A time further ahead than `maxAheadMs` was written by a clock that
 * was wrong and has been set back since: it has come too, or what waits for it would wait for as long as the clock was wrong.
 * @param maxAheadMs the longest that the field is ever set ahead, in milliseconds
 * @param now milliseconds since 1970
 */
export function hasCome(maxAheadMs: number, now = Date.now()) {
  return trusted({ $not: { $gt: new Date(now), $lte: new Date(now + maxAheadMs + clocksDifferMs) } });
}
