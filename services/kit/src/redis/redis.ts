import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { Redis, type RedisOptions } from 'ioredis';
import { UnusableSetting } from '../process/config.ts';
import type { Logger } from '../process/logger.ts';
import { tlsFault } from '../process/tls-files.ts';
import { parseSentinelUrl } from './redis-url.ts';

/**
 * Whether this process should now run a periodic task that only one instance needs to run. The first to call gets the turn.
 * @param everyMs how often each process calls; a turn ends a little sooner, so that a single process always gets it
 * @throws while Redis is down
 */
export async function takeTurn(
  { redis, prefix }: { redis: Redis; prefix: string },
  name: string,
  everyMs: number,
): Promise<boolean> {
  return (await redis.set(`${prefix}:turns:${name}`, '', 'PX', Math.ceil(everyMs * 0.8), 'NX')) !== null;
}

const pingTimeoutMs = 2000;

const defaultPort = 6379;

/** Errors when one side uses TLS and the other doesn't: the server closes the connection, or waits for more data. */
const mismatchCodes = new Set(['ETIMEDOUT', 'ECONNRESET', 'EPIPE']);

/**
 * How long a command may wait for Redis. After that the connection is closed too, so that further commands fail immediately
 * until Redis responds again.
 */
const answerTimeoutMs = 3000;

/** Opens a connection to the address in REDIS_URL: a server's, or that of the Sentinels that know the primary. */
export function openRedis(url: string, given: Omit<RedisOptions, 'replyMapping'>): Redis {
  const options = {
    ...given,
    // The server has become a replica: reconnect to find the primary.
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
 * Resolves once it is connected, and waits indefinitely for that.
 * @throws UnusableSetting if waiting won't help: a wrong password, database or certificate, or TLS to a server without it
 */
export async function connectProducer(url: string, log: Logger): Promise<Redis> {
  const redis = openRedis(url, {
    // With 1, ioredis would hold a command that was in flight when the connection broke until Redis is back up.
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

/** Logs when the connection fails, and when it recovers. */
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

/** Prefixes of Redis's replies to a wrong user, password or database. */
const refusals = /^(WRONGPASS|NOAUTH|NOPERM|ERR (DB index|invalid DB index))/;

/** The fault in `REDIS_URL` that an error reveals; null for a transient error. */
function urlFault(error: Error): string | null {
  return error.name === 'ReplyError' && refusals.test(error.message) ? error.message : tlsFault(error);
}

/** The longest time that an idle worker's command blocks, in seconds. A new job ends it immediately. */
export const longestBlockS = 30;

/** Must be longer than a command may block. */
const workerAnswerTimeoutMs = (longestBlockS + 10) * 1000;

/**
 * A connection for workers and subscribers. It waits indefinitely for Redis, as BullMQ's workers require, but not on a
 * connection that gets no response: after `answerTimeoutMs` it opens a new one.
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

/**
 * Why `redis://` or `rediss://` is wrong for this server, if it responds to the other one; null otherwise. A plain-text Redis
 * silently waits for the rest of a TLS handshake, so it must be probed.
 * @param error the error of the failed connection
 */
async function redisTlsFault(url: string, error: Error & { code?: string }): Promise<string | null> {
  if (!mismatchCodes.has(error.code ?? '') || !URL.canParse(url)) return null;
  const { protocol, hostname, port } = new URL(url);
  const host = hostname.replace(/^\[|\]$/g, '');
  const at = { host, port: Number(port || defaultPort) };
  if (protocol === 'rediss:') {
    return (await answersPing(connect(at))) ? 'the server does not speak TLS: begin the address with redis://' : null;
  }
  const socket = connectTls({ ...at, ...(isIP(host) ? {} : { servername: host }), rejectUnauthorized: false });
  return (await answersPing(socket)) ? 'the server speaks TLS only: begin the address with rediss://' : null;
}

/** Whether the other end responds like Redis: with a status or an error. */
function answersPing(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => {
    const end = (answers: boolean) => {
      clearTimeout(timer);
      socket.destroy();
      resolve(answers);
    };
    const timer = setTimeout(end, pingTimeoutMs, false);
    socket.once('data', (data) => end(/^[+-]/.test(data.toString('latin1'))));
    socket.once('error', () => end(false));
    socket.once('close', () => end(false));
    socket.write('PING\r\n');
  });
}
