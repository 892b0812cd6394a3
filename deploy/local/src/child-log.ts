import { closeSync, fstatSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';

const MAX_LOG_BYTES = 5 * 1024 ** 2;
const KEPT_LOGS = 3;
const TAIL_BYTES = 16 * 1024;
const MAX_MESSAGE_LENGTH = 600;
/** Log levels of lines that may explain why a process exited. */
const ERROR_LEVELS = ['error', 'fatal'];

/** `recording worker` → `<logDir>/recording-worker.log`. */
export function logPath(logDir: string, name: string): string {
  return join(logDir, `${name.replaceAll(' ', '-')}.log`);
}

const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;

/** Opens a log for appending. A log over 5 MB is rotated first: to `.1`, `.1` to `.2`, and so on. */
export function openChildLog(path: string): { descriptor: number; sizeBytes: number } {
  if (sizeOf(path) > MAX_LOG_BYTES) {
    for (let age = KEPT_LOGS - 1; age >= 0; age -= 1) {
      const from = age === 0 ? path : `${path}.${age}`;
      if (sizeOf(from) > 0) renameSync(from, `${path}.${age + 1}`);
    }
  }
  const descriptor = openSync(path, 'a', 0o600);
  return { descriptor, sizeBytes: fstatSync(descriptor).size };
}

type PinoLine = { level?: string; msg?: string; err?: { message?: string } };

/** The message and error of a pino line, or the whole line if it is not JSON. Drops pino lines below `error`. */
function readable(line: string): string | undefined {
  if (!line.startsWith('{')) return line.trim() === '' ? undefined : line.trim();
  try {
    const { level = '', msg = '', err } = JSON.parse(line) as PinoLine;
    return ERROR_LEVELS.includes(level) ? [msg, err?.message].filter(Boolean).join(': ') : undefined;
  } catch (error) {
    if (error instanceof SyntaxError) return line;
    throw error;
  }
}

/** The last message in a log since `fromByte`, as one line of at most 600 characters; empty if there is none. */
export function lastMessage(path: string, fromByte: number): string {
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
  // Node prints source and stack around an uncaught error; only the error itself is useful here.
  const uncaught = lines.findLast((line) => /^(Uncaught )?\w*Error\b.*: /.test(line));
  return (uncaught ?? lines.slice(-5).join(' · ')).slice(-MAX_MESSAGE_LENGTH);
}
