import { Redis } from 'ioredis';
import type { Logger } from './logger.ts';

/**
 * A connection for producers and plain commands: fails fast (no offline queue, no retry), so that a request
 * never hangs on Redis. Resolves once it is connected.
 */
export async function connectProducer(url: string, log: Logger): Promise<Redis> {
  const redis = new Redis(url, {
    // Not 1: ioredis would keep what was under way when the connection broke until Redis is back, however long that is.
    maxRetriesPerRequest: 0,
    commandTimeout: 5000,
    enableOfflineQueue: false,
    lazyConnect: true,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
  });
  redis.on('error', (error) => log.warn({ err: error }, 'redis connection'));
  redis.connect().catch((error: unknown) => log.warn({ err: error }, 'redis is not there yet'));
  await new Promise<void>((resolve) => redis.once('ready', () => resolve()));
  return redis;
}

/** A connection for workers and subscribers: waits for Redis as long as it takes, as BullMQ's workers demand. */
export function connectWorker(url: string, log: Logger): Redis {
  const redis = new Redis(url, {
    maxRetriesPerRequest: null,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
  });
  redis.on('error', (error) => log.warn({ err: error }, 'redis connection'));
  return redis;
}
