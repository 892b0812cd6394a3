import type { SessionEntry } from '../projection/model.ts';

/** The zero-based numbers of the questions that a session asks. */
export function askedQuestionsOf({
  questions,
  askedQuestions,
}: Pick<SessionEntry, 'questions' | 'askedQuestions'>): number[] {
  return askedQuestions ?? [...questions.keys()];
}
