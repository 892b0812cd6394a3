import { isMongoOutage } from '../mongo/mongo-errors.ts';

/** The parts of the product that can be down while this process runs. `disk`: for unfinished files, full. */
export type OutagePart = 'mongodb' | 'redis' | 'object-store' | 'engine' | 'disk';

/** An error of this product's own clients (object store, engines), which name the part themselves. */
interface NamesOutage {
  readonly outage: OutagePart | null;
}

/**
 * The part whose outage caused an error; null for every other error. An outage ends by itself: a request answers 503, a job
 * tries again later.
 */
export function outageOf(error: unknown): OutagePart | null {
  if (!(error instanceof Error)) return null;
  if ('outage' in error) return (error as NamesOutage).outage;
  if (isMongoOutage(error)) return 'mongodb';
  if (isRedisOutage(error)) return 'redis';
  if (isFullDisk(error)) return 'disk';
  return null;
}

const isFullDisk = (error: Error) => 'code' in error && (error.code === 'ENOSPC' || error.code === 'EDQUOT');

const redisErrors = new Set(['MaxRetriesPerRequestError', 'InterruptError']);

/** Messages of ioredis's errors that are plain Errors. */
const redisMessages = new Set([
  'Connection is closed.',
  "Stream isn't writeable and enableOfflineQueue options is false",
  'Command timed out',
]);

/** First words of the errors of a Redis that is loading, full, read-only or without its primary. Source: Redis's server.c. */
const redisReplies = /^(LOADING|MASTERDOWN|READONLY|MISCONF|OOM|NOREPLICAS|CLUSTERDOWN|TRYAGAIN) /;

/** Whether Redis answered, and refused the command because of its state: full, read-only, loading. */
export function refusesCommands(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError' && redisReplies.test(error.message);
}

function isRedisOutage(error: Error): boolean {
  if (error.name === 'ReplyError') return refusesCommands(error);
  return redisErrors.has(error.name) || redisMessages.has(error.message);
}
