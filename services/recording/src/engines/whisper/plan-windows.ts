import { levelFrameMs } from '../../media/wav-samples.ts';
import { paddingMs, type Span } from '../../speech-detector/speech-spans.ts';

/** Consecutive pieces of the recording that Whisper transcribes at once. */
export interface SpeechWindow {
  pieces: Span[];
  durationMs: number;
}

/** From this length on, a window ends at the next clear pause. */
const wantedMs = 10_000;
const shortestMs = 8000;
/** Whisper takes 30 s at a time; a margin remains for silence at the end. */
const longestMs = 25_000;
/** A clear pause is 0.6 s; each span is wider than its speech by 240 ms on both sides. */
const clearPauseMs = 120;
/** Without a detected pause, a fifth of a second of lower level counts as one; silences within words are shorter. */
const shortPauseFrames = 6;
const quietDb = 10;
/** Longer pauses are cut out. */
const longestPauseMs = 1000;
/** Speech without any gap is cut in the last 5 s of a window; the next window then starts 2 to 3 s earlier. */
const forcedCutMs = 5000;
const overlapMs = { from: 3000, to: 2000 };
/** Longer windows are cut if someone is waiting and a slot is free. */
const longestWholeMs = 12_000;
/** The longest of several even windows, without its overlaps. */
const longestEvenMs = 20_000;
/** How far a cut may be from the even end. */
const nearMs = 1000;
/** The detector's result for the end of a growing recording may still change. */
const unsettledMs = 500;

/**
 * Packs speech into windows of at most 25 s that end in silence: once they hold 10 s, at the first pause of 0.6 s or more, or
 * where the level drops for a fifth of a second; otherwise at the longest and quietest pause. Only speech without any gap is cut
 * elsewhere; then the next window starts 2 to 3 s earlier.
 *
 * The plan is prefix-stable. For a growing recording, pass its length so far as `soFarMs`: the result has only windows
 * that later sound can't change, and the plan for the whole recording begins with exactly the same windows.
 * @param levels of the recording, from `readLevels`
 */
export function planWindows(
  speech: readonly Span[],
  levels: Float32Array = new Float32Array(0),
  soFarMs?: number,
): SpeechWindow[] {
  const knownMs = soFarMs === undefined ? Number.POSITIVE_INFINITY : soFarMs - unsettledMs;
  const spans = speech
    .filter(({ fromMs }) => fromMs < knownMs)
    .map(({ fromMs, toMs }) => ({ fromMs, toMs: Math.min(toMs, knownMs) }));
  const windows: SpeechWindow[] = [];
  let first = 0;
  let startMs = spans[0]?.fromMs ?? 0;
  while (first < spans.length) {
    const window = planWindow(spans, first, startMs, levels, knownMs);
    if (!window) break;
    windows.push(window.planned);
    first = window.next;
    startMs = window.nextStartMs ?? spans[first]?.fromMs ?? 0;
  }
  return windows;
}

/**
 * Cuts the last windows of a recording, for which someone is waiting, into windows of the same length, up to one for each of
 * `slots`. They overlap by 2 to 3 s between quiet moments.
 * @returns the windows as they are if that would save no time, or exceed Whisper's maximum
 */
export function splitEvenly(windows: readonly SpeechWindow[], levels: Float32Array, slots: number): SpeechWindow[] {
  const pieces = joinPieces(windows);
  const totalMs = lengthOf(pieces);
  const count = Math.min(slots, Math.max(windows.length, Math.ceil(totalMs / longestWholeMs)));
  const eachMs = totalMs / count;
  const savesTime = Math.max(...windows.map(({ durationMs }) => durationMs)) > eachMs + overlapMs.from;
  if (windows.length > slots || eachMs > longestEvenMs || !savesTime) return [...windows];
  const endMs = pieces.at(-1)?.toMs ?? 0;
  const even: SpeechWindow[] = [];
  let startMs = 0;
  for (let index = 1; index <= count; index++) {
    // Half of the overlap lies before the even end, half after it.
    const aroundMs = recordingMs({ pieces }, eachMs * index) + (overlapMs.from + overlapMs.to) / 4;
    const cutMs = index === count ? endMs : quietestMs(levels, aroundMs - nearMs, aroundMs + nearMs);
    const cut = pieces
      .map(({ fromMs, toMs }) => ({ fromMs: Math.max(fromMs, startMs), toMs: Math.min(toMs, cutMs) }))
      .filter(({ fromMs, toMs }) => fromMs < toMs);
    even.push({ pieces: cut, durationMs: lengthOf(cut) });
    startMs = quietestMs(levels, cutMs - overlapMs.from, cutMs - overlapMs.to);
  }
  return even;
}

/** The pieces of consecutive windows, without their overlaps. */
function joinPieces(windows: readonly SpeechWindow[]): Span[] {
  const joined: Span[] = [];
  for (const { fromMs, toMs } of windows.flatMap(({ pieces }) => pieces))
    addPiece(joined, { fromMs: Math.max(fromMs, joined.at(-1)?.toMs ?? 0), toMs });
  return joined;
}

interface NextWindow {
  planned: SpeechWindow;
  /** The index of the next window's first span, and its start time if it doesn't start with the span. */
  next: number;
  nextStartMs?: number;
}

/** The window that starts in a span; null if it depends on later sound. */
function planWindow(
  spans: readonly Span[],
  first: number,
  startMs: number,
  levels: Float32Array,
  knownMs: number,
): NextWindow | null {
  const pieces: Span[] = [];
  let durationMs = 0;
  let best: (NextWindow & { score: number }) | undefined;
  for (let at = first; at < spans.length; at++) {
    const { toMs } = spans[at]!;
    const fromMs = Math.max(spans[at]!.fromMs, startMs);
    const isLast = at + 1 === spans.length;
    const nextFromMs = spans[at + 1]?.fromMs ?? knownMs;
    const pauseMs = nextFromMs - toMs;
    const fullMs = fromMs + longestMs - durationMs;
    // The silence at the end of a span is kept only if more speech follows soon.
    const speechEndMs = isLast || pauseMs >= clearPauseMs ? toMs - paddingMs : toMs;
    const latestMs = fullMs < toMs ? fullMs : speechEndMs;
    const cutMs = shortPauseMs(levels, startMs, fromMs + Math.max(0, wantedMs - durationMs), latestMs);
    if (cutMs !== null) {
      addPiece(pieces, { fromMs, toMs: cutMs });
      return { planned: { pieces, durationMs: durationMs + cutMs - fromMs }, next: at, nextStartMs: cutMs };
    }
    if (durationMs + toMs - fromMs > longestMs) return best ?? forcedCut(pieces, { fromMs, toMs }, at, levels);
    addPiece(pieces, { fromMs, toMs });
    durationMs += toMs - fromMs;
    const planned = { pieces: pieces.map((piece) => ({ ...piece })), durationMs };
    if (isLast && knownMs === Number.POSITIVE_INFINITY) return { planned, next: at + 1 };
    if (durationMs >= wantedMs && pauseMs >= clearPauseMs) return { planned, next: at + 1 };
    if (isLast) return null;
    // A pause lowers the score by up to 30 dB, and a late one by slightly more.
    const score = meanLevel(levels, toMs - 80, nextFromMs + 80) - Math.min(pauseMs, 600) / 20 - durationMs / 5000;
    if (durationMs >= shortestMs && score <= (best?.score ?? Number.POSITIVE_INFINITY))
      best = { planned, next: at + 1, score };
    if (pauseMs <= longestPauseMs) {
      addPiece(pieces, { fromMs: toMs, toMs: nextFromMs });
      durationMs += pauseMs;
    }
  }
  return null;
}

/** Cuts a span without gaps at its quietest moment, so that the window is nearly full. */
function forcedCut(pieces: Span[], { fromMs, toMs }: Span, at: number, levels: Float32Array): NextWindow {
  const packedMs = lengthOf(pieces);
  const latestMs = fromMs + longestMs - packedMs;
  const cutMs = quietestMs(levels, Math.max(fromMs, latestMs - forcedCutMs), Math.min(latestMs, toMs));
  addPiece(pieces, { fromMs, toMs: cutMs });
  const earliestMs = Math.max(fromMs, cutMs - overlapMs.from);
  const nextStartMs = quietestMs(levels, earliestMs, Math.max(earliestMs, cutMs - overlapMs.to));
  return { planned: { pieces, durationMs: lengthOf(pieces) }, next: at, nextStartMs };
}

/** The middle of the first short pause; null if there is none. @param startMs the start of the window */
function shortPauseMs(levels: Float32Array, startMs: number, fromMs: number, toMs: number): number | null {
  const quietLevel = meanLevel(levels, startMs, fromMs) - quietDb;
  let frames = 0;
  for (let at = Math.ceil(fromMs / levelFrameMs); (at + 1) * levelFrameMs <= toMs; at++) {
    frames = levels[at]! <= quietLevel ? frames + 1 : 0;
    if (frames === shortPauseFrames) return (at + 1 - frames / 2) * levelFrameMs;
  }
  return null;
}

function addPiece(pieces: Span[], { fromMs, toMs }: Span): void {
  const last = pieces.at(-1);
  if (last?.toMs === fromMs) last.toMs = toMs;
  else if (toMs > fromMs) pieces.push({ fromMs, toMs });
}

/** The total length of pieces, in ms. */
export function lengthOf(pieces: readonly Span[]): number {
  return pieces.reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
}

/** The mean level of a stretch; 0 if unknown. */
function meanLevel(levels: Float32Array, fromMs: number, toMs: number): number {
  const frames = levels.subarray(Math.max(0, Math.floor(fromMs / levelFrameMs)), Math.ceil(toMs / levelFrameMs));
  return frames.reduce((sum, level) => sum + level, 0) / Math.max(1, frames.length);
}

/** The quietest moment, by the 160 ms around it; the last one on a tie. */
function quietestMs(levels: Float32Array, fromMs: number, toMs: number): number {
  let quietest = { atMs: toMs, level: meanLevel(levels, toMs - 80, toMs + 80) };
  for (let atMs = toMs - levelFrameMs; atMs >= fromMs; atMs -= levelFrameMs) {
    const level = meanLevel(levels, atMs - 80, atMs + 80);
    if (level < quietest.level) quietest = { atMs, level };
  }
  return quietest.atMs;
}

/** Converts a time in a window to a time in the recording, clamped to the end of the last piece. */
export function recordingMs({ pieces }: Pick<SpeechWindow, 'pieces'>, windowMs: number): number {
  let leftMs = windowMs;
  for (const { fromMs, toMs } of pieces) {
    if (leftMs < toMs - fromMs) return fromMs + Math.max(0, leftMs);
    leftMs -= toMs - fromMs;
  }
  return pieces.at(-1)?.toMs ?? 0;
}
