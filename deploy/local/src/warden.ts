/**
 * The process that outlives its starter: it holds the data folder's lock and is told, line by line on its standard
 * input (`add PID`, `remove PID`), which process groups there are. When that pipe closes, however the starter ended,
 * it stops those that are left, and only then lets the folder go.
 *
 *     node warden.ts LOCK_FILE    answers `ready`, `busy` or `failed WHY`
 */
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive, signalGroup } from './process-group.ts';

const STOP_DEADLINE_MS = 8000;
const POLL_MS = 50;
const SQLITE_BUSY = 5;

/** SQLite's lock is the kernel's: it ends with this process, so it is never left behind. */
const lock = (path: string): string => {
  let database: DatabaseSync | undefined;
  try {
    const opened = new DatabaseSync(path);
    database = opened;
    opened.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    // Kept reachable, and thereby open, until the process ends.
    process.once('exit', () => opened.close());
    return 'ready';
  } catch (error) {
    database?.close();
    return (error as { errcode?: number }).errcode === SQLITE_BUSY ? 'busy' : `failed ${(error as Error).message}`;
  }
};

const stopAll = async (pids: ReadonlySet<number>): Promise<void> => {
  for (const pid of pids) signalGroup(pid, 'SIGTERM');
  const deadline = Date.now() + STOP_DEADLINE_MS;
  while (Date.now() < deadline && [...pids].some(isAlive)) await delay(POLL_MS);
  for (const pid of pids) signalGroup(pid, 'SIGKILL');
};

// The terminal's signals are the starter's to act on.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

const lockPath = process.argv[2];
const state = lockPath ? lock(lockPath) : 'failed no file was named';
process.stdout.write(`${state}\n`);
if (state !== 'ready') process.exit(0);

const pids = new Set<number>();
for await (const line of createInterface({ input: process.stdin })) {
  const [verb, pid] = line.split(' ');
  if (verb === 'add') pids.add(Number(pid));
  if (verb === 'remove') pids.delete(Number(pid));
}
await stopAll(pids);
process.exit(0);
