import { z } from 'zod';

/** Audio quality problems. */
export const SoundProblem = z.enum(['quiet', 'noisy', 'clipped']);
export type SoundProblem = z.infer<typeof SoundProblem>;

/** A time range of a recording. */
const stretch = { startMs: z.number().int().nonnegative(), endMs: z.number().int().nonnegative() };

/** A filler word or phrase. `firstWord` and `lastWord` are indexes into the transcription's words. */
export const Filler = z.object({
  /** The filler's canonical form, such as 'you know': fillers are counted by it. */
  kind: z.string(),
  firstWord: z.number().int().nonnegative(),
  lastWord: z.number().int().nonnegative(),
});
export type Filler = z.infer<typeof Filler>;

/** Audio quality of an answer. Levels are in dBFS: 0 is full scale. */
export const SoundQuality = z.object({
  /** The level of the speech. */
  speechDb: z.number(),
  /** The level between the speech. */
  noiseDb: z.number(),
  /** The share of clipped speech, 0–1: too loud for the microphone. */
  clippedShare: z.number().min(0).max(1),
  /** The problem to fix; null if the audio is fine. */
  problem: SoundProblem.nullable(),
  /** Whether the speech is too quiet to be judged. */
  tooPoor: z.boolean(),
});
export type SoundQuality = z.infer<typeof SoundQuality>;

/**
 * Delivery metrics of an answer. Null if unknown: the engine reported no word times, or the language's words can't be
 * counted.
 */
export const Delivery = z.object({
  /** From the first to the last word, long pauses included. */
  wordsPerMinute: z.number().int().nonnegative().nullable(),
  /** The pace in each 15 seconds of the answer, in order; empty for a short answer. */
  pace: z.array(z.number().int().nonnegative()),
  fillers: z.array(Filler),
  /** Whether the speech engine omits most hesitations from the transcript. */
  omitsFillers: z.boolean(),
  /** Pauses of two seconds or more. */
  pauses: z.array(z.object(stretch)),
  /** From the start of the recording to the first word. */
  firstWordMs: z.number().int().nonnegative().nullable(),
  /** The share of the recording without speech, 0–1. */
  silenceShare: z.number().min(0).max(1),
  /** The recording's length and the suggested length; the latter is absent if the set has none. */
  length: z.object({ ms: z.number().int().nonnegative(), hintSeconds: z.number().int().positive() }).optional(),
  sound: SoundQuality,
});
export type Delivery = z.infer<typeof Delivery>;
