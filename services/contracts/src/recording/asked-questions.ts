import type { FollowUp } from './follow-ups.ts';

/** How many follow-up questions a session asks at most. Each of its questions has at most one. */
export const followUpsMax = 3;

/** How long the recorder waits for a follow-up question, in ms; then the interview ends without. */
export const followUpWaitMs = 6000;

/** What of a session says which questions it asks. */
export interface AskingSession {
  questions: readonly string[];
  /** Those of the set that are asked; absent where all are. */
  askedQuestions?: readonly number[] | undefined;
  followUps?: readonly FollowUp[] | undefined;
}

/** The number of questions that a session has from its set. Its follow-up questions come after them. */
export function ownQuestionCount({ questions, followUps = [] }: Omit<AskingSession, 'askedQuestions'>): number {
  return questions.length - followUps.length;
}

/**
 * The zero-based numbers of the questions that a session asked: those of its set, and each follow-up question with an answer.
 * One that was prepared too late was never asked.
 * @param answered the numbers of the questions that have an answer
 */
export function askedQuestionsOf(session: AskingSession, answered: readonly number[]): number[] {
  const { askedQuestions, followUps = [] } = session;
  const own = askedQuestions ?? [...Array(ownQuestionCount(session)).keys()];
  return [...own, ...followUps.map(({ questionId }) => questionId).filter((id) => answered.includes(id))];
}

/** The number of the question that a follow-up question belongs to; undefined for a question of the set. */
export function parentQuestionOf(
  { followUps = [] }: Pick<AskingSession, 'followUps'>,
  questionId: number,
): number | undefined {
  return followUps.find((one) => one.questionId === questionId)?.parentQuestionId;
}
