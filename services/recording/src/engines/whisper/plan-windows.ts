import type { Span } from '../../speech-detector/speech-spans.ts';

/** What the model hears at once: pieces of the recording, one after another. */
export interface SpeechWindow {
  pieces: Span[];
  durationMs: number;
}

/** Whisper hears 30 s at a time; what is shorter costs the same, so that windows are filled. */
const longestWindowMs = 28_000;
/** Longer pauses are cut out. */
const longestPauseMs = 1000;

/**
 * Packs speech into as few windows as it takes, all about as long, cut where the speaker pauses: the first words of a
 * long answer come soon, and no window is wasted on silence.
 */
export function planWindows(spans: readonly Span[]): SpeechWindow[] {
  const pieces = withShortPauses(spans).flatMap(splitLong);
  const totalMs = pieces.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
  const targetMs = totalMs / Math.max(1, Math.ceil(totalMs / longestWindowMs));
  const windows: SpeechWindow[] = [];
  let current: SpeechWindow | undefined;
  for (const piece of pieces) {
    const pieceMs = piece.toMs - piece.fromMs;
    const isFull = current && (current.durationMs + pieceMs > longestWindowMs || current.durationMs >= targetMs);
    if (!current || isFull) {
      current = { pieces: [], durationMs: 0 };
      windows.push(current);
    }
    const last = current.pieces.at(-1);
    if (last && last.toMs === piece.fromMs) last.toMs = piece.toMs;
    else current.pieces.push({ ...piece });
    current.durationMs += pieceMs;
  }
  return windows;
}

/** Speech with its short pauses: each span reaches to the next where there is no long pause between them. */
const withShortPauses = (spans: readonly Span[]): Span[] =>
  spans.map(({ fromMs, toMs }, at) => {
    const next = spans[at + 1];
    return { fromMs, toMs: next && next.fromMs - toMs <= longestPauseMs ? next.fromMs : toMs };
  });

/** Equal parts that fit a window, of someone who speaks without a pause for longer than one. */
function splitLong({ fromMs, toMs }: Span): Span[] {
  const parts = Math.ceil((toMs - fromMs) / longestWindowMs);
  const partMs = (toMs - fromMs) / parts;
  return Array.from({ length: parts }, (_, at) => ({
    fromMs: Math.round(fromMs + at * partMs),
    toMs: at === parts - 1 ? toMs : Math.round(fromMs + (at + 1) * partMs),
  }));
}

/** The time in the recording of a moment in a window. A moment beyond its end is the end of its last piece. */
export function recordingMs({ pieces }: SpeechWindow, windowMs: number): number {
  let leftMs = windowMs;
  for (const { fromMs, toMs } of pieces) {
    if (leftMs < toMs - fromMs) return fromMs + Math.max(0, leftMs);
    leftMs -= toMs - fromMs;
  }
  return pieces.at(-1)?.toMs ?? 0;
}
