import type { SoundProblem, SoundQuality } from '@interview-prep/contracts/recording/delivery';
import type { Clarity } from '../media/measure-clarity.ts';

/** Thresholds for one measure of the sound; larger is worse. */
interface SoundRule {
  problem: SoundProblem;
  measure: (clarity: Clarity) => number;
  /** From this value on, the candidate gets advice. */
  adviseFrom: number;
  /** From this value on, the answer is not judged. */
  refuseFrom: number;
  /** The measured value and the limit, in words. */
  reason: (clarity: Clarity) => string;
}

const decibels = (level: number) => `${String(Math.round(level)).replace('-', '−')} dB`;

/** Measured by making clips quieter, noisier and louder until Whisper no longer understood them. */
const soundRules: readonly SoundRule[] = [
  {
    problem: 'quiet',
    measure: ({ speechDb }) => -speechDb,
    adviseFrom: 45,
    refuseFrom: 60,
    reason: ({ speechDb }) => `the voice is at ${decibels(speechDb)}, and at least −60 dB is needed`,
  },
  {
    problem: 'noisy',
    measure: ({ speechDb, noiseDb }) => noiseDb - speechDb,
    adviseFrom: -10,
    refuseFrom: -4.5,
    reason: ({ speechDb, noiseDb }) =>
      `the voice at ${decibels(speechDb)} hardly stands out from the noise at ${decibels(noiseDb)}`,
  },
  {
    problem: 'clipped',
    measure: ({ clippedShare }) => clippedShare,
    adviseFrom: 0.02,
    refuseFrom: 0.8,
    reason: ({ clippedShare }) => `${Math.round(clippedShare * 100)}% of the speech is clipped because it was too loud`,
  },
];

/** Rates the sound of an answer, by its worst problem. */
export function judgeSound(clarity: Clarity): SoundQuality {
  const refused = soundRules.find(({ measure, refuseFrom }) => measure(clarity) >= refuseFrom);
  const advised = soundRules.find(({ measure, adviseFrom }) => measure(clarity) >= adviseFrom);
  return { ...clarity, problem: (refused ?? advised)?.problem ?? null, tooPoor: refused !== undefined };
}

/** Why the sound is too poor to judge the answer; null if it is good enough. */
export function poorSoundReason(clarity: Clarity): string | null {
  const refused = soundRules.find(({ measure, refuseFrom }) => measure(clarity) >= refuseFrom);
  return refused ? `We could not hear this well enough: ${refused.reason(clarity)}.` : null;
}
