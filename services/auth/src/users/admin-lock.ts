import { conflict } from '@interview-prep/kit/http/http-error';
import { trusted } from 'mongoose';
import type { Locks } from '../store/locks.ts';
import type { UserModel } from './model.ts';

/** Does changes to who is an admin one after another, in all processes: two admins cannot demote each other at once. */
export interface AdminLock {
  /** @throws HttpError 503 where other changes take too long */
  run<Result>(change: () => Promise<Result>): Promise<Result>;
  /** Call it within `run`, before an admin stops being one. @throws HttpError 409 where no other admin can sign in */
  requireOtherAdmin(userId: string, message: string): Promise<void>;
}

export function createAdminLock(locks: Locks, users: UserModel): AdminLock {
  return {
    run: (change) => locks.run('admins', change),
    async requireOtherAdmin(userId, message) {
      const admins = await users
        .find({ role: 'admin', deletedAt: null, suspendedAt: trusted({ $exists: false }) }, 'passwordHash lastLogin')
        .lean();
      const others = admins.filter((admin) => admin._id.toHexString() !== userId);
      // An invited admin may never accept.
      if (!others.some((admin) => admin.passwordHash !== undefined || admin.lastLogin !== null))
        throw conflict(message);
    },
  };
}
