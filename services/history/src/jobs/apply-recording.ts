import type { RecordingSnapshot, SessionSnapshot } from '@interview-prep/contracts/snapshots';
import { isDuplicateKey } from '@interview-prep/kit/mongo';
import { Types, trusted } from 'mongoose';
import { countSession } from '../sessions/count-session.ts';
import { type HistoryModels, listOf } from '../sessions/model.ts';

/**
 * Takes over what recording tells of a session and one of its recordings, each where its revision is newer than what is
 * here; then brings the session's counts up to date. Doubled and reordered events change nothing.
 * @returns whether the recording now stands as told, and not as something newer told before
 */
export async function applyRecording(
  { session, recording }: { session: SessionSnapshot; recording: RecordingSnapshot },
  models: HistoryModels,
): Promise<boolean> {
  await upsertNewer(models, session);
  await upsertNewerRecording(models, session.entryId, recording);
  await countSession(session.entryId, models);
  const { recordingId, revision } = recording;
  return (await models.recordings.exists({ _id: new Types.ObjectId(recordingId), revision })) !== null;
}

async function upsertNewer({ sessions }: HistoryModels, snapshot: SessionSnapshot): Promise<void> {
  const { entryId, user, createdAt, ...head } = snapshot;
  await whereNewer(() =>
    sessions.updateOne(
      { _id: new Types.ObjectId(entryId), revision: trusted({ $lt: snapshot.revision }) },
      {
        $set: {
          ...head,
          listedAs: listOf(snapshot),
          user: { ...user, lastLogin: user.lastLogin ? new Date(user.lastLogin) : null },
          createdAt: new Date(createdAt),
          totalled: false,
        },
      },
      { upsert: true },
    ),
  );
}

async function upsertNewerRecording({ recordings }: HistoryModels, entryId: string, snapshot: RecordingSnapshot) {
  const { recordingId, questionId, take, revision } = snapshot;
  await whereNewer(() =>
    recordings.updateOne(
      { _id: new Types.ObjectId(recordingId), revision: trusted({ $lt: revision }) },
      { $set: { entryId: new Types.ObjectId(entryId), questionId, take, revision, snapshot } },
      { upsert: true },
    ),
  );
}

/** An upsert that finds no older document tries to insert; where a newer one stands, the insert collides: nothing is to be done. */
async function whereNewer(upsert: () => PromiseLike<unknown>): Promise<void> {
  try {
    await upsert();
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
}
