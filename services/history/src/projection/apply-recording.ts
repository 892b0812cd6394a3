import { isDeepStrictEqual } from 'node:util';
import type { RecordingSnapshot, SessionSnapshot } from '@interview-prep/contracts/events/snapshots';
import { upsertById } from '@interview-prep/kit/mongo/mongo';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import { Types, trusted } from 'mongoose';
import { eraseIfDeleted } from './apply-deletion.ts';
import { countQuestion, questionRefOf, readTakes } from './count-question.ts';
import { addToTotal, countSession, countsOf, countTotal, isPending } from './count-session.ts';
import { type CountKey, type HistoryModels, listOf, type QuestionRef, type RecordingEntry } from './model.ts';
import { outdated, projectionVersion } from './rebuild.ts';

interface RecordingChanged {
  session: SessionSnapshot;
  recording: RecordingSnapshot;
}

/**
 * Stores the session and the recording of one event, each only if its revision is newer than the stored one, or the stored one
 * is from an older projection. Then updates the affected counts. Events may arrive repeatedly and out of order.
 * Deleted recordings are not stored.
 * @returns whether the stored recording now has the event's revision, not a newer one
 */
export async function applyRecording(event: RecordingChanged, models: HistoryModels): Promise<boolean> {
  const { session, recording } = event;
  // Null for answers to questions that never become due, such as those in practice sessions and follow-up questions.
  const ref = questionRefOf(session, recording.questionId);
  const replaced = await storeRecording(event, ref, models);
  const isNew = replaced === null;
  const isUpdate = replaced?.projectionVersion === projectionVersion;
  if (!isNew && !isUpdate) return countAgain(event, ref, models);
  if (!isNew) {
    const isSessionStored = replaced.sessionRevision === session.revision;
    if (isSessionStored && isDeepStrictEqual(countedPart(replaced.snapshot), countedPart(recording))) return true;
    if (!isSessionStored) await storeSession(session, models);
  }

  const takes = await readTakes(ref, models, session.entryId);
  const own = takes.filter(({ entryId }) => entryId.equals(session.entryId));
  const isNewSession = isNew && own.length === 1 && (await insertSession(session, own, models));
  if (isNewSession) await addToTotal(session, countKey(session), models);
  else if (!(await updateCounts(session, own, models))) return countAgain(event, ref, models);
  const changesQuestion = recording.correctnessPercentage !== null || recording.take > 1 || !isNew;
  if (ref && changesQuestion) await countQuestion(ref, models, { session, takes });
  return !(isNew && (await eraseIfDeletedMeanwhile(event, models)));
}

/**
 * Recounts after an event that was applied before, is older than the stored entry, or rebuilds the projection: an earlier
 * attempt may have been interrupted anywhere.
 */
async function countAgain(event: RecordingChanged, ref: QuestionRef | null, models: HistoryModels): Promise<boolean> {
  const { session, recording } = event;
  await storeSession(session, models);
  await countSession(session.entryId, models);
  await countTotal(countKey(session), models);
  if (ref) await countQuestion(ref, models);
  if (await eraseIfDeletedMeanwhile(event, models)) return false;
  const { recordingId, revision } = recording;
  return (await models.recordings.exists({ _id: new Types.ObjectId(recordingId), revision })) !== null;
}

/** Erases an entry whose deletion arrived before it. */
async function eraseIfDeletedMeanwhile(
  { session, recording }: RecordingChanged,
  models: HistoryModels,
): Promise<boolean> {
  const isDeleted = await eraseIfDeleted({ ...session, recordingId: recording.recordingId }, models);
  // The deletion may have recounted after the session was stored and before it was added to the total.
  if (isDeleted) await countTotal(countKey(session), models);
  return isDeleted;
}

function countKey(session: SessionSnapshot): CountKey {
  return { listKind: listOf(session), userId: session.userId, technology: session.technology };
}

/** The parts of a recording that counts depend on. Its length counts once it is processed. */
function countedPart(snapshot: RecordingSnapshot) {
  const { transcription, assessment, correctnessPercentage, durationMs } = snapshot;
  return {
    durationMs: isPending(snapshot) ? 'pending' : durationMs,
    correctnessPercentage,
    edits: [transcription.correctedAt, transcription.proposed?.createdAt, assessment.review?.createdAt],
    points: assessment.points,
    engine: assessment.engine,
  };
}

/** @returns false if the session already exists */
async function insertSession(
  session: SessionSnapshot,
  takes: readonly RecordingEntry[],
  { sessions }: HistoryModels,
): Promise<boolean> {
  const _id = new Types.ObjectId(session.entryId);
  const $setOnInsert = { ...sessionFields(session), ...countsOf(session, takes) };
  try {
    return (await sessions.updateOne({ _id }, { $setOnInsert }, { upsert: true })).upsertedCount === 1;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    return false;
  }
}

/** @returns false unless the session is stored at this revision, with older counts */
async function updateCounts(
  session: SessionSnapshot,
  takes: readonly RecordingEntry[],
  { sessions }: HistoryModels,
): Promise<boolean> {
  const counts = countsOf(session, takes);
  const isOlder = {
    revision: session.revision,
    projectionVersion,
    countsRevision: trusted({ $lt: counts.countsRevision }),
  };
  const { matchedCount } = await sessions.updateOne(
    { _id: new Types.ObjectId(session.entryId), ...isOlder },
    { $set: counts },
  );
  return matchedCount === 1;
}

async function storeSession(session: SessionSnapshot, { sessions }: HistoryModels): Promise<void> {
  const $set = sessionFields(session);
  await upsertById(() => sessions.updateOne(olderThan(session.entryId, session.revision), { $set }, { upsert: true }));
}

function sessionFields(snapshot: SessionSnapshot) {
  const { entryId: _, user, createdAt, ...fields } = snapshot;
  return {
    ...fields,
    listKind: listOf(snapshot),
    user: { ...user, lastLogin: user.lastLogin ? new Date(user.lastLogin) : null },
    createdAt: new Date(createdAt),
    projectionVersion,
  };
}

/** @returns the replaced entry, null if there was none, or undefined if nothing was stored */
function storeRecording(
  { session, recording: snapshot }: RecordingChanged,
  ref: QuestionRef | null,
  { recordings }: HistoryModels,
): Promise<RecordingEntry | null | undefined> {
  const { recordingId, questionId, take, revision, createdAt } = snapshot;
  const $set = {
    entryId: new Types.ObjectId(session.entryId),
    sessionRevision: session.revision,
    ...(ref && { ...ref, answeredAt: new Date(createdAt) }),
    questionId,
    take,
    revision,
    snapshot,
    projectionVersion,
  };
  const filter = { ...olderThan(recordingId, revision), deleted: trusted({ $ne: true }) };
  return upsertById(() =>
    recordings.findOneAndUpdate(filter, { $set }, { upsert: true, returnDocument: 'before' }).lean(),
  );
}

/** Matches the entry with this id if it has an older revision, or this revision from an older projection. */
function olderThan(id: string, revision: number) {
  return {
    _id: new Types.ObjectId(id),
    $or: [{ revision: trusted({ $lt: revision }) }, { revision, ...outdated }],
  };
}
