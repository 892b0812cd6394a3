import type { RecordingSnapshot, SessionSnapshot } from '@interview-prep/contracts/snapshots';
import { upsertById } from '@interview-prep/kit/mongo';
import { Types, trusted } from 'mongoose';
import { eraseIfDeleted } from './apply-deletion.ts';
import { countQuestion, questionRefOf } from './count-question.ts';
import { countSession } from './count-session.ts';
import { type HistoryModels, listOf, type QuestionRef } from './model.ts';
import { outdated, projectionVersion } from './rebuild.ts';

/**
 * Stores the session and the recording of one event, each only if its revision is newer than the stored one, or the stored
 * one was written by an older projection. Then counts the session and the question again. Events may come twice and in any order.
 * What was deleted is not stored.
 * @returns whether the stored recording now has the event's revision, not a newer one
 */
export async function applyRecording(
  { session, recording }: { session: SessionSnapshot; recording: RecordingSnapshot },
  models: HistoryModels,
): Promise<boolean> {
  const answer = { ...session, recordingId: recording.recordingId };
  if (await eraseIfDeleted(answer, models)) return false;
  await storeSession(session, models);
  // Null for an answer that is not counted: one of a practice session, or to a follow-up question.
  const ref = questionRefOf(session, recording.questionId);
  await storeRecording(recording, { entryId: session.entryId, ref }, models);
  await countSession(session.entryId, models);
  if (ref) await countQuestion(ref, models);
  // A deletion that came meanwhile did not find this: erase it now.
  if (await eraseIfDeleted(answer, models)) return false;
  const { recordingId, revision } = recording;
  return (await models.recordings.exists({ _id: new Types.ObjectId(recordingId), revision })) !== null;
}

async function storeSession(snapshot: SessionSnapshot, { sessions }: HistoryModels): Promise<void> {
  const { entryId, user, createdAt, ...fields } = snapshot;
  const $set = {
    ...fields,
    listKind: listOf(snapshot),
    user: { ...user, lastLogin: user.lastLogin ? new Date(user.lastLogin) : null },
    createdAt: new Date(createdAt),
    inTotals: false,
    projectionVersion,
  };
  await upsertById(() => sessions.updateOne(olderThan(entryId, snapshot.revision), { $set }, { upsert: true }));
}

async function storeRecording(
  snapshot: RecordingSnapshot,
  { entryId, ref }: { entryId: string; ref: QuestionRef | null },
  { recordings }: HistoryModels,
): Promise<void> {
  const { recordingId, questionId, take, revision, createdAt } = snapshot;
  const $set = {
    entryId: new Types.ObjectId(entryId),
    ...(ref && { ...ref, answeredAt: new Date(createdAt) }),
    questionId,
    take,
    revision,
    snapshot,
    projectionVersion,
  };
  await upsertById(() => recordings.updateOne(olderThan(recordingId, revision), { $set }, { upsert: true }));
}

/**
 * Matches the entry of this id if it has an older revision, or this revision as an older projection wrote it. Where the entry
 * is newer, the upsert finds no match and collides with its id; `upsertById` ignores that.
 */
function olderThan(id: string, revision: number) {
  return {
    _id: new Types.ObjectId(id),
    $or: [{ revision: trusted({ $lt: revision }) }, { revision, ...outdated }],
  };
}
