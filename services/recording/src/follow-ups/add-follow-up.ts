import type { ExpertPoint } from '@interview-prep/contracts/catalog/expert-points';
import { followUpsMax } from '@interview-prep/contracts/recording/asked-questions';
import type { Types } from 'mongoose';
import type { RecordingModels } from '../models.ts';

/** A follow-up question that has not been added to its session yet, with its expert answer. */
export interface NewFollowUp {
  parentQuestionId: number;
  question: string;
  expertAnswer: string;
  points: ExpertPoint[];
}

/**
 * Adds a follow-up question to the end of its session. Does nothing if its parent already has one, or the session
 * is deleted or at its limit. Idempotent; answers judged concurrently share the limit.
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
      // Sessions from older releases may lack some: pad the list to the number of questions.
      expertAnswers: questions.map((_, index) => expertAnswers[index] ?? '').concat(expertAnswer),
      expertPoints: [...questions.map((_, index) => expertPoints[index] ?? []), points],
      followUps: [...followUps, { questionId, parentQuestionId }],
    };
    // Fails if another worker has added one since.
    const { matchedCount } = await sessions.updateOne({ _id: session, revision }, { $set, $inc: { revision: 1 } });
    if (matchedCount === 1) return;
  }
}
