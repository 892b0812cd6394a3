import type { LatestInterview } from '@interview-prep/contracts/history/progress';

export interface QuestionOutcome {
  /** Zero-based. */
  questionId: number;
  state: LatestInterview['outcomes'][number]['state'];
  /** 0–100; null without a verdict. */
  percentage: number | null;
  /** Why there is no verdict, or why the answer scored zero; '' or absent otherwise. */
  reason?: string;
}

/** `average` is 0–100 over the judged answers; null without any. */
export interface SessionScore {
  average: number | null;
  asked: number;
  judged: number;
  pending: number;
  unanswered: number;
  unjudged: number;
}

export function sessionScore(outcomes: readonly QuestionOutcome[]): SessionScore {
  const percentages = outcomes.flatMap(({ percentage }) => (percentage === null ? [] : [percentage]));
  const count = (state: QuestionOutcome['state']) => outcomes.filter((outcome) => outcome.state === state).length;
  const [pending, unanswered, unjudged] = [count('pending'), count('unanswered'), count('unjudged')];
  return {
    average:
      percentages.length > 0 ? Math.round(percentages.reduce((sum, each) => sum + each, 0) / percentages.length) : null,
    asked: outcomes.length,
    judged: outcomes.length - pending - unanswered - unjudged,
    pending,
    unanswered,
    unjudged,
  };
}
