import type { Word } from '@interview-prep/contracts/recording/recordings';
import { paddingMs, type Span } from '../../speech-detector/speech-spans.ts';

/** A longer stretch of speech without words was not transcribed. */
const longestHoleMs = 2000;
/** Whisper stretches words over speech that it skipped, so longer ones are clipped to this. */
const longestWordMs = 1000;

/**
 * Stretches of a window in which there is speech for more than two seconds, but no word.
 * @param pieces the window; @param speech the recording's spans with speech
 */
export function findHoles(pieces: readonly Span[], speech: readonly Span[], words: readonly Word[]): Span[] {
  const spoken = pieces.flatMap((piece) => speech.map((span) => overlapOf(piece, withoutPadding(span)))).filter(isLong);
  const first = spoken[0];
  const last = spoken.at(-1);
  if (!first || !last) return [];
  const holes: Span[] = [];
  let fromMs = first.fromMs;
  for (const { startMs, endMs } of [...words, { startMs: last.toMs, endMs: last.toMs }]) {
    const silent = spoken.map((span) => overlapOf(span, { fromMs, toMs: startMs })).filter(isLong);
    const spokenMs = silent.reduce((sum, span) => sum + span.toMs - span.fromMs, 0);
    if (spokenMs > longestHoleMs) holes.push({ fromMs: silent[0]!.fromMs, toMs: silent.at(-1)!.toMs });
    fromMs = Math.max(fromMs, Math.min(endMs, startMs + longestWordMs));
  }
  return holes;
}

const isLong = ({ fromMs, toMs }: Span): boolean => toMs > fromMs;
const overlapOf = (a: Span, b: Span): Span => ({
  fromMs: Math.max(a.fromMs, b.fromMs),
  toMs: Math.min(a.toMs, b.toMs),
});
const withoutPadding = ({ fromMs, toMs }: Span): Span => ({ fromMs: fromMs + paddingMs, toMs: toMs - paddingMs });
