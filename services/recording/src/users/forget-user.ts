import type { UserSnapshot } from '@interview-prep/contracts/snapshots';
import { bumpRevision } from '@interview-prep/kit/outbox';
import type { RecordingModels } from '../models.ts';

/**
 * Removes a deleted user's details from their sessions, for good, and has history told. What else changes in a user
 * changes nothing here: a session keeps the details of the day it was taken.
 */
export async function forgetUser(user: UserSnapshot, models: RecordingModels): Promise<void> {
  if (user.deletedAt === null) return;
  const { userId, deletedAt } = user;
  // First, so that a session which is just beginning is either found below or finds its user deleted.
  await models.deletedUsers.updateOne({ _id: userId }, { $set: { deletedAt: new Date(deletedAt) } }, { upsert: true });
  await eraseDetails(userId, models);
}

/** Takes a user's details out of all their sessions, and has history told. */
export async function eraseDetails(userId: string, models: RecordingModels): Promise<void> {
  await models.sessions.updateMany(
    { userId },
    { $set: { user: { email: null, role: null, lastLogin: null } }, $inc: { revision: 1 } },
  );
  await models.recordings.updateMany({ userId }, bumpRevision);
}
