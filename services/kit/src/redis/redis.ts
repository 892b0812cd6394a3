import { Redis, type RedisOptions } from 'ioredis';
import { UnusableSetting } from '../process/config.ts';
import type { Logger } from '../process/logger.ts';
import { tlsFault } from '../process/tls-fault.ts';
import { redisTlsFault } from './redis-tls.ts';
import { parseSentinelUrl } from './redis-url.ts';

/**
 * How long a command may wait for Redis. Then the connection is closed too, so that further commands fail at once until Redis
 * answers again.
 */
const answerTimeoutMs = 3000;

/** Opens a connection to the address of the setting REDIS_URL: of a server, or of the Sentinels that know the primary. */
export function openRedis(url: string, given: Omit<RedisOptions, 'replyMapping'>): Redis {
  const options = {
    ...given,
    // The server has become a replica: another connection finds the primary.
    reconnectOnError: (error: Error) => error.message.startsWith('READONLY'),
  };
  const sentinel = parseSentinelUrl(url);
  if (!sentinel) return new Redis(url, options);
  const { database: db, usesTls, sentinelPassword, username, password, ...address } = sentinel;
  return new Redis({
    ...options,
    ...address,
    db,
    ...(username ? { username } : {}),
    ...(password ? { password } : {}),
    ...(sentinelPassword ? { sentinelPassword } : {}),
    ...(usesTls ? { tls: {}, enableTLSForSentinelMode: true, sentinelTLS: {} } : {}),
  });
}

/**
 * A connection for producers and commands. It fails fast (no offline queue, no retries), so that no request hangs on Redis.
 * Resolves once it is connected. Until then it waits for Redis without limit.
 * @throws UnusableSetting where waiting would not help: a wrong password, database or certificate, TLS where there is none
 */
export async function connectProducer(url: string, log: Logger): Promise<Redis> {
  const redis = openRedis(url, {
    // With 1, ioredis would hold a command that was in flight when the connection broke until Redis is back.
    maxRetriesPerRequest: 0,
    commandTimeout: answerTimeoutMs,
    socketTimeout: answerTimeoutMs,
    connectTimeout: answerTimeoutMs,
    enableOfflineQueue: false,
    lazyConnect: true,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
  });
  logOutages(redis, log);
  redis.connect().catch((error: unknown) => log.warn({ err: error }, 'Redis is not available yet'));
  await new Promise<void>((resolve, reject) => {
    const refuse = async (error: Error) => {
      const fault = urlFault(error) ?? (await redisTlsFault(url, error));
      if (fault) reject(new UnusableSetting('REDIS_URL', fault, error));
    };
    redis.on('error', refuse);
    redis.once('ready', () => {
      redis.off('error', refuse);
      resolve();
    });
  }).catch((error: unknown) => {
    redis.disconnect();
    throw error;
  });
  return redis;
}

/** Logs when the connection fails, and when it works again. */
function logOutages(redis: Redis, log: Logger): void {
  let isDown = false;
  redis.on('error', (error) => {
    isDown = true;
    log.warn({ err: error }, 'Redis connection error');
  });
  redis.on('sentinelError', (error) => log.warn({ err: error }, 'a Sentinel does not name the primary'));
  redis.on('ready', () => {
    if (isDown) log.info('Redis is back');
    isDown = false;
  });
}

/** First words of Redis's replies to a wrong user, password or database. */
const refusals = /^(WRONGPASS|NOAUTH|NOPERM|ERR (DB index|invalid DB index))/;

/** What is wrong with `REDIS_URL` where an error shows that; null for an error that may heal. */
function urlFault(error: Error): string | null {
  return error.name === 'ReplyError' && refusals.test(error.message) ? error.message : tlsFault(error);
}

/** How long a worker without jobs lets one command block, in seconds: a job ends it at once. */
export const longestBlockS = 30;

/** Longer than a command blocks. */
const workerAnswerTimeoutMs = (longestBlockS + 10) * 1000;

/**
 * A connection for workers and subscribers. It waits for Redis without limit, as BullMQ's workers require, yet not on one
 * connection that is accepted and never answered: after `answerTimeoutMs` it opens another.
 */
export function connectWorker(url: string, log: Logger, answerTimeoutMs = workerAnswerTimeoutMs): Redis {
  const redis = openRedis(url, {
    maxRetriesPerRequest: null,
    connectTimeout: answerTimeoutMs,
    socketTimeout: answerTimeoutMs,
    retryStrategy: (attempt) => Math.min(attempt * 100, 2000),
  });
  logOutages(redis, log);
  return redis;
}
