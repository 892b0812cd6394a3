import { mongoError } from './errors.ts';

/** When the running command's time is over, by `performance.now()`. One is enough: the server runs one command at a time. */
let expiresAt = Number.POSITIVE_INFINITY;

/** Runs work that may take `limitMs` at most. The work must call `checkTimeLimit` as it goes. */
export function withTimeLimit<T>(limitMs: number, work: () => T): T {
  expiresAt = performance.now() + limitMs;
  try {
    return work();
  } finally {
    expiresAt = Number.POSITIVE_INFINITY;
  }
}

/** What is left of the running command's time, in milliseconds. Infinity without a limit. */
export function remainingMs(): number {
  return expiresAt - performance.now();
}

/** @throws {CommandError} MaxTimeMSExpired when the running command has used up its time */
export function checkTimeLimit(): void {
  if (performance.now() > expiresAt) throw mongoError('MaxTimeMSExpired', 'operation exceeded time limit');
}
