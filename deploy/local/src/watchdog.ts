/**
 * A process that outlives the supervisor. It holds the lock on the data folder and reads from its standard input which
 * process groups run (`add PID`, `remove PID`). When that pipe closes, for whatever reason, it stops the remaining groups
 * and then releases the lock.
 *
 *     node watchdog.ts LOCK_FILE    prints `ready`, `busy` or `failed REASON`
 */
import { createInterface } from 'node:readline';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive, signalGroup } from './process-group.ts';

const STOP_DEADLINE_MS = 8000;
const POLL_MS = 50;
const SQLITE_BUSY = 5;

/** Acquires the lock. SQLite uses a kernel lock that ends with this process, so it can never go stale. */
function lock(path: string): string {
  let database: DatabaseSync | undefined;
  try {
    const opened = new DatabaseSync(path);
    database = opened;
    opened.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
    // The listener keeps the database reachable, and thereby open, until the process exits.
    process.once('exit', () => opened.close());
    return 'ready';
  } catch (error) {
    database?.close();
    return (error as { errcode?: number }).errcode === SQLITE_BUSY ? 'busy' : `failed ${(error as Error).message}`;
  }
}

async function stopAll(pids: ReadonlySet<number>): Promise<void> {
  for (const pid of pids) signalGroup(pid, 'SIGTERM');
  const deadline = Date.now() + STOP_DEADLINE_MS;
  while (Date.now() < deadline && [...pids].some(isAlive)) await delay(POLL_MS);
  for (const pid of pids) signalGroup(pid, 'SIGKILL');
}

// The supervisor handles the terminal's signals.
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
