import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { StartProblem } from './start-problem.ts';
import type { ProcessEvent } from './supervised-process.ts';

export interface WardenOptions {
  /** A file to hold a lock on as long as any process of this supervisor lives; a second supervisor is refused. */
  lockFile: string;
  onEvent: (event: ProcessEvent) => void;
  /** Told when the lock is taken, before this waits for it. */
  onWait?: () => void;
  /** How long it waits; 10 s unless given. */
  lockWaitMs?: number;
}

/** The process that ends the others should this one be killed, and another one should that be killed itself. */
export interface Warden {
  /** There is a process group to end. */
  add(pid: number): void;
  /** It has ended. */
  remove(pid: number): void;
  /** Lets the lock go; resolves when no warden is left. */
  dismiss(): Promise<void>;
}

const WARDEN = fileURLToPath(new URL('./warden.ts', import.meta.url));
const LOCK_WAIT_MS = 10_000;
const LOCK_RETRY_MS = 250;
const REPLACE_PAUSE_MS = 500;

/** One warden, with how it ended when it has; undefined while another holds the lock. Throws a StartProblem. */
const startWarden = async (lockFile: string) => {
  const child = spawn(process.execPath, [WARDEN, lockFile], { stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  child.stdin.on('error', (error) => console.error(`The warden is gone: ${error.message}`));
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`cannot be started (${error.message})`));
    child.once('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with status ${code}`));
  });
  let answer: string | undefined;
  for await (const line of createInterface({ input: child.stdout })) {
    answer = line;
    break;
  }
  if (answer === 'ready') return { child, ended };
  if (answer === 'busy') return undefined;
  throw new StartProblem(`${lockFile} cannot be locked (${answer ?? (await ended)}); remove it and start again.`);
};

/** A supervisor killed a moment ago may still be ending its processes: this waits for that. */
const awaitWarden = async ({ lockFile, onWait, lockWaitMs = LOCK_WAIT_MS }: WardenOptions) => {
  const deadline = Date.now() + lockWaitMs;
  let waiting = false;
  for (;;) {
    const warden = await startWarden(lockFile);
    if (warden) return warden;
    if (Date.now() > deadline)
      throw new StartProblem(`Another start uses the same data; stop it first (${lockFile} is locked).`);
    if (!waiting) onWait?.();
    waiting = true;
    await delay(LOCK_RETRY_MS);
  }
};

/** Starts a warden and keeps one there: a death is told, and the next learns what the last one knew. Throws a StartProblem. */
export const keepWarden = async (options: WardenOptions): Promise<Warden> => {
  const pids = new Set<number>();
  let current = await awaitWarden(options);
  let dismissed = false;

  const tell = (line: string): void => {
    const { child } = current;
    if (child.exitCode === null && child.signalCode === null) child.stdin.write(`${line}\n`);
  };

  const replace = async (how: string): Promise<void> => {
    options.onEvent({ kind: 'died', name: 'warden', how, message: '', restartInMs: REPLACE_PAUSE_MS });
    for (;;) {
      await delay(REPLACE_PAUSE_MS);
      if (dismissed) return;
      const next = await startWarden(options.lockFile);
      if (!next) continue;
      current = next;
      for (const pid of pids) tell(`add ${pid}`);
      if (dismissed) current.child.stdin.end();
      else options.onEvent({ kind: 'recovered', name: 'warden', pid: current.child.pid ?? 0 });
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
  const kept = keep().catch((problem: Error) =>
    options.onEvent({ kind: 'died', name: 'warden', how: 'is lost', message: problem.message, restartInMs: 0 }),
  );

  return {
    add(pid) {
      pids.add(pid);
      tell(`add ${pid}`);
    },
    remove(pid) {
      pids.delete(pid);
      tell(`remove ${pid}`);
    },
    async dismiss() {
      dismissed = true;
      current.child.stdin.end();
      await kept;
    },
  };
};
