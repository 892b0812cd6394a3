import type { Span } from '../../speech-detector/speech-spans.ts';
import type { HeardWord } from './clean-words.ts';

/** How far apart the times of the same word in two windows may be. */
const toleranceMs = 1000;

const keyOf = ({ word }: HeardWord): string => word.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, '');
const middleMs = ({ startMs, endMs }: HeardWord): number => (startMs + endMs) / 2;

/**
 * Joins the words of two windows that overlap: in the middle of the longest run of words that both have at about the same
 * time, otherwise at the middle of the overlap. Words beside a cut are the least reliable ones, so the run decides.
 */
export function joinWords(before: readonly HeardWord[], after: readonly HeardWord[], overlap: Span): HeardWord[] {
  const lasts = before.findIndex((word) => word.endMs >= overlap.fromMs - toleranceMs);
  const firsts = after.findLastIndex((word) => word.startMs <= overlap.toMs + toleranceMs);
  let best = { length: 0, apartMs: 0, a: 0, b: 0 };
  for (let a = lasts < 0 ? before.length : lasts; a < before.length; a++) {
    for (let b = 0; b <= firsts; b++) {
      const apartMs = Math.abs(before[a]!.startMs - after[b]!.startMs);
      let length = 0;
      while (isSame(before[a + length], after[b + length])) length += 1;
      if (length > best.length || (length === best.length && length > 0 && apartMs < best.apartMs))
        best = { length, apartMs, a, b };
    }
  }
  if (best.length > 0) {
    const half = Math.ceil(best.length / 2);
    return [...before.slice(0, best.a + half), ...after.slice(best.b + half)];
  }
  const cutMs = (overlap.fromMs + overlap.toMs) / 2;
  return [...before.filter((word) => middleMs(word) < cutMs), ...after.filter((word) => middleMs(word) >= cutMs)];
}

function isSame(a: HeardWord | undefined, b: HeardWord | undefined): boolean {
  if (!a || !b || Math.abs(a.startMs - b.startMs) > toleranceMs) return false;
  return keyOf(a) !== '' && keyOf(a) === keyOf(b);
}
