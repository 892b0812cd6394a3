import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { lastMessage, logPath, openChildLog } from './child-log.ts';
import { groupGone, signalGroup } from './process-group.ts';
import { StartProblem } from './start-problem.ts';

export interface ProcessSpec {
  /** Shown to the user, and the log's name: `recording worker`. */
  name: string;
  /** More for the user than the name, told when it starts: `MongoDB, the embedded one`. */
  title?: string;
  command: string;
  args: readonly string[];
  /** The whole environment of the process. */
  env: Readonly<Record<string, string>>;
  /** Asked again and again after a start until it says yes. */
  isReady: () => Promise<boolean>;
}

export type ProcessEvent =
  | { kind: 'started'; name: string; title: string; pid: number; tookMs: number }
  | { kind: 'died'; name: string; how: string; message: string; restartInMs: number }
  | { kind: 'recovered'; name: string; pid: number };

/** How a process is watched; `onSpawn` and `onExit` tell the pid of each process in turn. */
export interface Watch {
  logDir: string;
  onEvent: (event: ProcessEvent) => void;
  onSpawn: (pid: number) => void;
  onExit: (pid: number) => void;
}

export interface SupervisedProcess {
  name: string;
  /** Resolves when it serves; rejects with a StartProblem when its first start fails. */
  ready: Promise<void>;
  /** SIGTERM, and after the deadline SIGKILL to all that is left of it. Works at any moment, also before it is ready. */
  stop(deadlineMs: number): Promise<void>;
  /** SIGKILL to it and all that it started. */
  kill(): void;
}

const READY_DEADLINE_MS = 60_000;
const READY_POLL_MS = 40;
/** What was ended by force takes a moment to go. */
const GONE_DEADLINE_MS = 500;
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 15_000;
/** A process that lived this long has recovered: its next death counts as its first. */
const STABLE_MS = 30_000;

type Run = {
  child: ChildProcess;
  startedAt: number;
  logStart: number;
  /** How it ended, in words; undefined while it runs. */
  how: string | undefined;
  ended: Promise<string>;
};

/** Starts one run of the process in a process group of its own, its output appended to its log. */
const startRun = (spec: ProcessSpec, watch: Watch): Run => {
  const { descriptor, sizeBytes: logStart } = openChildLog(logPath(watch.logDir, spec.name));
  const child = spawn(spec.command, spec.args, {
    env: spec.env,
    stdio: ['ignore', descriptor, descriptor],
    // A group of its own: Ctrl-C in the terminal reaches the supervisor alone, which stops all in their order.
    detached: true,
  });
  closeSync(descriptor);
  const { pid } = child;
  if (pid !== undefined) watch.onSpawn(pid);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => pid === undefined && resolve(`cannot be started (${error.message})`));
    child.once('exit', (code, signal) => resolve(signal ? `was ended by ${signal}` : `ended with status ${code}`));
  });
  const run: Run = { child, startedAt: performance.now(), logStart, how: undefined, ended };
  void ended.then((how) => {
    run.how = how;
    if (pid === undefined) return;
    // What it started and left behind.
    signalGroup(pid, 'SIGKILL');
    watch.onExit(pid);
  });
  return run;
};

/** Resolves once the run serves; rejects with what it said when it ends before, or does not serve within a minute. */
const untilReady = async (spec: ProcessSpec, watch: Watch, run: Run): Promise<void> => {
  const path = logPath(watch.logDir, spec.name);
  while (run.how === undefined) {
    if (await spec.isReady()) return;
    if (performance.now() - run.startedAt > READY_DEADLINE_MS) {
      throw new StartProblem(`The ${spec.name} is not ready after ${READY_DEADLINE_MS / 1000} s; see ${path}.`);
    }
    await delay(READY_POLL_MS);
  }
  throw new StartProblem(
    `The ${spec.name} ${run.how}: ${lastMessage(path, run.logStart) || `it said nothing; see ${path}.`}`,
  );
};

/** Starts a process and keeps it running: a death is told to `onEvent`, and it starts again, each time after a longer pause. */
export const superviseProcess = (spec: ProcessSpec, watch: Watch): SupervisedProcess => {
  const { name } = spec;
  const stopping = new AbortController();
  let current = startRun(spec, watch);

  const restart = async (backoffMs: number): Promise<void> => {
    // Whoever is ended by SIGKILL had no last words: what its log ends with is about something else.
    const wasKilled = current.child.signalCode === 'SIGKILL';
    const message = wasKilled ? '' : lastMessage(logPath(watch.logDir, name), current.logStart);
    watch.onEvent({ kind: 'died', name, how: current.how ?? '', message, restartInMs: backoffMs });
    await Promise.race([delay(backoffMs), aborted(stopping.signal)]);
    if (stopping.signal.aborted) return;
    const restarted = startRun(spec, watch);
    current = restarted;
    void untilReady(spec, watch, restarted).then(
      () => watch.onEvent({ kind: 'recovered', name, pid: restarted.child.pid ?? 0 }),
      // When it ended instead, the next turn of the loop tells it; when it hangs, this does.
      (problem: Error) => {
        if (restarted.how !== undefined || stopping.signal.aborted) return;
        watch.onEvent({ kind: 'died', name, how: 'does not answer', message: problem.message, restartInMs: 0 });
        restarted.child.kill('SIGKILL');
      },
    );
  };

  const keepRunning = async (): Promise<void> => {
    let backoffMs = FIRST_BACKOFF_MS;
    for (;;) {
      await current.ended;
      if (stopping.signal.aborted) return;
      if (performance.now() - current.startedAt > STABLE_MS) backoffMs = FIRST_BACKOFF_MS;
      await restart(backoffMs);
      if (stopping.signal.aborted) return;
      backoffMs = Math.min(backoffMs * 2, MAX_BACKOFF_MS);
    }
  };

  const start = async (): Promise<void> => {
    await untilReady(spec, watch, current);
    const { child, startedAt } = current;
    const tookMs = Math.round(performance.now() - startedAt);
    watch.onEvent({ kind: 'started', name, title: spec.title ?? name, pid: child.pid ?? 0, tookMs });
    void keepRunning();
  };

  return {
    name,
    ready: start(),
    async stop(deadlineMs) {
      stopping.abort();
      const { child, ended } = current;
      child.kill('SIGTERM');
      const deadline = setTimeout(() => child.pid !== undefined && signalGroup(child.pid, 'SIGKILL'), deadlineMs);
      await ended;
      clearTimeout(deadline);
      if (child.pid !== undefined) await groupGone(child.pid, GONE_DEADLINE_MS);
    },
    kill() {
      stopping.abort();
      if (current.child.pid !== undefined && current.how === undefined) signalGroup(current.child.pid, 'SIGKILL');
    },
  };
};

const aborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
