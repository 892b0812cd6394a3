import type { ExpertPoint } from '@interview-prep/contracts/catalog/expert-points';
import { followUpsMax } from '@interview-prep/contracts/recording/asked-questions';
import type { Types } from 'mongoose';
import type { RecordingModels } from '../models.ts';

/** A follow-up question that is not in its session yet, with the expert answer that its answer is compared with. */
export interface NewFollowUp {
  parentQuestionId: number;
  question: string;
  expertAnswer: string;
  points: ExpertPoint[];
}

/**
 * Adds a follow-up question to its session, after the existing questions. Does nothing if its parent has one, or the session
 * has as many as it may or is deleted: doing it twice is harmless, and answers judged at the same time share the limit.
 */
export async function addFollowUp(
  session: Types.ObjectId,
  { parentQuestionId, question, expertAnswer, points }: NewFollowUp,
  { sessions }: Pick<RecordingModels, 'sessions'>,
): Promise<void> {
  for (;;) {
    const current = await sessions.findById(session);
    if (!current) return;
    const { questions, expertAnswers, expertPoints = [], followUps = [], revision } = current.toObject();
    const isKnown = followUps.some((one) => one.parentQuestionId === parentQuestionId);
    if (isKnown || followUps.length >= followUpsMax) return;
    const questionId = questions.length;
    const $set = {
      questions: [...questions, question],
      // Sessions of older releases may lack some: a list must be as long as that of the questions.
      expertAnswers: questions.map((_, index) => expertAnswers[index] ?? '').concat(expertAnswer),
      expertPoints: [...questions.map((_, index) => expertPoints[index] ?? []), points],
      followUps: [...followUps, { questionId, parentQuestionId }],
    };
    // Another worker may have added one since.
    const { matchedCount } = await sessions.updateOne({ _id: session, revision }, { $set, $inc: { revision: 1 } });
    if (matchedCount === 1) return;
  }
}
