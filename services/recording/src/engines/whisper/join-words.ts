import type { Span } from '../../speech-detector/speech-spans.ts';
import type { HeardWord } from './clean-words.ts';

/** The tolerated difference between the times of the same word in two windows. */
const toleranceMs = 1500;
const wrongTimesMs = 10_000;
/** A run of this many words is unlikely to be said twice. */
const sameWords = 4;

const keyOf = ({ word }: HeardWord): string => word.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
const middleMs = ({ startMs, endMs }: HeardWord): number => (startMs + endMs) / 2;

/** The longest run of words that two texts share at about the same time. `a` and `b`: its start in each. */
function longestRun(before: readonly HeardWord[], after: readonly HeardWord[], maxApartMs: number) {
  const isSame = (one: HeardWord | undefined, other: HeardWord | undefined) =>
    one && other && Math.abs(one.startMs - other.startMs) <= maxApartMs && keyOf(one) === keyOf(other);
  let best = { length: 0, apartMs: 0, a: 0, b: 0 };
  for (let a = 0; a < before.length; a++) {
    for (let b = 0; b < after.length; b++) {
      const apartMs = Math.abs(before[a]!.startMs - after[b]!.startMs);
      let length = 0;
      while (isSame(before[a + length], after[b + length])) length += 1;
      if (length > best.length || (length > 0 && length === best.length && apartMs < best.apartMs))
        best = { length, apartMs, a, b };
    }
  }
  return best;
}

/**
 * Joins the words of two overlapping windows: in the middle of the longest run of words that both share at about the same
 * time, otherwise in the middle of the overlap.
 */
export function joinWords(before: readonly HeardWord[], after: readonly HeardWord[], overlap: Span): HeardWord[] {
  const { length, a, b } = longestRun(before, after, toleranceMs);
  const half = Math.ceil(length / 2);
  if (length > 0) return [...before.slice(0, a + half), ...after.slice(b + half)];
  const cutMs = (overlap.fromMs + overlap.toMs) / 2;
  return [...before.filter((word) => middleMs(word) < cutMs), ...after.filter((word) => middleMs(word) >= cutMs)];
}

/** Fixes small differences between the times of two windows: no word starts after the next one. */
export function inOrder(words: readonly HeardWord[]): HeardWord[] {
  let nextMs = Number.POSITIVE_INFINITY;
  return words
    .toReversed()
    .map((word) => {
      nextMs = Math.min(nextMs, word.startMs);
      return { ...word, startMs: nextMs };
    })
    .reverse();
}

/** Fills a hole in a window's words with `found`, the words of a retry on the hole and its surroundings (`around`). */
export function fillHole(
  words: readonly HeardWord[],
  hole: Span,
  around: Span,
  found: readonly HeardWord[],
): HeardWord[] {
  const same = longestRun(words, found, wrongTimesMs);
  // The words were there, but with wrong times.
  if (same.length >= sameWords && same.apartMs > toleranceMs)
    return [
      ...words.slice(0, same.a),
      ...found.slice(same.b, same.b + same.length),
      ...words.slice(same.a + same.length),
    ];
  // A word that reaches into the hole was stretched over it; the retry has it too.
  const before = words.filter(({ startMs, endMs }) => startMs < hole.fromMs && endMs <= hole.fromMs + 200);
  const after = words.filter(({ startMs }) => startMs >= hole.fromMs);
  const head = joinWords(before, found, { fromMs: around.fromMs, toMs: hole.fromMs });
  return joinWords(head, after, { fromMs: hole.toMs, toMs: around.toMs });
}
