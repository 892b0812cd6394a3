import { type DeletionTarget, deletionId } from '@interview-prep/contracts/recording/deletions';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import type { Logger } from '@interview-prep/kit/process/logger';
import { repeat } from '@interview-prep/kit/process/repeat';
import type { JobProducer } from '@interview-prep/kit/redis/job-queues';
import { bumpRevision, createOutbox, type Outbox } from '@interview-prep/kit/redis/outbox';
import type { Redis } from 'ioredis';
import { trusted } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import { mediaPrefix } from './delete-media.ts';
import type { Deletion } from './model.ts';

interface EraseDeps {
  models: RecordingModels;
  store: ObjectStore;
  jobs: JobProducer;
}

const stageQueues = ['media', 'transcription', 'assessment'] as const;

/** How often the log is checked for due deletions. */
const sweepMs = 15_000;
/** Everything is deleted a second time after this: an upload or a stage may have been in progress the first time. */
const secondPassMs = 40_000;

/** The owner of an upload. `sha256` is the hash of its bytes. */
interface UploadOwner {
  sessionId: string;
  questionId: number;
  sha256: string;
  userId: string;
}

/** Deletes recorded data. The deletion log in MongoDB is the source of truth; a sweeper carries out due deletions. */
export interface Deletions {
  /** Logs the deletions, publishes them to history, and deletes immediately. The sweeper retries failures. */
  request(...targets: DeletionTarget[]): Promise<void>;
  /** Whether an upload belongs to a deleted answer, session or user. */
  includes(upload: UploadOwner): Promise<boolean>;
  /** Deletes data that a late upload has just written. */
  repeat(upload: UploadOwner): Promise<void>;
  stop(): Promise<void>;
}

interface DeletionDeps extends EraseDeps {
  redis: Redis;
  prefix: string;
  log: Logger;
  /** Whether this process carries out due deletions. */
  sweeps: boolean;
}

export function openDeletions(deps: DeletionDeps): Deletions {
  const { models, jobs, redis, prefix, log, sweeps } = deps;
  const outbox: Outbox<Deletion> = createOutbox<Deletion>({
    name: 'deletions',
    model: models.deletions,
    emit: ({ target, revision }) => jobs.add('history', 'deleted', { target, revision }),
    redis,
    prefix,
    log,
    ...(sweeps ? {} : { sweepMs: null }),
  });

  const carryOut = async ({ _id, target, passes }: Deletion) => {
    for (const sessionId of await eraseTarget(target, deps)) await request({ kind: 'session', sessionId });
    const next =
      passes === 0
        ? { $set: { passes: 1, nextPassAt: new Date(Date.now() + secondPassMs) } }
        : { $inc: { passes: 1 }, $unset: { nextPassAt: 1 } };
    await models.deletions.updateOne({ _id, passes }, next);
  };
  const carryOutOrLeave = (deletion: Deletion) =>
    carryOut(deletion).catch((error: unknown) =>
      log.warn({ err: error, deletion: deletion._id }, 'could not carry out a deletion yet; it will be retried'),
    );

  const request: Deletions['request'] = async (...targets) => {
    const now = new Date();
    const logged = targets.map((target) => ({ _id: deletionId(target), target, requestedAt: now, nextPassAt: now }));
    // Log all of them in one write, so that a crash can't lose some.
    await models.deletions.insertMany(logged, { ordered: false }).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
    });
    for (const { _id } of logged) {
      const deletion = await models.deletions.findById(_id).orFail();
      if (deletion.unpublished) await outbox.publish(deletion);
      if (deletion.nextPassAt && deletion.passes === 0) await carryOutOrLeave(deletion);
    }
  };

  const sweep = async () => {
    const due = { nextPassAt: trusted({ $lte: new Date() }) };
    for await (const deletion of models.deletions.find(due).sort({ nextPassAt: 1 }).cursor())
      await carryOutOrLeave(deletion);
  };
  const logFailure = (error: unknown) =>
    log.warn({ err: error }, 'the sweep of pending deletions failed; it will be retried');
  const stopSweeping = sweeps ? repeat(sweepMs, sweep, logFailure) : null;

  const matching = ({ sessionId, questionId, sha256, userId }: UploadOwner): Record<string, unknown> => ({
    $or: [
      { _id: trusted({ $in: [deletionId({ kind: 'session', sessionId }), deletionId({ kind: 'user', userId })] }) },
      { 'target.sessionId': sessionId, 'target.questionId': questionId, 'target.sha256': sha256 },
    ],
  });
  return {
    request,
    includes: async (upload) => (await models.deletions.exists(matching(upload))) !== null,
    async repeat(upload) {
      await models.deletions.updateMany(matching(upload), { $set: { passes: 0, nextPassAt: new Date() } });
      for (const deletion of await models.deletions.find(matching(upload))) await carryOutOrLeave(deletion);
    },
    async stop() {
      await stopSweeping?.();
      await outbox.stop();
    },
  };
}

/**
 * Erases the text of the follow-up question to a deleted answer, since it reveals what the answer missed, and publishes the session
 * with the remaining answers. The question keeps its index, which identifies answers.
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

/** Removes recordings and their queued jobs. A job already in progress finds no recording, and ends. */
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
 * Deletes the media, recordings and jobs of a target. Idempotent.
 * @returns the further sessions to delete, if the target is a user
 */
export async function eraseTarget(target: DeletionTarget, deps: EraseDeps): Promise<string[]> {
  const { models, store } = deps;
  if (target.kind === 'user') {
    const sessions = await models.sessions.find({ userId: target.userId }, 'sessionId').lean();
    return sessions.map(({ sessionId }) => sessionId);
  }
  const { sessionId } = target;
  // Delete the media last: a recording whose media is gone would fail.
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
