import type { UserSnapshot } from '@interview-prep/contracts/events/snapshots';
import type { JobProducer } from '@interview-prep/kit/redis/job-queues';
import type { UserDocument } from './model.ts';

/** Publishes a user's current state, or their deletion, to recording and history. */
export async function publishUser(user: UserDocument, jobs: JobProducer): Promise<void> {
  const snapshot: UserSnapshot = {
    userId: user._id.toHexString(),
    email: user.email,
    role: user.role,
    lastLogin: user.lastLogin?.toISOString() ?? null,
    deletedAt: user.deletedAt?.toISOString() ?? null,
    ...(user.eraseData ? { eraseData: true } : {}),
    ...(user.sharesEndedAt ? { sharesEndedAt: user.sharesEndedAt.toISOString() } : {}),
    revision: user.revision,
  };
  await jobs.add('recording', 'user-changed', snapshot);
  await jobs.add('history', 'user-changed', snapshot);
}
