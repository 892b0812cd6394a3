import { isMongoOutage } from '../mongo/mongo-errors.ts';

/** The parts of the product that can be down while this process runs. `disk`: the disk for temporary files is full. */
export type OutagePart = 'mongodb' | 'redis' | 'object-store' | 'engine' | 'disk';

/** An error from this product's own clients (object store, engines), which says which part is down. */
interface NamesOutage {
  readonly outage: OutagePart | null;
}

/**
 * The part whose outage caused an error; null for any other error. Outages are transient: requests get a 503, and jobs are
 * retried later.
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

/** Messages of ioredis errors that have no class of their own. */
const redisMessages = new Set([
  'Connection is closed.',
  "Stream isn't writeable and enableOfflineQueue options is false",
  'Command timed out',
]);

/** Prefixes of errors from a Redis that is loading, full, read-only or without its primary. Source: Redis's server.c. */
const redisReplies = /^(LOADING|MASTERDOWN|READONLY|MISCONF|OOM|NOREPLICAS|CLUSTERDOWN|TRYAGAIN) /;

/** Whether Redis responded, but refused the command because it is full, read-only or loading. */
export function refusesCommands(error: unknown): boolean {
  return error instanceof Error && error.name === 'ReplyError' && redisReplies.test(error.message);
}

function isRedisOutage(error: Error): boolean {
  if (error.name === 'ReplyError') return refusesCommands(error);
  return redisErrors.has(error.name) || redisMessages.has(error.message);
}
