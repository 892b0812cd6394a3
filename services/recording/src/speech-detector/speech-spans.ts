/** A part of a recording, in ms. */
export interface Span {
  fromMs: number;
  toMs: number;
}

/** The detector gives one probability per frame of this length. */
export const frameMs = 32;
/**
 * Speech begins at this probability, and ends once it stays below the lower one. Silero's defaults.
 */
const speechFrom = 0.5;
const silenceBelow = 0.35;
const shortestSpeechMs = 160;
const shortestPauseMs = 160;
/** Padding on each side of the speech: a word's first and last sounds are quieter than its middle. */
export const paddingMs = 240;

/** The spans of speech, from a detector's probabilities. Spans touch if the pause between them is short. */
export function speechSpans(probabilities: ArrayLike<number>): Span[] {
  const raw: Span[] = [];
  let from: number | null = null;
  let quietSince: number | null = null;
  for (let frame = 0; frame <= probabilities.length; frame++) {
    const probability = frame < probabilities.length ? probabilities[frame]! : 0;
    const atMs = frame * frameMs;
    if (probability >= speechFrom) {
      from ??= atMs;
      quietSince = null;
    } else if (from !== null && (probability < silenceBelow || quietSince !== null || frame === probabilities.length)) {
      quietSince ??= atMs;
      if (atMs - quietSince < shortestPauseMs && frame < probabilities.length) continue;
      if (quietSince - from >= shortestSpeechMs) raw.push({ fromMs: from, toMs: quietSince });
      from = null;
      quietSince = null;
    }
  }
  return padded(raw, probabilities.length * frameMs);
}

/** Pads each span on both sides; if two would overlap, they meet in the middle of the pause. */
function padded(spans: readonly Span[], endMs: number): Span[] {
  return spans.map(({ fromMs, toMs }, at) => {
    const before = spans[at - 1];
    const after = spans[at + 1];
    const earliest = before ? Math.ceil((before.toMs + fromMs) / 2) : 0;
    const latest = after ? Math.ceil((toMs + after.fromMs) / 2) : endMs;
    return { fromMs: Math.max(earliest, fromMs - paddingMs), toMs: Math.min(latest, toMs + paddingMs) };
  });
}
