import { type AskingSession, parentQuestionOf } from '@interview-prep/contracts/recording/asked-questions';

type FollowingSession = Pick<AskingSession, 'followUps'>;

/** The display name of a session's question: 'Question 2', or 'Question 2, follow-up'. */
export function questionName(session: FollowingSession, questionId: number): string {
  const parent = parentQuestionOf(session, questionId);
  return parent === undefined ? `Question ${questionId + 1}` : `Question ${parent + 1}, follow-up`;
}

/** Sorts by question, with each follow-up after its question. */
export function byQuestion(session: FollowingSession) {
  const placeOf = (questionId: number) => {
    const parent = parentQuestionOf(session, questionId);
    return parent === undefined ? questionId : parent + 0.5;
  };
  return (a: { questionId: number }, b: { questionId: number }): number =>
    placeOf(a.questionId) - placeOf(b.questionId);
}
