import { ownQuestionCount } from '@interview-prep/contracts/asked-questions';
import { skipToken } from '@reduxjs/toolkit/query';
import { useLastTakenQuery } from '../../../lib/api/progress-api.ts';
import { useListInterviewSetsQuery, useListPracticeSetsQuery } from '../../../lib/api/sets-api.ts';
import { type NextStep, nextStep } from '../../../lib/next-step/next-step.ts';
import type { QuestionOutcome } from '../../../lib/next-step/session-score.ts';
import { selectUser } from '../../../lib/state/sign-in-slice.ts';
import { useAppSelector } from '../../../lib/state/state-hooks.ts';
import type { SessionDetail } from '../session-types.ts';

/** The next step after a user's own interview; null while answers are pending or sets are loading. */
export function useNextStep(
  detail: SessionDetail,
  outcomes: readonly QuestionOutcome[],
  own: boolean,
): NextStep | null {
  const user = useAppSelector(selectUser);
  const sets = useListInterviewSetsQuery(own ? undefined : skipToken);
  const practiceSets = useListPracticeSetsQuery(own ? undefined : skipToken);
  const taken = useLastTakenQuery(own && user ? { userId: user.id, email: user.email } : skipToken);
  // What cannot be loaded is not offered; the rest of the summary does not depend on it.
  const settled = [sets, practiceSets, taken].every(({ isSuccess, isError }) => isSuccess || isError);
  if (!own || !settled) return null;
  const choices = { sets: sets.data ?? [], practiceSets: practiceSets.data ?? [], taken: taken.data ?? {} };
  // A follow-up question is asked once: what to do next is about the questions of the set.
  const session = { ...detail, questions: detail.questions.slice(0, ownQuestionCount(detail)) };
  const ofSet = outcomes.filter(({ questionId }) => questionId < session.questions.length);
  return nextStep(session, ofSet, choices);
}
