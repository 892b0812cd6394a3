import { MongooseError, Error as MongooseErrors, mongo } from 'mongoose';

const outageClasses = [
  mongo.MongoNetworkError,
  mongo.MongoServerSelectionError,
  mongo.MongoNotConnectedError,
  mongo.MongoServerClosedError,
  mongo.MongoTopologyClosedError,
  mongo.MongoClientClosedError,
  mongo.MongoOperationTimeoutError,
];

/** Errors of the connection pool whose classes the driver does not export. */
const poolErrors = new Set(['MongoPoolClosedError', 'MongoWaitQueueTimeoutError']);

/**
 * Codes of a MongoDB server that is stepping down, shutting down, full, or unreachable from the server that responded.
 * Source: MongoDB's retryable writes and server discovery specifications.
 */
const serverCodes = new Map<unknown, string>([
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

/** Whether an error of the driver or Mongoose was caused by a database that is down or electing a primary. */
export function isMongoOutage(error: Error): boolean {
  if (outageClasses.some((outageClass) => error instanceof outageClass) || poolErrors.has(error.name)) return true;
  if (error instanceof mongo.MongoServerError) {
    // A bulk write wraps its connection error.
    const { code, errorResponse } = error as { code?: unknown; errorResponse?: unknown };
    return serverCodes.has(code) || (errorResponse instanceof Error && isMongoOutage(errorResponse));
  }
  if (isBrokenWrite(error)) return true;
  // Mongoose buffers operations while it reconnects; its timeout error has no class of its own.
  return error instanceof MongooseError && error.message.includes('buffering timed out');
}

/** The driver passes on Node's own error when a connection breaks during a write. */
function isBrokenWrite(error: Error & { code?: unknown; syscall?: unknown }): boolean {
  return error.code === 'EPIPE' || (error.code === 'ECONNRESET' && error.syscall === 'write');
}

/** Whether Mongoose could not cast a value to the type of its path, such as an id. */
export function isCastError(error: unknown): boolean {
  return error instanceof MongooseErrors.CastError;
}

/** Whether an error is MongoDB's duplicate key error. */
export function isDuplicateKey(error: unknown): error is Error & { keyPattern: Record<string, number> } {
  return error instanceof Error && 'code' in error && error.code === 11_000;
}
