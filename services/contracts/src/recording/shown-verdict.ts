/** The displayed verdict, derived from the API's fields `isCorrect` and `correctnessPercentage`. */
export type ShownVerdict = 'correct' | 'partly' | 'incorrect';

/** Minimum percentage for a correct answer; an answer below it is worth another try. */
export const correctFromPercentage = 60;
/** Minimum percentage for a partly correct answer. */
export const partlyFromPercentage = 30;

/**
 * The displayed verdict; null if there is none. The percentage decides, as for points: covered from 0.6 of the
 * weight, partly covered from 0.3. Without a percentage `isCorrect` decides.
 */
export function shownVerdict(verdict: {
  isCorrect?: boolean | null | undefined;
  correctnessPercentage?: number | null | undefined;
}): ShownVerdict | null {
  const { isCorrect, correctnessPercentage } = verdict;
  if (typeof isCorrect !== 'boolean') return null;
  if (typeof correctnessPercentage !== 'number') return isCorrect ? 'correct' : 'incorrect';
  if (correctnessPercentage >= correctFromPercentage) return 'correct';
  return correctnessPercentage >= partlyFromPercentage ? 'partly' : 'incorrect';
}
