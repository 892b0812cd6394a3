import type { Model } from 'mongoose';
import type { Session } from '../sessions/model.ts';
import type { SetCopy } from './model.ts';
import { questionKey } from './question-key.ts';

/**
 * The expert answer to a session's question: the session's own; else the one that its set has been given since; else that of
 * a practice set with the same question. Undefined where there is none.
 */
export async function findExpertAnswer(
  session: Pick<Session, 'setId' | 'questions' | 'expertAnswers'>,
  questionId: number,
  sets: Model<SetCopy>,
): Promise<string | undefined> {
  const own = session.expertAnswers[questionId]?.trim();
  if (own) return own;
  const key = questionKey(session.questions[questionId] ?? '');
  if (key === '') return undefined;
  const candidates = await sets
    .find({ questionKeys: key, $or: [{ _id: session.setId }, { kind: 'practice', deletedAt: null }] })
    // The session's set first, and always the same order.
    .sort({ kind: 1, _id: 1 })
    .limit(20)
    .lean<SetCopy[]>();
  const answers = candidates.map((set) => set.expertAnswers[set.questionKeys.indexOf(key)]?.trim());
  return answers.find(Boolean);
}
