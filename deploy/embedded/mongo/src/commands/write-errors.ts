import { BSONError, Double, Int32 } from 'bson';
import type { Doc } from '../bson/values.ts';
import { CommandError, mongoError } from '../errors.ts';
import type { Catalog } from '../storage/catalog.ts';

/** SQLite's result code for a full disk. https://www.sqlite.org/rescode.html#full */
const SQLITE_FULL = 13;

/** Converts an error to one for the client. An unexpected one becomes an internal error. */
export function toCommandError(error: unknown): CommandError {
  if (error instanceof CommandError) return error;
  if (error instanceof BSONError) return mongoError('BadValue', error.message);
  if (error instanceof RangeError && error.message.includes('call stack')) {
    return mongoError('Overflow', 'The document is nested too deeply');
  }
  // The bson package encodes into a buffer of 17 MB, and throws this past its end.
  if (error instanceof RangeError && error.message.includes('out of range')) {
    return mongoError('BSONObjectTooLarge', 'The document is larger than 16 MB');
  }
  if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_FULL) {
    return mongoError('OutOfDiskSpace', 'The disk of the data file is full');
  }
  return mongoError('InternalError', error instanceof Error ? error.message : String(error));
}

/** The reply to a failed command. */
export function errorReply(error: unknown): Doc {
  const { code, codeName, message, details } = toCommandError(error);
  return { ok: new Double(0), errmsg: message, code: new Int32(code), codeName, ...details };
}

/** An entry of `writeErrors`. */
export function writeError(index: number, error: CommandError): Doc {
  return { index: new Int32(index), code: new Int32(error.code), ...error.details, errmsg: error.message };
}

/** Errors that roll back the whole command, not only one operation of it. */
const ENDS_COMMAND = new Set(['InternalError', 'MaxTimeMSExpired', 'OutOfDiskSpace']);

/** Runs the operations of a bulk, each atomically. The first error ends an ordered bulk. Returns the errors. */
export function runBulk<T>(
  catalog: Catalog,
  operations: readonly T[],
  ordered: boolean,
  run: (operation: T, index: number) => void,
): Doc[] {
  const errors: Doc[] = [];
  for (const [index, operation] of operations.entries()) {
    try {
      catalog.database.savepoint(() => run(operation, index));
    } catch (error) {
      const failure = toCommandError(error);
      if (ENDS_COMMAND.has(failure.codeName)) throw error;
      catalog.reload();
      errors.push(writeError(index, failure));
      if (ordered) break;
    }
  }
  return errors;
}
