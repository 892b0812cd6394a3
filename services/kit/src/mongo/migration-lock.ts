import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { mongo } from 'mongoose';
import type { Logger } from '../process/logger.ts';
import { isDuplicateKey } from './mongo-errors.ts';

/** `leaseMs`: a holder loses the lock this long after its last heartbeat. */
export interface MigrationLockOptions {
  leaseMs?: number;
}

/** The right to migrate a database. */
interface MigrationLock {
  /** @throws if another process has taken over the lock because this one's heartbeats stopped */
  assertHeld(): void;
  release(): Promise<void>;
}

interface LockDocument {
  _id: string;
  holder: string;
  /** Grows with each heartbeat. */
  renewals: number;
}

const lockId = 'migrations';
const pollMs = 200;

/**
 * Waits for the migration lock of a database and acquires it. A holder that stops renewing it loses it. Each waiter measures
 * that by its own clock, so clock skew is harmless.
 */
export async function acquireMigrationLock(
  database: mongo.Db,
  log: Logger,
  { leaseMs = 10_000 }: MigrationLockOptions = {},
): Promise<MigrationLock> {
  const locks = database.collection<LockDocument>('migrationLocks');
  const holder = randomUUID();
  await waitForLock(locks, holder, leaseMs, log);

  let renewals = 0;
  let isLost = false;
  const timer = setInterval(() => {
    renewals += 1;
    locks
      .updateOne({ _id: lockId, holder }, { $set: { renewals } })
      .then(({ matchedCount }) => {
        if (matchedCount === 0) isLost = true;
      })
      .catch((error: unknown) => log.warn({ err: error }, 'renewing the migration lock failed'));
  }, leaseMs / 5);

  return {
    assertHeld() {
      if (isLost) throw new Error('Another process has taken the migration lock over');
    },
    async release() {
      clearInterval(timer);
      await locks.deleteOne({ _id: lockId, holder });
    },
  };
}

async function waitForLock(
  locks: mongo.Collection<LockDocument>,
  holder: string,
  leaseMs: number,
  log: Logger,
): Promise<void> {
  let seen: LockDocument | null = null;
  let seenAt = 0;
  for (;;) {
    const current = await locks.findOne({ _id: lockId });
    if (current === null) {
      const { upsertedCount } = await locks
        .updateOne({ _id: lockId }, { $setOnInsert: { holder, renewals: 0 } }, { upsert: true })
        .catch((error: unknown) => {
          // Another process was faster.
          if (isDuplicateKey(error)) return { upsertedCount: 0 };
          throw error;
        });
      if (upsertedCount === 1) return;
    } else if (current.holder !== seen?.holder || current.renewals !== seen.renewals) {
      if (seen === null) log.info('another process is migrating this database; waiting for it');
      seen = current;
      seenAt = performance.now();
    } else if (performance.now() - seenAt > leaseMs) {
      const { matchedCount } = await locks.updateOne(seen, { $set: { holder, renewals: 0 } });
      if (matchedCount === 1) {
        log.warn('took the migration lock over from a process that stopped');
        return;
      }
    }
    await pause(Math.min(pollMs, leaseMs / 3));
  }
}
