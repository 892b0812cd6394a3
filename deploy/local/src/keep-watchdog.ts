import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { StartupError } from './settings.ts';
import type { ProcessEvent } from './supervised-process.ts';

export interface WatchdogOptions {
  /** Locked as long as any process of this supervisor lives, which keeps a second supervisor from starting. */
  lockFile: string;
  onEvent: (event: ProcessEvent) => void;
  /** Called once if another supervisor holds the lock, before waiting for it. */
  onWait?: () => void;
  /** How long to wait for the lock; 10 s by default. */
  lockWaitMs?: number;
}

/** A process that stops all others if this one is killed. It is restarted if it is killed itself. */
export interface Watchdog {
  add(pid: number): void;
  /** Removes a process group that has exited. */
  remove(pid: number): void;
  /** Releases the lock. Resolves when no watchdog is left. */
  dismiss(): Promise<void>;
}

/** Another instance holds the lock on the data folder. */
export class DataFolderBusy extends StartupError {}

const WATCHDOG = fileURLToPath(new URL('./watchdog.ts', import.meta.url));
const LOCK_WAIT_MS = 10_000;
const LOCK_RETRY_MS = 250;
const REPLACE_PAUSE_MS = 500;

/**
 * Starts one watchdog. Resolves with it and a promise of its exit reason, or with undefined while another instance holds the lock.
 * @throws StartupError if the file cannot be locked
 */
async function startWatchdog(lockFile: string) {
  const child = spawn(process.execPath, [WATCHDOG, lockFile], { stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  child.stdin.on('error', (error) => console.error(`Lost connection to the watchdog: ${error.message}`));
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`cannot be started (${error.message})`));
    child.once('exit', (code, signal) => resolve(signal ? `was killed (${signal})` : `ended with status ${code}`));
  });
  let answer: string | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    answer = line;
    break;
  }
  if (answer === 'ready') return { child, ended };
  if (answer === 'busy') return undefined;
  throw new StartupError(`${lockFile} cannot be locked (${answer ?? (await ended)}); remove it and start again.`);
}

/** Starts the first watchdog. Waits for the lock, since a supervisor that was just killed may still be stopping its processes. */
async function awaitWatchdog({ lockFile, onWait, lockWaitMs = LOCK_WAIT_MS }: WatchdogOptions) {
  const deadline = Date.now() + lockWaitMs;
  let waiting = false;
  for (;;) {
    const watchdog = await startWatchdog(lockFile);
    if (watchdog) return watchdog;
    if (Date.now() > deadline)
      throw new DataFolderBusy(`Another instance is using this data folder; stop it first (${lockFile} is locked).`);
    if (!waiting) onWait?.();
    waiting = true;
    await delay(LOCK_RETRY_MS);
  }
}

/**
 * Starts a watchdog and restarts it if it dies. Deaths are reported to `onEvent`; a new watchdog gets the same process groups.
 * @throws StartupError if the lock cannot be acquired
 */
export async function keepWatchdog(options: WatchdogOptions): Promise<Watchdog> {
  const pids = new Set<number>();
  let current = await awaitWatchdog(options);
  let dismissed = false;

  const send = (line: string): void => {
    const { child } = current;
    if (child.exitCode === null && child.signalCode === null) child.stdin.write(`${line}\n`);
  };

  const replace = async (how: string): Promise<void> => {
    options.onEvent({ kind: 'died', name: 'watchdog', how, message: '', restartInMs: REPLACE_PAUSE_MS });
    for (;;) {
      await delay(REPLACE_PAUSE_MS);
      if (dismissed) return;
      const next = await startWatchdog(options.lockFile);
      if (!next) continue;
      current = next;
      for (const pid of pids) send(`add ${pid}`);
      if (dismissed) current.child.stdin.end();
      else options.onEvent({ kind: 'recovered', name: 'watchdog', pid: current.child.pid ?? 0 });
      return;
    }
  };

  const keep = async (): Promise<void> => {
    while (!dismissed) {
      const how = await current.ended;
      if (!dismissed) await replace(how);
    }
    await current.ended;
  };
  const kept = keep().catch((error: Error) =>
    options.onEvent({
      kind: 'died',
      name: 'watchdog',
      how: 'cannot be replaced',
      message: error.message,
      restartInMs: 0,
    }),
  );

  return {
    add(pid) {
      pids.add(pid);
      send(`add ${pid}`);
    },
    remove(pid) {
      pids.delete(pid);
      send(`remove ${pid}`);
    },
    async dismiss() {
      dismissed = true;
      current.child.stdin.end();
      await kept;
    },
  };
}
