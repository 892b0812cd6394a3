import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import { HttpError, notFound, unavailable } from '@interview-prep/kit/http/http-error';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import type { Logger } from '@interview-prep/kit/process/logger';
import type { JobProducer } from '@interview-prep/kit/redis/job-queues';
import type { Outbox } from '@interview-prep/kit/redis/outbox';
import { type HydratedDocument, trusted } from 'mongoose';
import { assignedOf, showAfterLastTake } from '../assignments/show-feedback.ts';
import type { Deletions } from '../deletions/deletion-log.ts';
import type { SniffedMedia } from '../media/sniff-media.ts';
import type { RecordingModels } from '../models.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import type { Recording } from '../recordings/model.ts';
import { queueStage, takeTurn } from '../recordings/queue-stage.ts';
import { beginSession, findSession, type UploadTarget } from '../sessions/open-session.ts';
import type { SpooledFile } from './receive-upload.ts';

/** A received answer whose content was verified to be media. */
export interface UploadedAnswer extends UploadTarget {
  file: SpooledFile;
  media: SniffedMedia;
  user: TokenClaims;
  requestId: string;
  /** Set if the answer came in parts. */
  uploadId?: string;
}

export interface StoreAnswerDeps {
  models: RecordingModels;
  store: ObjectStore;
  jobs: JobProducer;
  outbox: Outbox<Recording>;
  deletions: Deletions;
  log: Logger;
  /** How long to wait for recording's copy of a set that was just created or edited. */
  setPatienceMs: number;
}

/**
 * Stores an answer in this order: media, session, recording. Then publishes it and queues its first stage. A process that
 * dies halfway leaves at most the media, which the client's retry overwrites with the same bytes.
 * @returns `isNew` is false if this session and question already have a recording of the same bytes
 * @throws HttpError as `findSession` does; 404 if the answer, its session or its user was deleted; 503 while
 * MongoDB or the object store is down, or if the set may still arrive
 */
export async function storeAnswer(
  answer: UploadedAnswer,
  deps: StoreAnswerDeps,
): Promise<{ recording: HydratedDocument<Recording>; isNew: boolean }> {
  const { models, store, outbox, deletions } = deps;
  const { file, media, questionId, user } = answer;
  const upload = { sessionId: answer.sessionId, questionId, sha256: file.sha256, userId: user.sub };
  const deleted = notFound('This answer was deleted');
  if (await deletions.includes(upload)) throw deleted;
  const found = await findSessionOf(answer, user, deps);
  if (!found.isNew) {
    const same = await models.recordings.findOne({ session: found._id, questionId, sha256: file.sha256 });
    if (same) return { recording: same, isNew: false };
  }

  const key = `recordings/${answer.sessionId}/${questionId}-${file.sha256}.${media.extension}`;
  await store.putFile(key, file.path, file.sizeBytes, media.mediaType);
  const session = await beginSession(models, found, answer, user);
  const values = {
    session: session._id,
    sessionId: session.sessionId,
    userId: session.userId,
    kind: session.kind,
    questionId,
    sha256: file.sha256,
    container: media.container,
    original: { key, mediaType: media.mediaType, sizeBytes: file.sizeBytes },
    awaiting: 'media',
    run: 1,
    stage: 'media',
    stageStatus: 'pending',
    transcription: { status: 'pending', text: '', completedAt: null },
    assessment:
      session.kind === 'interview'
        ? { status: 'pending' }
        : { status: 'unscored', reason: 'Practice answers are not scored' },
    requestId: answer.requestId,
    ...(session.assignment ? { assigned: assignedOf(session.assignment) } : {}),
    ...(answer.uploadId ? { uploadId: answer.uploadId } : {}),
  } satisfies Partial<Recording>;
  // Round-robin between users, so that one with many answers doesn't hold up the others.
  const stored = await takeTurn(user.sub, 'media', models, (turn) => insertTake(models, { ...values, turn }));
  // A deletion in the meantime didn't find this recording: delete it now.
  if (await deletions.includes(upload)) {
    await deletions.repeat(upload);
    throw deleted;
  }
  if (stored.isNew) await showAfterLastTake(session, models);
  if (stored.isNew) await Promise.all([queueStage(stored.recording, deps), outbox.publish(stored.recording)]);
  return stored;
}

/** Like `findSession`, but also @throws HttpError 503 if the set may still arrive */
export function findSessionOf(target: UploadTarget, user: TokenClaims, deps: StoreAnswerDeps) {
  return findSession(deps.models, target, user, deps.setPatienceMs).catch(async (error: unknown) => {
    const isUnknown = error instanceof HttpError && error.status === 404;
    if (!isUnknown || !(await hasWaitingEvents(deps.jobs))) throw error;
    throw unavailable('This set is not ready for answers yet. Please try again.', error);
  });
}

/** Whether events from catalog are still pending: they may include an unknown set. */
async function hasWaitingEvents(jobs: JobProducer): Promise<boolean> {
  const counts = await jobs.queue('recording').getJobCounts('waiting', 'active', 'delayed', 'prioritized');
  return Object.values(counts).some((count) => count > 0);
}

/** Inserts a recording as the next take of its question, unless a concurrent upload has stored the same bytes. */
async function insertTake(
  { recordings }: RecordingModels,
  values: Pick<Recording, 'session' | 'questionId' | 'sha256'> & Partial<Recording>,
): Promise<{ recording: HydratedDocument<Recording>; isNew: boolean }> {
  const { session, questionId, sha256 } = values;
  for (;;) {
    const latest = await recordings.findOne({ session, questionId }, { take: 1 }).sort({ take: -1 }).lean();
    try {
      const recording = await recordings.create({ ...values, take: (latest?.take ?? 0) + 1 });
      if (latest && values.assigned)
        await recordings.updateMany(
          { session, questionId, take: trusted({ $lt: recording.take }) },
          { $unset: { assigned: 1 } },
        );
      return { recording, isNew: true };
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    // A concurrent upload was faster: it stored the same bytes, or another answer that took the number.
    const same = await recordings.findOne({ session, questionId, sha256 });
    if (same) return { recording: same, isNew: false };
  }
}
