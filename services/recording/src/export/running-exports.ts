import { randomUUID } from 'node:crypto';
import type { Logger } from '@interview-prep/kit/process/logger';
import type { Redis } from 'ioredis';

/** How long a killed process blocks its users' next export. */
const lockMs = 30_000;

/** The exports in progress: one per requester, since each reads all media. */
export interface RunningExports {
  isRunning(userId: string): Promise<boolean>;
  /** Registers the start of a download. @returns a function that registers its end; null if another one is running */
  start(userId: string): Promise<(() => Promise<void>) | null>;
}

export function createRunningExports({
  redis,
  prefix,
  log,
}: {
  redis: Redis;
  prefix: string;
  log: Logger;
}): RunningExports {
  const keyOf = (userId: string) => `${prefix}:exports:running:${userId}`;
  return {
    async isRunning(userId) {
      return (await redis.exists(keyOf(userId))) === 1;
    },
    async start(userId) {
      const key = keyOf(userId);
      if ((await redis.set(key, randomUUID(), 'PX', lockMs, 'NX')) === null) return null;
      const warn = (error: unknown) => log.warn({ err: error }, 'could not renew the lock of a running export');
      const timer = setInterval(() => void redis.pexpire(key, lockMs).catch(warn), lockMs / 3);
      return async () => {
        clearInterval(timer);
        await redis.del(key).catch(warn);
      };
    },
  };
}
