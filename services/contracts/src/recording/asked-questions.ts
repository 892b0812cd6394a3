import type { FollowUp } from './follow-ups.ts';

/** Maximum number of follow-up questions per session. Each question has at most one. */
export const followUpsMax = 3;

/** How long the recorder waits for a follow-up question, in ms; then the interview ends without one. */
export const followUpWaitMs = 6000;

/** The fields of a session that determine which questions it asks. */
export interface AskingSession {
  questions: readonly string[];
  /** The set's questions that are asked; absent for all. */
  askedQuestions?: readonly number[] | undefined;
  followUps?: readonly FollowUp[] | undefined;
}

/** The number of questions that a session has from its set. Follow-up questions come after these. */
export function ownQuestionCount({ questions, followUps = [] }: Omit<AskingSession, 'askedQuestions'>): number {
  return questions.length - followUps.length;
}

/**
 * The zero-based indexes of the questions that a session asked: those of its set, and each follow-up question with an answer.
 * Follow-up questions that were ready too late were never asked.
 * @param answered the indexes of the questions that have an answer
 */
export function askedQuestionsOf(session: AskingSession, answered: readonly number[]): number[] {
  const { askedQuestions, followUps = [] } = session;
  const own = askedQuestions ?? [...Array(ownQuestionCount(session)).keys()];
  return [...own, ...followUps.map(({ questionId }) => questionId).filter((id) => answered.includes(id))];
}

/** The index of the question that a follow-up question belongs to; undefined for a question of the set. */
export function parentQuestionOf(
  { followUps = [] }: Pick<AskingSession, 'followUps'>,
  questionId: number,
): number | undefined {
  return followUps.find((one) => one.questionId === questionId)?.parentQuestionId;
}
