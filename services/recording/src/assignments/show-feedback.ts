import { isFeedbackShown } from '@interview-prep/contracts/recording/assignments';
import { conflict } from '@interview-prep/kit/http/http-error';
import { bumpRevision } from '@interview-prep/kit/redis/outbox';
import { trusted } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import type { Recording } from '../recordings/model.ts';
import type { Session } from '../sessions/model.ts';
import type { StoredAssignment } from './model.ts';

/** When the sessions of an assignment start showing feedback to their candidates; null if that isn't known yet. */
export function feedbackAtOf(
  { feedback, dueAt, releasedAt }: Pick<StoredAssignment, 'feedback' | 'dueAt' | 'releasedAt'>,
  now: Date,
): Date | null {
  if (releasedAt) return releasedAt;
  if (feedback === 'at-once') return now;
  return feedback === 'due' ? dueAt : null;
}

/** The assignment as a recording stores it. */
export function assignedOf({
  assignmentId,
  groupId,
  feedbackAt,
}: NonNullable<Session['assignment']>): NonNullable<Recording['assigned']> {
  return { assignmentId, groupId, feedbackAt };
}

/** Sets when sessions start showing feedback, and marks them for publishing. Idempotent. */
export async function setFeedbackTime(
  filter: object,
  fields: { feedback?: StoredAssignment['feedback']; feedbackAt: Date | null },
  { sessions, recordings }: Pick<RecordingModels, 'sessions' | 'recordings'>,
): Promise<void> {
  const $set = Object.fromEntries(Object.entries(fields).map(([name, value]) => [`assignment.${name}`, value]));
  // Read the ids before the update, which may change what the filter matches.
  const ids = (await sessions.find(filter, '_id').lean()).map(({ _id }) => _id);
  await sessions.updateMany({ _id: trusted({ $in: ids }) }, { $set, $inc: { revision: 1 } });
  await recordings.updateMany({ session: trusted({ $in: ids }) }, bumpRevision);
  const assigned = { session: trusted({ $in: ids }), assigned: trusted({ $exists: true }) };
  await recordings.updateMany(assigned, { $set: { 'assigned.feedbackAt': fields.feedbackAt } });
}

/** Shows the feedback of assigned work once every question of the last take is answered. */
export async function showAfterLastTake(
  { assignment, userId, setId }: Session,
  models: Pick<RecordingModels, 'sessions' | 'recordings' | 'assignments'>,
): Promise<void> {
  if (assignment?.feedback !== 'last-take' || assignment.feedbackAt !== null) return;
  const { assignmentId } = assignment;
  const stored = await models.assignments.findById(assignmentId, 'takes').lean();
  const takes = await models.sessions
    .find({ 'assignment.assignmentId': assignmentId, userId, setId }, '_id questions askedQuestions')
    .lean();
  if (!stored || takes.length < (stored.takes ?? Number.POSITIVE_INFINITY)) return;
  for (const { _id, questions, askedQuestions } of takes) {
    const answered = await models.recordings.distinct('questionId', { session: _id });
    if (answered.length < (askedQuestions ?? questions).length) return;
  }
  const all = { 'assignment.assignmentId': assignmentId, userId, setId };
  await setFeedbackTime(all, { feedbackAt: new Date() }, models);
}

/** @throws HttpError 409 while the candidate can't see the verdict that they want to act on */
export async function requireFeedback(
  { session }: Pick<Recording, 'session'>,
  { sessions }: Pick<RecordingModels, 'sessions'>,
): Promise<void> {
  const found = await sessions.findById(session, 'assignment').lean();
  if (!isFeedbackShown(found?.assignment)) throw conflict('Feedback on this answer is not shown yet');
}
