import mongoose, { MongooseError } from 'mongoose';

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

const { mongo } = mongoose;

/** Errors of the MongoDB driver. PoolClearedOnNetworkError is a MongoNetworkError. */
const mongoErrors = [
  mongo.MongoNetworkError,
  mongo.MongoServerSelectionError,
  mongo.MongoNotConnectedError,
  mongo.MongoServerClosedError,
  mongo.MongoTopologyClosedError,
  mongo.MongoClientClosedError,
  mongo.MongoOperationTimeoutError,
];

/** Errors of the driver's connection pool that it does not export. */
const mongoPoolErrors = new Set(['MongoPoolClosedError', 'MongoPoolClearedError', 'MongoWaitQueueTimeoutError']);

/**
 * Codes of a MongoDB server that is stepping down, shutting down, full, or not reached by the one that answers.
 * Source: MongoDB's retryable writes and server discovery specifications.
 */
const mongoServerCodes = new Map<unknown, string>([
  [6, 'HostUnreachable'],
  [7, 'HostNotFound'],
  [89, 'NetworkTimeout'],
  [91, 'ShutdownInProgress'],
  [189, 'PrimarySteppedDown'],
  [262, 'ExceededTimeLimit'],
  [9001, 'SocketException'],
  [10107, 'NotWritablePrimary'],
  [11600, 'InterruptedAtShutdown'],
  [11602, 'InterruptedDueToReplStateChange'],
  [13435, 'NotPrimaryNoSecondaryOk'],
  [13436, 'NotPrimaryOrSecondary'],
  [14031, 'OutOfDiskSpace'],
]);

function isMongoOutage(error: Error): boolean {
  if (mongoErrors.some((kind) => error instanceof kind) || mongoPoolErrors.has(error.name)) return true;
  if (error instanceof mongo.MongoServerError) {
    // A bulk write wraps what broke its connection.
    const { code, errorResponse } = error as { code?: unknown; errorResponse?: unknown };
    return mongoServerCodes.has(code) || (errorResponse instanceof Error && isMongoOutage(errorResponse));
  }
  if (isBrokenWrite(error)) return true;
  // Mongoose holds operations back while it reconnects, and gives up with an error of no class of its own.
  return error instanceof MongooseError && error.message.includes('buffering timed out');
}

/** The driver passes Node's own error on where a connection breaks while it waits to write. */
function isBrokenWrite(error: Error & { code?: unknown; syscall?: unknown }): boolean {
  return error.code === 'EPIPE' || (error.code === 'ECONNRESET' && error.syscall === 'write');
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
