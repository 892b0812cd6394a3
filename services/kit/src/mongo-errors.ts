/**
 * The errors of MongoDB and Mongoose, recognized by the names of their classes. Importing the classes would load Mongoose into
 * the gateway, which has no database: 16 MB.
 */

/** Classes of the MongoDB driver. Subclasses count too, such as MongoNetworkTimeoutError. */
const outageClasses: ReadonlySet<string> = new Set([
  'MongoNetworkError',
  'MongoServerSelectionError',
  'MongoNotConnectedError',
  'MongoServerClosedError',
  'MongoTopologyClosedError',
  'MongoClientClosedError',
  'MongoOperationTimeoutError',
]);

/** Errors of the driver's connection pool, by their `name`. */
const poolErrors = new Set(['MongoPoolClosedError', 'MongoPoolClearedError', 'MongoWaitQueueTimeoutError']);

/**
 * Codes of a MongoDB server that is stepping down, shutting down, full, or not reached by the one that answers.
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

/** The names of an error's class and of those that it extends. */
function classesOf(error: Error): string[] {
  const names: string[] = [];
  for (let prototype = Object.getPrototypeOf(error); prototype; prototype = Object.getPrototypeOf(prototype)) {
    names.push(prototype.constructor.name);
  }
  return names;
}

/** Whether a server that is down, or is changing its part, caused an error of the driver or of Mongoose. */
export function isMongoOutage(error: Error): boolean {
  const classes = classesOf(error);
  if (classes.some((name) => outageClasses.has(name)) || poolErrors.has(error.name)) return true;
  if (classes.includes('MongoServerError')) {
    // A bulk write wraps what broke its connection.
    const { code, errorResponse } = error as { code?: unknown; errorResponse?: unknown };
    return serverCodes.has(code) || (errorResponse instanceof Error && isMongoOutage(errorResponse));
  }
  if (isBrokenWrite(error)) return true;
  // Mongoose holds operations back while it reconnects, and gives up with an error of no class of its own.
  return classes.includes('MongooseError') && error.message.includes('buffering timed out');
}

/** The driver passes Node's own error on where a connection breaks while it waits to write. */
function isBrokenWrite(error: Error & { code?: unknown; syscall?: unknown }): boolean {
  return error.code === 'EPIPE' || (error.code === 'ECONNRESET' && error.syscall === 'write');
}

/** Whether Mongoose could not make the type of a path, such as an id, of the value it was given. */
export function isCastError(error: unknown): boolean {
  return error instanceof Error && error.name === 'CastError';
}

/** Whether an error is MongoDB's duplicate key error. */
export function isDuplicateKey(error: unknown): error is Error & { keyPattern: Record<string, number> } {
  return error instanceof Error && 'code' in error && error.code === 11_000;
}
