import type { UserSnapshot } from '@interview-prep/contracts/events/snapshots';
import { upsertById } from '@interview-prep/kit/mongo/mongo';
import { bumpRevision } from '@interview-prep/kit/redis/outbox';
import { type Types, trusted } from 'mongoose';
import type { Deletions } from '../deletions/deletion-log.ts';
import type { RecordingModels } from '../models.ts';
import type { Recording } from '../recordings/model.ts';

/**
 * Erases a deleted user's details from their sessions, and publishes that; then deletes the sessions. Suspension only ends the
 * user's calendar address. Nothing else matters here: a session shows its user as they were when it was taken.
 */
export async function forgetUser(user: UserSnapshot, models: RecordingModels, deletions: Deletions): Promise<void> {
  const { userId, deletedAt } = user;
  if (deletedAt !== null || user.suspended) await models.calendarFeeds.deleteOne({ _id: userId });
  if (deletedAt === null) return;
  // Do this first: a session that begins right now is either found below, or sees that its user is deleted.
  const $set = { deletedAt: new Date(deletedAt) };
  await upsertById(() => models.deletedUsers.updateOne({ _id: userId }, { $set }, { upsert: true }));
  await eraseDetails(userId, models);
  await models.reviewSnippets.deleteOne({ _id: userId });
  await models.assignments.updateMany({ memberIds: userId }, { $pull: { memberIds: userId } });
  for (const list of ['extensions', 'reminders'])
    await models.assignments.updateMany({ [`${list}.userId`]: userId }, { $pull: { [list]: { userId } } });
  if (user.eraseData) await deletions.request({ kind: 'user', userId });
}

/** Erases a user's details from all their sessions and from the reviews that they gave, and publishes the changes. */
export async function eraseDetails(userId: string, models: RecordingModels): Promise<void> {
  await models.sessions.updateMany(
    { userId },
    { $set: { user: { email: null, role: null, lastLogin: null } }, $inc: { revision: 1 } },
  );
  await models.recordings.updateMany({ userId }, bumpRevision);
  const reviewed = { 'assessment.review.createdAt': trusted({ $exists: true }) };
  const { $inc, $set } = bumpRevision;
  await models.recordings.updateMany(
    { ...reviewed, 'assessment.review.reviewer.userId': userId },
    { $inc, $set: { ...$set, 'assessment.review.reviewer.email': null } },
  );
  const named = { ...reviewed, 'assessment.earlierReviews.reviewer.userId': userId };
  for (const { _id } of await models.recordings.find(named, '_id').lean()) await eraseReviewer(_id, userId, models);
}

/** Erases the reviewers of an answer's earlier reviews. Retries if another process writes the answer concurrently. */
async function eraseReviewer(_id: Types.ObjectId, userId: string, { recordings }: RecordingModels): Promise<void> {
  for (;;) {
    const recording = await recordings.findById(_id, 'revision assessment.earlierReviews').lean<Recording>();
    if (!recording) return;
    const earlierReviews = recording.assessment.earlierReviews?.map((review) =>
      review.reviewer?.userId === userId ? { ...review, reviewer: { userId, email: null } } : review,
    );
    const { $inc, $set } = bumpRevision;
    const change = { $inc, $set: { ...$set, 'assessment.earlierReviews': earlierReviews } };
    if ((await recordings.updateOne({ _id, revision: recording.revision }, change)).matchedCount === 1) return;
  }
}
