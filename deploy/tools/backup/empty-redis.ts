import { StartupError } from '@interview-prep/local/startup-error';
import { Redis } from 'ioredis';
import type { Installation } from './installation.ts';

async function withRedis<Result>(url: string, use: (redis: Redis) => Promise<Result>): Promise<Result> {
  const redis = new Redis(url, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null });
  redis.on('error', () => {});
  try {
    await redis.connect();
  } catch (error) {
    throw new StartupError(`Redis cannot be reached: ${(error as Error).message}`);
  }
  try {
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}

/** @throws StartupError while processes of the product are connected to Redis: BullMQ gives its workers' connections names */
export async function requireStopped({ redisUrl, redisPrefix }: Installation): Promise<void> {
  const clients = await withRedis(redisUrl, (redis) => redis.call('CLIENT', 'LIST'));
  if (String(clients).includes(` name=${redisPrefix}:`))
    throw new StartupError('The product is running: stop it first.');
}

/** Deletes the product's keys in Redis. The services build them again from MongoDB. */
export async function emptyRedis({ redisUrl, redisPrefix }: Installation): Promise<void> {
  await withRedis(redisUrl, async (redis) => {
    for await (const keys of redis.scanStream({ match: `${redisPrefix}:*`, count: 1000 })) {
      if (keys.length > 0) await redis.unlink(...(keys as string[]));
    }
  });
}
