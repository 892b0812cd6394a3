import { bumpRevision } from '@interview-prep/kit/redis/outbox';
import { trusted } from 'mongoose';
import type { RecordingModels } from '../models.ts';

/**
 * Erases the words of the follow-up question to a deleted answer, since they show what it missed, and publishes the session
 * with the answers that are left. The place of the question stays: answers are known by it.
 */
export async function eraseFollowUp(
  { sessionId, questionId }: { sessionId: string; questionId: number },
  { sessions, recordings }: Pick<RecordingModels, 'sessions' | 'recordings'>,
): Promise<void> {
  const session = await sessions.findOne({ sessionId }, 'followUps questions').lean();
  const followUp = session?.followUps?.find(({ parentQuestionId }) => parentQuestionId === questionId);
  if (!followUp || session?.questions[followUp.questionId] === '') return;
  const place = `questions.${followUp.questionId}`;
  await sessions.updateOne(
    { sessionId, [place]: trusted({ $ne: '' }) },
    { $set: { [place]: '' }, $inc: { revision: 1 } },
  );
  await recordings.updateMany({ sessionId }, bumpRevision);
}
