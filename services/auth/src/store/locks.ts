import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { conflict, unavailable } from '@interview-prep/kit/http/http-error';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import { type Connection, Schema, trusted } from 'mongoose';
import type { UserModel } from '../users/model.ts';

/** Serializes changes to admins across all processes, so that two admins can't demote each other at the same time. */
export interface AdminLock {
  /** @throws HttpError 503 if other changes take too long */
  run<Result>(change: () => Promise<Result>): Promise<Result>;
  /** Call it within `run`, before a possible admin loses the role. @throws HttpError 409 for the only admin who can sign in */
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
      if (others.length === admins.length) return;
      // Don't count invited admins, who may never accept.
      if (!others.some((admin) => admin.passwordHash !== undefined || admin.lastLogin !== null))
        throw conflict(message);
    },
  };
}

/** How long a lock lasts if its process is killed. A change takes milliseconds. */
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

/** Serializes changes of one kind across all processes. */
export interface Locks {
  /** @throws HttpError 503 if other changes of the kind take too long */
  run<Result>(kind: 'admins' | 'ways-in', change: () => Promise<Result>): Promise<Result>;
}

export function createLocks(connection: Connection): Locks {
  const locks = connection.model<Lock>('Lock', schema);

  const acquire = async (_id: string, holder: string) => {
    const now = Date.now();
    const free = { _id, until: trusted({ $lte: new Date(now) }) };
    try {
      await locks.updateOne(free, { $set: { holder, until: new Date(now + leaseMs) } }, { upsert: true });
      return true;
    } catch (error) {
      // The lock is taken.
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  };

  return {
    async run(kind, change) {
      const holder = randomUUID();
      const deadline = Date.now() + waitMs;
      while (!(await acquire(kind, holder))) {
        if (Date.now() > deadline) throw unavailable('Another change is going on. Please try again.');
        await pause(pollMs);
      }
      try {
        return await change();
      } finally {
        // If this fails, the lease expires by itself.
        await locks.updateOne({ _id: kind, holder }, { $set: { until: new Date(0) } }).catch(() => null);
      }
    },
  };
}
