import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { logPath } from './child-log.ts';

/** Who the first admin is where nobody said otherwise. */
export const FIRST_ADMIN_EMAIL = 'admin@example.com';

const TAIL_BYTES = 64 * 1024;

type LinkLine = { time?: number; link?: string };

/**
 * The one-time link with which the first admin sets a password, as auth has logged it since `sinceMs` (since 1970);
 * undefined where there is an admin already.
 */
export const findSetUpLink = (logDir: string, sinceMs: number): string | undefined => {
  const descriptor = openSync(logPath(logDir, 'auth'), 'r');
  const { size } = fstatSync(descriptor);
  const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
  readSync(descriptor, tail, 0, tail.length, size - tail.length);
  closeSync(descriptor);
  return tail
    .toString('utf8')
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}') && line.includes('"link"'))
    .map((line) => JSON.parse(line) as LinkLine)
    .findLast(({ time = 0, link }) => time >= sinceMs && link !== undefined)?.link;
};
