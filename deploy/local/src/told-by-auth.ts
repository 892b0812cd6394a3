import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { logPath } from './child-log.ts';

const TAIL_BYTES = 64 * 1024;

/** What auth has logged of the users that it found or made. */
export interface ToldByAuth {
  /** With which the first admin sets a password, once; undefined where there is an admin already. */
  link?: string | undefined;
  /** The demonstration's users who sign in with the demonstration password. */
  demoEmails: readonly string[];
}

type Line = Partial<ToldByAuth> & { time?: number };

/** Reads what auth has told in its log since `sinceMs` (since 1970). It tells it at any LOG_LEVEL, before it is ready. */
export const toldByAuth = (logDir: string, sinceMs: number): ToldByAuth => {
  const descriptor = openSync(logPath(logDir, 'auth'), 'r');
  const { size } = fstatSync(descriptor);
  const tail = Buffer.alloc(Math.min(size, TAIL_BYTES));
  readSync(descriptor, tail, 0, tail.length, size - tail.length);
  closeSync(descriptor);
  const lines = tail
    .toString('utf8')
    .split('\n')
    .filter((line) => line.startsWith('{') && line.endsWith('}') && /"(link|demoEmails)":/.test(line))
    .map((line) => JSON.parse(line) as Line)
    .filter(({ time = 0 }) => time >= sinceMs);
  return {
    link: lines.findLast(({ link }) => link !== undefined)?.link,
    demoEmails: lines.findLast(({ demoEmails }) => demoEmails !== undefined)?.demoEmails ?? [],
  };
};
