import { type AskingSession, parentQuestionOf } from '@interview-prep/contracts/recording/asked-questions';

type FollowingSession = Pick<AskingSession, 'followUps'>;

/** What a session's question is called: 'Question 2', or 'Question 2, follow-up' for a follow-up question to it. */
export function questionName(session: FollowingSession, questionId: number): string {
  const parent = parentQuestionOf(session, questionId);
  return parent === undefined ? `Question ${questionId + 1}` : `Question ${parent + 1}, follow-up`;
}

/** Sorts by question, each follow-up question after the one that it belongs to. */
export function byQuestion(session: FollowingSession) {
  const placeOf = (questionId: number) => {
    const parent = parentQuestionOf(session, questionId);
    return parent === undefined ? questionId : parent + 0.5;
  };
  return (a: { questionId: number }, b: { questionId: number }): number =>
    placeOf(a.questionId) - placeOf(b.questionId);
}
