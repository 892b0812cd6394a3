/** How a verdict is shown. The API's fields are `isCorrect` and `correctnessPercentage`; this is derived from them. */
export type ShownVerdict = 'correct' | 'partly' | 'incorrect';

/** From this percentage on an answer is shown as correct; one below it is worth another try. */
export const correctFromPercentage = 60;
/** From this percentage on an answer is shown as partly correct. */
export const partlyFromPercentage = 30;

/**
 * The verdict to show; null where there is none. The percentage decides, as it does for points: covered from 0.6 of their
 * weight on, half covered from 0.3. A verdict without a percentage is shown as its `isCorrect` says.
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
