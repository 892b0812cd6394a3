import { fstatSync, writeSync } from 'node:fs';
import { type Logger, pino, stdTimeFunctions } from 'pino';
import { holdBackRepeats } from './repeated-lines.ts';

/** Where a logger writes its lines. */
interface LogOutput {
  /** Writes a line that ends with a newline. Never blocks, never throws. */
  write(line: string): void;
}

/** The lines kept while nothing can be written. Further ones are dropped. */
const maxKeptBytes = 1024 * 1024;

/** The pauses before a retry, for a slow reader and for a full disk. */
const slowReaderMs = 20;

const fullDiskMs = 1000;

/** How often a process that exits tries to pass its last lines to a slow reader. */
const lastTries = 10;

export type { Logger };

const secret = [
  'password',
  'currentPassword',
  'newPassword',
  'token',
  'accessToken',
  'secret',
  'authorization',
  'cookie',
];

/** Log paths whose values are replaced. */
const redacted = [
  ...secret,
  ...secret.map((name) => `*.${name}`),
  'req.headers.authorization',
  'req.headers.cookie',
  'res.headers["set-cookie"]',
];

/**
 * A JSON logger to standard output; passwords and tokens are redacted. Logging never blocks: what can't be written is dropped
 * and counted. Warnings and errors that repeat are one line for each cause and minute, with a count.
 */
export function createLogger(name: string, level: string): Logger {
  const redact = { paths: redacted, censor: '[redacted]' };
  const hooks = { logMethod: holdBackRepeats() };
  const formatters = { level: (label: string) => ({ level: label }) };
  const timestamp = stdTimeFunctions.isoTime;
  return pino({ name, level, redact, hooks, formatters, timestamp }, createLogOutput(1, name));
}

/** A URL for the log: media and reset tokens in its query are redacted, emails, and what an OpenID provider adds. */
export function loggableUrl(url: string): string {
  return url.replace(/([?&](?:token|code|state|email)=)[^&]*/g, '$1[redacted]');
}

/**
 * Writes log lines to a file descriptor, each at once. While that fails (a full disk, a reader that does not read) it keeps up
 * to a megabyte of lines, drops the rest, and says how many as soon as it can write again.
 * @param name of the logger, for that line
 */
export function createLogOutput(descriptor: number, name: string): LogOutput {
  // Node makes a pipe or socket non-blocking when it opens the stream. Otherwise a reader that stopped would stop this process.
  if (descriptor === 1 && !fstatSync(1).isFile()) void process.stdout;
  const kept: Buffer[] = [];
  let keptBytes = 0;
  let dropped = 0;
  let retry: NodeJS.Timeout | undefined;
  let isExitWatched = false;

  const keep = (line: string) => {
    const bytes = Buffer.from(line);
    kept.push(bytes);
    keptBytes += bytes.length;
  };

  /** @returns the error that stopped it, or null */
  const writeKept = (): NodeJS.ErrnoException | null => {
    try {
      for (let first = kept[0]; first; first = kept[0]) {
        const written = writeSync(descriptor, first);
        keptBytes -= written;
        if (written < first.length) kept[0] = first.subarray(written);
        else kept.shift();
      }
      return null;
    } catch (error) {
      return error as NodeJS.ErrnoException;
    }
  };

  const flush = () => {
    let error = writeKept();
    if (error === null && dropped > 0) {
      keep(`${JSON.stringify({ level: 'warn', time: new Date(), name, dropped, msg: 'log lines were dropped' })}\n`);
      dropped = 0;
      error = writeKept();
    }
    if (error !== null) retryIn(error.code === 'EAGAIN' ? slowReaderMs : fullDiskMs);
  };

  const retryIn = (ms: number) => {
    retry = setTimeout(() => {
      retry = undefined;
      flush();
    }, ms).unref();
    if (isExitWatched) return;
    isExitWatched = true;
    process.once('exit', () => {
      const sleeper = new Int32Array(new SharedArrayBuffer(4));
      for (let tries = 0; tries < lastTries && writeKept()?.code === 'EAGAIN'; tries += 1) {
        Atomics.wait(sleeper, 0, 0, slowReaderMs);
      }
    });
  };

  return {
    write(line) {
      if (dropped > 0 || keptBytes + line.length > maxKeptBytes) dropped += 1;
      else keep(line);
      if (retry === undefined) flush();
    },
  };
}
