import { z } from 'zod';

/** What can be wrong with the sound of an answer. */
export const SoundProblem = z.enum(['quiet', 'noisy', 'clipped']);
export type SoundProblem = z.infer<typeof SoundProblem>;

/** A part of a recording. */
const stretch = { startMs: z.number().int().nonnegative(), endMs: z.number().int().nonnegative() };

/** A word or phrase that fills time. `firstWord` and `lastWord` are indexes of the transcription's words. */
export const Filler = z.object({
  /** The filler as the language's list has it, such as 'you know': fillers are counted by it. */
  kind: z.string(),
  firstWord: z.number().int().nonnegative(),
  lastWord: z.number().int().nonnegative(),
});
export type Filler = z.infer<typeof Filler>;

/** The sound of an answer. Levels are in dB below full scale: 0 is the loudest that can be recorded. */
export const SoundQuality = z.object({
  /** The level of the parts with speech. */
  speechDb: z.number(),
  /** The level of what is heard between them. */
  noiseDb: z.number(),
  /** The share of the speech that is cut off because it was too loud for the microphone, 0–1. */
  clippedShare: z.number().min(0).max(1),
  /** What to do something about; null where the sound is fine. */
  problem: SoundProblem.nullable(),
  /** Whether so little can be heard that the answer is not judged. */
  tooPoor: z.boolean(),
});
export type SoundQuality = z.infer<typeof SoundQuality>;

/**
 * How an answer was spoken. Null where it is not known: the engine gave no word times, or the language's words cannot be
 * counted.
 */
export const Delivery = z.object({
  /** From the first to the last word, long pauses included. */
  wordsPerMinute: z.number().int().nonnegative().nullable(),
  /** The same for each quarter of a minute of the answer, in order; empty for a short answer. */
  pace: z.array(z.number().int().nonnegative()),
  fillers: z.array(Filler),
  /** Whether the speech engine leaves most hesitations out of the transcript. */
  omitsFillers: z.boolean(),
  /** Silences within the answer of two seconds or more. */
  pauses: z.array(z.object(stretch)),
  /** From the start of the recording to the first word. */
  firstWordMs: z.number().int().nonnegative().nullable(),
  /** The share of the recording without speech, 0–1. */
  silenceShare: z.number().min(0).max(1),
  /** How long the recording is, and how long its set suggests; absent where the set does not. */
  length: z.object({ ms: z.number().int().nonnegative(), hintSeconds: z.number().int().positive() }).optional(),
  sound: SoundQuality,
});
export type Delivery = z.infer<typeof Delivery>;
