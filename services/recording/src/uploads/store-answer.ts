import type { TokenClaims } from '@interview-prep/contracts/users';
import type { JobProducer } from '@interview-prep/kit/job-queues';
import type { Logger } from '@interview-prep/kit/logger';
import { isDuplicateKey } from '@interview-prep/kit/mongo';
import type { Outbox } from '@interview-prep/kit/outbox';
import type { HydratedDocument } from 'mongoose';
import type { SniffedMedia } from '../media/sniff-media.ts';
import type { RecordingModels } from '../models.ts';
import type { ObjectStore } from '../object-store.ts';
import type { Recording } from '../recordings/model.ts';
import { queueStage } from '../recordings/queue-stage.ts';
import { beginSession, findSession, type UploadTarget } from '../sessions/open-session.ts';
import type { SpooledFile } from './receive-upload.ts';

/** A received answer whose content is known to be media. */
export interface Answer extends UploadTarget {
  file: SpooledFile;
  media: SniffedMedia;
  user: TokenClaims;
  requestId: string;
}

export interface StoreAnswerDeps {
  models: RecordingModels;
  store: ObjectStore;
  jobs: JobProducer;
  outbox: Outbox<Recording>;
  log: Logger;
  /** How long to wait for the copy of a set that was just created. */
  setPatienceMs: number;
}

/**
 * Keeps an answer: object, session, recording, then its first job. Each step can be done again: an upload that breaks off
 * leaves at most an object, which the next try overwrites with the same bytes.
 * @returns `created` false where the same bytes had been stored for this session and question before
 * @throws HttpError as `findSession` does, 503 where MongoDB or the object store is away
 */
export async function storeAnswer(
  answer: Answer,
  deps: StoreAnswerDeps,
): Promise<{ recording: HydratedDocument<Recording>; created: boolean }> {
  const { models, store, outbox } = deps;
  const { file, media, questionId, user } = answer;
  const found = await findSession(models, answer, user, deps.setPatienceMs);
  if (!found.isNew) {
    const same = await models.recordings.findOne({ session: found._id, questionId, sha256: file.sha256 });
    if (same) return { recording: same, created: false };
  }

  const key = `recordings/${answer.sessionId}/${questionId}-${file.sha256}.${media.extension}`;
  await store.putFile(key, file.path, file.sizeBytes, media.mediaType);
  const session = await beginSession(models, found, answer, user);
  const stored = await insertTake(models, {
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
        : { status: 'unscored', reason: 'Practice answers are not judged' },
    requestId: answer.requestId,
  });
  if (stored.created) await Promise.all([queueStage(stored.recording, deps), outbox.publish(stored.recording)]);
  return stored;
}

/** Inserts a recording as its question's next take; where the same bytes have come in meanwhile, gives that recording. */
async function insertTake(
  { recordings }: RecordingModels,
  values: Pick<Recording, 'session' | 'questionId' | 'sha256'> & Partial<Recording>,
): Promise<{ recording: HydratedDocument<Recording>; created: boolean }> {
  const { session, questionId, sha256 } = values;
  for (;;) {
    const latest = await recordings.findOne({ session, questionId }, { take: 1 }).sort({ take: -1 }).lean();
    try {
      return { recording: await recordings.create({ ...values, take: (latest?.take ?? 0) + 1 }), created: true };
    } catch (error) {
      if (!isDuplicateKey(error)) throw error;
    }
    // Either the same bytes were faster, or another answer took the number: then the next one is tried.
    const same = await recordings.findOne({ session, questionId, sha256 });
    if (same) return { recording: same, created: false };
  }
}
