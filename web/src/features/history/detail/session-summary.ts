import type { SessionDetail } from '../session-types.ts';

/** A session in numbers. `average` is 0–100 over the scored answers, null if there are none. */
export interface SessionSummary {
  average: number | null;
  answered: number;
  questions: number;
  judged: number;
  correct: number;
}

/** Sums up a session from its recordings. */
export function sessionSummary({
  questions,
  recordings,
}: Pick<SessionDetail, 'questions' | 'recordings'>): SessionSummary {
  const percentages = recordings
    .map((recording) => recording.correctnessPercentage ?? null)
    .filter((each) => each !== null);
  const sum = percentages.reduce((total, each) => total + each, 0);
  return {
    average: percentages.length > 0 ? Math.round(sum / percentages.length) : null,
    answered: new Set(recordings.map(({ questionId }) => questionId)).size,
    questions: questions.length,
    judged: recordings.filter(({ isCorrect }) => typeof isCorrect === 'boolean').length,
    correct: recordings.filter(({ isCorrect }) => isCorrect === true).length,
  };
}
