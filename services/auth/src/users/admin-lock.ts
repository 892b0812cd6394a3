import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { conflict, unavailable } from '@interview-prep/kit/http-error';
import { isDuplicateKey } from '@interview-prep/kit/mongo';
import { type Connection, Schema, trusted } from 'mongoose';
import type { UserModel } from './model.ts';

/** A process that was killed holds the lock for so long. A change takes milliseconds. */
const leaseMs = 10_000;
const waitMs = 15_000;
const pollMs = 50;

interface Lock {
  _id: string;
  holder: string;
  until: Date;
}

const schema = new Schema<Lock>(
  { _id: { type: String, required: true }, holder: { type: String }, until: { type: Date, required: true } },
  { collection: 'locks' },
);

/** Does changes to who is an admin one after another, in all processes: two admins cannot demote each other at once. */
export interface AdminLock {
  /** @throws HttpError 503 where other changes take too long */
  run<Result>(change: () => Promise<Result>): Promise<Result>;
  /** Call it within `run`, before an admin stops being one. @throws HttpError 409 where no other admin can sign in */
  requireOtherAdmin(userId: string, message: string): Promise<void>;
}

export function createAdminLock(connection: Connection, users: UserModel): AdminLock {
  const locks = connection.model<Lock>('Lock', schema);
  const _id = 'admins';

  const acquire = async (holder: string) => {
    const now = Date.now();
    const free = { _id, until: trusted({ $lt: new Date(now) }) };
    try {
      await locks.updateOne(free, { $set: { holder, until: new Date(now + leaseMs) } }, { upsert: true });
      return true;
    } catch (error) {
      // There is a lock that is not free.
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };

  return {
    async run(change) {
      const holder = randomUUID();
      const deadline = Date.now() + waitMs;
      while (!(await acquire(holder))) {
        if (Date.now() > deadline) throw unavailable('Another change of the admins is going on. Please try again.');
        await pause(pollMs);
      }
      try {
        return await change();
      } finally {
        // Where this fails, the lease ends by itself.
        await locks.updateOne({ _id, holder }, { $set: { until: new Date(0) } }).catch(() => null);
      }
    },
    async requireOtherAdmin(userId, message) {
      const admins = await users.find({ role: 'admin', deletedAt: null }, 'passwordHash lastLogin').lean();
      const others = admins.filter((admin) => admin._id.toHexString() !== userId);
      // One who was only invited may never come.
      if (!others.some((admin) => admin.passwordHash !== undefined || admin.lastLogin !== null))
        throw conflict(message);
    },
  };
}
