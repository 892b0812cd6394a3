import {
  type DeletionSnapshot,
  type DeletionTarget,
  deletionId,
  deletionsOf,
} from '@interview-prep/contracts/recording/deletions';
import { upsertById } from '@interview-prep/kit/mongo/mongo';
import { Types, trusted } from 'mongoose';
import { countQuestion } from './count-question.ts';
import { countSession, countTotal } from './count-session.ts';
import type { CountKey, HistoryModels, QuestionRef, RecordingEntry, SessionEntry } from './model.ts';

/** Erases a deletion's target, and stores the deletion, so that a late event can't bring anything back. */
export async function applyDeletion(
  { target }: Pick<DeletionSnapshot, 'target'>,
  models: HistoryModels,
): Promise<void> {
  // Do this first: a concurrent event either sees the deletion, or its writes are erased below.
  const _id = deletionId(target);
  await upsertById(() => models.deletions.updateOne({ _id }, { $setOnInsert: { target } }, { upsert: true }));
  await erase(target, models);
}

/** Erases data that an event just wrote for a deleted answer, session or user. @returns whether there was a deletion */
export async function eraseIfDeleted(
  take: { recordingId: string; sessionId: string; userId: string },
  models: HistoryModels,
): Promise<boolean> {
  const deletions = await models.deletions.find({ _id: trusted({ $in: deletionsOf(take) }) }).lean();
  for (const { target } of deletions) await erase(target, models);
  return deletions.length > 0;
}

async function erase(target: DeletionTarget, models: HistoryModels): Promise<void> {
  if (target.kind === 'answer') await eraseAnswer(target, models);
  else await eraseSessions(target, models);
}

/**
 * Empties a take of an answer. The empty entry stays, since a session's counts are ordered by the revisions of its takes.
 */
async function eraseAnswer(
  { recordingId, sessionId, questionId }: Extract<DeletionTarget, { kind: 'answer' }>,
  models: HistoryModels,
): Promise<void> {
  await eraseFollowUp(sessionId, questionId, models);
  const _id = new Types.ObjectId(recordingId);
  const erased = { $set: { deleted: true, snapshot: {} }, $inc: { revision: 1 } };
  await models.recordings.updateOne({ _id, deleted: trusted({ $ne: true }) }, erased);
  const take = await models.recordings.findById(_id, 'entryId userId questionHash').lean();
  if (!take) return;
  await countSession(take.entryId.toHexString(), models);
  for (const ref of refOf(take)) await countQuestion(ref, models);
}

/** Erases the text of an answer's follow-up question, as recording does. */
async function eraseFollowUp(sessionId: string, questionId: number, { sessions }: HistoryModels): Promise<void> {
  const session = await sessions.findOne({ sessionId }, 'followUps').lean();
  const followUp = session?.followUps?.find(({ parentQuestionId }) => parentQuestionId === questionId);
  if (followUp) await sessions.updateOne({ sessionId }, { $set: { [`questions.${followUp.questionId}`]: '' } });
}

async function eraseSessions(
  target: Extract<DeletionTarget, { kind: 'session' | 'user' }>,
  models: HistoryModels,
): Promise<void> {
  const { kind: _, ...filter } = target;
  const found = await models.sessions.find(filter, 'listKind userId technology').lean();
  const totals = found.flatMap(countKeyOf);
  const _id = deletionId(target);
  const entryId = trusted({ $in: found.map((session) => session._id) });
  const takes = await models.recordings.find({ entryId }, 'userId questionHash').lean();
  const questions = takes.flatMap(refOf);
  // After an interrupted attempt the sessions are gone, but totals and questions still have to be recounted.
  if (totals.length + questions.length > 0) {
    const $addToSet = { totals: { $each: totals }, questions: { $each: questions } };
    await models.deletions.updateOne({ _id }, { $addToSet });
  }
  for (const session of found) {
    await models.recordings.deleteMany({ entryId: session._id });
    await models.sessions.deleteOne({ _id: session._id });
  }
  const deletion = await models.deletions.findById(_id).lean();
  for (const key of deletion?.totals ?? []) await countTotal(key, models);
  for (const ref of deletion?.questions ?? []) await countQuestion(ref, models);
  await models.deletions.updateOne({ _id }, { $unset: { totals: 1, questions: 1 } });
}

const refOf = ({ userId, questionHash }: Pick<RecordingEntry, keyof QuestionRef>): QuestionRef[] =>
  userId && questionHash ? [{ userId, questionHash }] : [];

const countKeyOf = ({ listKind, userId, technology }: Pick<SessionEntry, keyof CountKey>): CountKey[] =>
  listKind ? [{ listKind, userId, technology }] : [];
