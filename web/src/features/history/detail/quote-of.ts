import type { Point } from '@interview-prep/contracts/recordings';

/** The candidate's words for a point, or those nearest to it, with their time where it is known; null where there are none. */
export function quoteOf({ evidence, startMs, endMs, nearest }: Point) {
  if (evidence !== '') return { text: evidence, startMs, endMs };
  return nearest ? { text: nearest.text, startMs: nearest.startMs, endMs: nearest.endMs } : null;
}
