import { closeSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MAX_LOG_BYTES = 5 * 1024 ** 2;
const KEPT_LOGS = 3;
const TAIL_BYTES = 16 * 1024;
const MAX_MESSAGE_LENGTH = 600;
/** Pino's number for `error`. */
const PINO_ERROR = 50;

/** `recording worker` → `<logDir>/recording-worker.log`. */
export const logPath = (logDir: string, name: string): string => join(logDir, `${name.replaceAll(' ', '-')}.log`);

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/**
 * Opens a log to append to and gives its descriptor, with the size it has; one that has grown over 5 MB is first moved
 * to `.1`, and `.1` to `.2` and so on.
 */
export const openChildLog = (path: string): { descriptor: number; sizeBytes: number } => {
  if (sizeOf(path) > MAX_LOG_BYTES) {
    for (let age = KEPT_LOGS - 1; age >= 0; age -= 1) {
      const from = age === 0 ? path : `${path}.${age}`;
      if (sizeOf(from) > 0) renameSync(from, `${path}.${age + 1}`);
    }
  }
  const descriptor = openSync(path, 'a', 0o600);
  return { descriptor, sizeBytes: fstatSync(descriptor).size };
};

type PinoLine = { level?: number; msg?: string; err?: { message?: string } };

/** A log line's meaning: of pino's JSON the message and its error, of other lines the line. Lines below error are dropped. */
const readable = (line: string): string | undefined => {
  if (!line.startsWith('{')) return line.trim() === '' ? undefined : line.trim();
  try {
    const { level = 0, msg = '', err } = JSON.parse(line) as PinoLine;
    return level >= PINO_ERROR ? [msg, err?.message].filter(Boolean).join(': ') : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return line;
    throw error;
  }
};

/** The last that a process said since `fromByte`, in one line of at most 600 characters; empty when it said nothing. */
export const lastMessage = (path: string, fromByte: number): string => {
  const size = sizeOf(path);
  const start = Math.max(fromByte, size - TAIL_BYTES);
  if (size <= start) return '';
  const descriptor = openSync(path, 'r');
  const tail = Buffer.alloc(size - start);
  readSync(descriptor, tail, 0, tail.length, start);
  closeSync(descriptor);
  const lines = tail
    .toString('utf8')
    .split('\n')
    .flatMap((line) => readable(line) ?? []);
  // Node prints the source line and the stack around an uncaught error: the error itself says most.
  const uncaught = lines.findLast((line) => /^(Uncaught )?\w*Error\b.*: /.test(line));
  return (uncaught ?? lines.slice(-5).join(' · ')).slice(-MAX_MESSAGE_LENGTH);
};
