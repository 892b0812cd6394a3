import { derivePoints } from '@interview-prep/contracts/catalog/derive-points';
import type { ExpertPoint } from '@interview-prep/contracts/catalog/expert-points';
import { questionKey } from '@interview-prep/contracts/text/question-text';
import type { Model } from 'mongoose';
import type { Session } from '../sessions/model.ts';
import type { SetCopy } from './model.ts';

interface ExpertAnswer {
  text: string;
  points: ExpertPoint[];
}

/**
 * The expert answer to a session's question: the session's own; else one added to its set since; else that of
 * a practice set with the same question. Undefined if there is none.
 */
export async function findExpertAnswer(
  session: Pick<Session, 'setId' | 'questions' | 'expertAnswers' | 'expertPoints'>,
  questionId: number,
  sets: Model<SetCopy>,
): Promise<ExpertAnswer | undefined> {
  const own = expertAnswerOf(session, questionId);
  if (own) return own;
  const key = questionKey(session.questions[questionId] ?? '');
  if (key === '') return undefined;
  const candidates = await sets
    .find({ questionKeys: key, $or: [{ _id: session.setId }, { kind: 'practice', deletedAt: null }] })
    // The session's own set first, then a stable order.
    .sort({ kind: 1, _id: 1 })
    .limit(20)
    .lean<SetCopy[]>();
  return candidates.map((set) => expertAnswerOf(set, set.questionKeys.indexOf(key))).find(Boolean);
}

function expertAnswerOf(
  { expertAnswers, expertPoints }: Pick<SetCopy, 'expertAnswers' | 'expertPoints'>,
  index: number,
): ExpertAnswer | undefined {
  const text = expertAnswers[index]?.trim();
  if (!text) return undefined;
  const points = expertPoints?.[index] ?? [];
  return { text, points: points.length > 0 ? points : derivePoints(text) };
}
