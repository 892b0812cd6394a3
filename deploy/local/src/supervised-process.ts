import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { lastMessage, logPath, openChildLog } from './child-log.ts';
import { groupGone, signalGroup } from './process-group.ts';
import { StartupError } from './settings.ts';

export interface ProcessSpec {
  /** Shown to the user; also the name of the log: `recording worker`. */
  name: string;
  /** Shown instead of the name once the process has started: `MongoDB, embedded`. */
  title?: string;
  command: string;
  args: readonly string[];
  /** The complete environment of the process. */
  env: Readonly<Record<string, string>>;
  /** Called before each start. A non-empty result is shown to the user. */
  prepare?: () => Promise<string>;
  /** Polled after each start until it resolves with true. */
  isReady: () => Promise<boolean>;
  /** The health check while running. A process that fails it for 30 s is killed and restarted. */
  isAnswering?: (() => Promise<boolean>) | undefined;
  /** Receives messages from the process over its IPC channel. Without a handler there is no channel. */
  onMessage?: (message: unknown) => void;
}

/** Events of a process, for display. `how`: how it exited, in words; `message`: the end of its log. */
export type ProcessEvent =
  | { kind: 'started'; name: string; title: string; pid: number; tookMs: number }
  | { kind: 'prepared'; name: string; message: string }
  | { kind: 'died'; name: string; how: string; message: string; restartInMs: number }
  | { kind: 'recovered'; name: string; pid: number };

/** Where processes log, and callbacks. `onSpawn` and `onExit` get the pid of each run. */
export interface SupervisionOptions {
  logDir: string;
  onEvent: (event: ProcessEvent) => void;
  onSpawn: (pid: number) => void;
  onExit: (pid: number) => void;
  /** The interval between health checks, for tests. */
  healthPollMs?: number | undefined;
}

/** A process that is restarted whenever it dies, until it is stopped. */
export interface SupervisedProcess {
  name: string;
  /** Resolves when the process is ready. Rejects with a StartupError if its first start fails. */
  ready: Promise<void>;
  /** Sends SIGTERM, and after the deadline SIGKILL to the whole group. Can be called at any time, even before it is ready. */
  stop(deadlineMs: number): Promise<void>;
  /** Sends SIGKILL to the whole group. */
  kill(): void;
}

const READY_DEADLINE_MS = 60_000;
const READY_POLL_MS = 40;
/**
 * With a check's own timeout of 2 s, three consecutive checks fail in 30 s. Counts checks rather than seconds, so that
 * suspending the machine doesn't look like a hang.
 */
const HEALTH_POLL_MS = 8000;
const HUNG_AFTER_CHECKS = 3;
/** A killed group takes a moment to disappear. */
const GONE_DEADLINE_MS = 500;
const FIRST_BACKOFF_MS = 500;
const MAX_BACKOFF_MS = 15_000;
/** A process that ran this long counts as recovered: the backoff is reset. */
const STABLE_MS = 30_000;

type Run = {
  child: ChildProcess;
  startedAt: number;
  logStart: number;
  /** How it exited, in words; undefined while it runs. */
  how: string | undefined;
  /** Why this supervisor killed it, if it did. */
  killedFor: string | undefined;
  ended: Promise<string>;
};

/**
 * Runs the preparation that a process needs before each start.
 * @throws StartupError if it fails
 */
export async function prepareRun(
  { name, prepare }: ProcessSpec,
  options: Pick<SupervisionOptions, 'onEvent'>,
): Promise<void> {
  if (!prepare) return;
  try {
    const message = await prepare();
    if (message !== '') options.onEvent({ kind: 'prepared', name, message });
  } catch (error) {
    throw new StartupError(`The ${name} cannot be started: ${(error as Error).message}`);
  }
}

/** Starts one run of the process in its own process group, with its output appended to its log. */
function startRun(spec: ProcessSpec, options: SupervisionOptions): Run {
  const { descriptor, sizeBytes: logStart } = openChildLog(logPath(options.logDir, spec.name));
  const child = spawn(spec.command, spec.args, {
    env: spec.env,
    stdio: spec.onMessage ? ['ignore', descriptor, descriptor, 'ipc'] : ['ignore', descriptor, descriptor],
    // Its own group: Ctrl-C in the terminal reaches only the supervisor, which stops everything in order.
    detached: true,
  });
  closeSync(descriptor);
  if (spec.onMessage) child.on('message', spec.onMessage);
  const { pid } = child;
  if (pid !== undefined) options.onSpawn(pid);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => pid === undefined && resolve(`cannot be started (${error.message})`));
    child.once('exit', (code, signal) => resolve(signal ? `was killed (${signal})` : `ended with status ${code}`));
  });
  const run: Run = { child, startedAt: performance.now(), logStart, how: undefined, killedFor: undefined, ended };
  void ended.then((how) => {
    run.how = how;
    if (pid === undefined) return;
    // Kill orphaned children.
    signalGroup(pid, 'SIGKILL');
    options.onExit(pid);
  });
  return run;
}

/**
 * Resolves once the process is ready.
 * @throws StartupError with its last output if it exits first, or isn't ready within a minute
 */
async function untilReady(spec: ProcessSpec, options: SupervisionOptions, run: Run): Promise<void> {
  const path = logPath(options.logDir, spec.name);
  while (run.how === undefined) {
    if (await spec.isReady()) return;
    if (performance.now() - run.startedAt > READY_DEADLINE_MS) {
      throw new StartupError(`The ${spec.name} is not ready after ${READY_DEADLINE_MS / 1000} s; see ${path}.`);
    }
    await delay(READY_POLL_MS);
  }
  throw new StartupError(
    `The ${spec.name} ${run.how}: ${lastMessage(path, run.logStart) || `it printed nothing; see ${path}.`}`,
  );
}

/** Resolves once the process has failed its health check for too long, or has exited. */
async function untilHung(
  { isAnswering }: ProcessSpec,
  { healthPollMs = HEALTH_POLL_MS }: SupervisionOptions,
  run: Run,
): Promise<void> {
  if (!isAnswering) return run.ended.then(() => undefined);
  for (let failed = 0; run.how === undefined && failed < HUNG_AFTER_CHECKS; ) {
    await delay(healthPollMs, undefined, { ref: false });
    failed = (await isAnswering().catch(() => false)) ? 0 : failed + 1;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

/** Starts a process and restarts it whenever it exits. Exits are reported to `onEvent`; restarts use exponential backoff. */
export function superviseProcess(spec: ProcessSpec, options: SupervisionOptions): SupervisedProcess {
  const { name } = spec;
  const stopping = new AbortController();
  let current = startRun(spec, options);

  const kill = (run: Run, reason: string): void => {
    if (run.how !== undefined || stopping.signal.aborted) return;
    run.killedFor = reason;
    if (run.child.pid !== undefined) signalGroup(run.child.pid, 'SIGKILL');
  };

  const killWhenHung = async (run: Run): Promise<void> => {
    await untilHung(spec, options, run);
    kill(run, 'failed its health checks and was killed');
  };

  const restart = async (backoffMs: number): Promise<void> => {
    // After SIGKILL there is no last message: the end of the log is unrelated.
    const wasKilled = current.child.signalCode === 'SIGKILL';
    const message = wasKilled ? '' : lastMessage(logPath(options.logDir, name), current.logStart);
    options.onEvent({
      kind: 'died',
      name,
      how: current.killedFor ?? current.how ?? '',
      message,
      restartInMs: backoffMs,
    });
    await Promise.race([delay(backoffMs), aborted(stopping.signal)]);
    if (stopping.signal.aborted) return;
    // If this fails, so does the start, which is retried.
    await prepareRun(spec, options).catch(() => undefined);
    const restarted = startRun(spec, options);
    current = restarted;
    void untilReady(spec, options, restarted).then(
      () => {
        options.onEvent({ kind: 'recovered', name, pid: restarted.child.pid ?? 0 });
        void killWhenHung(restarted);
      },
      // If it exited, the loop in keepRunning reports that. If it hangs, it is killed here.
      () => kill(restarted, 'was not ready in time and was killed'),
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
    await untilReady(spec, options, current);
    const { child, startedAt } = current;
    const tookMs = Math.round(performance.now() - startedAt);
    options.onEvent({ kind: 'started', name, title: spec.title ?? name, pid: child.pid ?? 0, tookMs });
    void keepRunning();
    void killWhenHung(current);
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
}
