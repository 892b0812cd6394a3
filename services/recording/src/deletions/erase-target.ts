import type { DeletionTarget } from '@interview-prep/contracts/recording/deletions';
import type { JobProducer } from '@interview-prep/kit/redis/job-queues';
import { bumpRevision } from '@interview-prep/kit/redis/outbox';
import { trusted } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import { mediaPrefix } from './delete-media.ts';

/**
 * Erases the words of the follow-up question to a deleted answer, since they show what it missed, and publishes the session
 * with the answers that are left. The place of the question stays: answers are known by it.
 */
async function eraseFollowUp(
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

/** What erasing works with. */
export interface EraseDeps {
  models: RecordingModels;
  store: ObjectStore;
  jobs: JobProducer;
}

const stageQueues = ['media', 'transcription', 'assessment'] as const;

/** Removes recordings and their queued jobs. A job that a worker has taken finds no recording, and ends. */
async function eraseRecordings(
  filter: { sessionId: string } | { _id: string },
  { models, jobs }: EraseDeps,
): Promise<void> {
  for (const { _id, run } of await models.recordings.find(filter, 'run').lean()) {
    await Promise.all(stageQueues.map((queue) => jobs.queue(queue).remove(`${_id.toHexString()}-${run}`)));
  }
  await models.recordings.deleteMany(filter);
}

/**
 * Deletes media, recordings and jobs of a target. Doing it twice is harmless.
 * @returns the sessions that must be deleted for it: those of a user
 */
export async function eraseTarget(target: DeletionTarget, deps: EraseDeps): Promise<string[]> {
  const { models, store } = deps;
  if (target.kind === 'user') {
    const sessions = await models.sessions.find({ userId: target.userId }, 'sessionId').lean();
    return sessions.map(({ sessionId }) => sessionId);
  }
  const { sessionId } = target;
  // The media last: a recording whose media is gone would fail.
  if (target.kind === 'answer') {
    await eraseRecordings({ _id: target.recordingId }, deps);
    await models.uploads.updateMany({ recordingId: target.recordingId }, { $unset: { heard: 1 } });
    await eraseFollowUp(target, models);
    await store.removeAll(mediaPrefix(target));
    return [];
  }
  await models.shares.deleteMany({ sessionId });
  await models.uploads.deleteMany({ sessionId });
  await eraseRecordings({ sessionId }, deps);
  await models.sessions.deleteOne({ sessionId });
  await store.removeAll(`recordings/${sessionId}/`);
  return [];
}
