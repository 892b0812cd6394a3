import type { UserSnapshot } from '@interview-prep/contracts/events/snapshots';
import type { HistoryModels } from './model.ts';

/**
 * Removes a deleted user's details from their sessions, which stay. Other changes of a user change nothing here: a session
 * shows its user as they were when it was taken.
 */
export async function applyUser(user: UserSnapshot, { sessions, totals }: HistoryModels): Promise<void> {
  if (user.deletedAt === null) return;
  await sessions.updateMany({ userId: user.userId }, { $set: { user: { email: null, role: null, lastLogin: null } } });
  await totals.updateMany({ userId: user.userId }, { $set: { email: null } });
}
