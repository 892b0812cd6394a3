import { fstatSync, writeSync } from 'node:fs';
import { type Logger, pino, stdTimeFunctions } from 'pino';
import { holdBackRepeats } from './repeated-lines.ts';

/** The destination of a logger's lines. */
interface LogOutput {
  /** Writes a line that ends with a newline. Never blocks, never throws. */
  write(line: string): void;
}

/** How much is buffered while nothing can be written. Further lines are dropped. */
const maxKeptBytes = 1024 * 1024;

/** The pauses before a retry, for a slow reader and for a full disk. */
const slowReaderMs = 20;

const fullDiskMs = 1000;

/** How many times an exiting process tries to write its last lines to a slow reader. */
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
 * A JSON logger to standard output; passwords and tokens are redacted. Logging never blocks: lines that can't be written are
 * dropped and counted. Repeated warnings and errors become one line per cause and minute, with a count.
 */
export function createLogger(name: string, level: string): Logger {
  const redact = { paths: redacted, censor: '[redacted]' };
  const hooks = { logMethod: holdBackRepeats() };
  const formatters = { level: (label: string) => ({ level: label }) };
  const timestamp = stdTimeFunctions.isoTime;
  return pino({ name, level, redact, hooks, formatters, timestamp }, createLogOutput(1, name));
}

/** A URL for the log: its query's media and reset tokens, emails and OpenID parameters are redacted. */
export function loggableUrl(url: string): string {
  return url.replace(/([?&](?:token|code|state|email)=)[^&]*/g, '$1[redacted]');
}

/**
 * Writes log lines to a file descriptor immediately. While that fails (a full disk, a stalled reader), it buffers up to a
 * megabyte of lines, drops the rest, and logs the number dropped once it can write again.
 * @param name the logger's name, for that log line
 */
export function createLogOutput(descriptor: number, name: string): LogOutput {
  // Node makes a pipe or socket non-blocking when it opens the stream. Otherwise a stalled reader would block this process.
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
