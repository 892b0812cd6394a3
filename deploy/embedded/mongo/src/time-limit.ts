import { mongoError } from './errors.ts';

/** The running command's deadline, by `performance.now()`. One is enough: the server runs one command at a time. */
let expiresAt = Number.POSITIVE_INFINITY;

/** Runs work with a time limit. The work must call `checkTimeLimit` regularly. */
export function withTimeLimit<T>(limitMs: number, work: () => T): T {
  expiresAt = performance.now() + limitMs;
  try {
    return work();
  } finally {
    expiresAt = Number.POSITIVE_INFINITY;
  }
}

/** The rest of the running command's time, in milliseconds. Infinity without a limit. */
export function remainingMs(): number {
  return expiresAt - performance.now();
}

/** @throws {CommandError} MaxTimeMSExpired when the running command has used up its time */
export function checkTimeLimit(): void {
  if (performance.now() > expiresAt) throw mongoError('MaxTimeMSExpired', 'operation exceeded time limit');
}
