import { type ChildProcess, fork } from 'node:child_process';

/** A child's reports on its job: any number of steps, then one outcome. */
export type ChildReport<Step, Result> =
  | { type: 'step'; step: Step }
  | { type: 'done'; result: Result }
  | { type: 'failed'; reason: string };

/** A child process exited or hung during a job. `message` says how. */
export class ChildCrash extends Error {
  override readonly name = 'ChildCrash';
}

/** A child process reported that its job failed. `message` is the reason. */
export class ChildFailure extends Error {
  override readonly name = 'ChildFailure';
}

interface ChildJobOptions<Step> {
  /** Kills the child on abort: a native call can't be interrupted any other way. */
  signal: AbortSignal;
  /** The longest time allowed between two reports. */
  stepTimeoutMs: number;
  onStep?: (step: Step) => void;
}

/** Child processes that do one job at a time and stay warm for a while afterward. */
export interface WarmChildren<Job, Step, Result> {
  /** @throws ChildCrash, ChildFailure, or the signal's reason */
  run(job: Job, options: ChildJobOptions<Step>): Promise<Result>;
  /** Starts a child for an upcoming job, unless one is idle or all slots are taken. */
  prepare(): void;
  /** The ids of the running processes. */
  pids(): number[];
  close(): void;
}

const defaultIdleMs = 60_000;

/**
 * Runs jobs in child processes, so that a crash, hang or leak affects only one child. A child loads its model
 * once, and is told to exit after `idleMs` without a job.
 * @param options `args`: arguments of each child; `env`: additions to its environment; `slots`: the maximum number of children; jobs wait for a free one
 */
export function createWarmChildren<Job extends object, Step, Result>(options: {
  module: URL;
  args?: readonly string[];
  env?: NodeJS.ProcessEnv;
  slots: number;
  idleMs?: number;
}): WarmChildren<Job, Step, Result> {
  const { module, args = [], env, slots, idleMs = defaultIdleMs } = options;
  const all = new Set<ChildProcess>();
  const idle = new Map<ChildProcess, NodeJS.Timeout>();
  const waiting: (() => void)[] = [];

  const start = (): ChildProcess => {
    const child = fork(module, args, {
      env: { ...process.env, ...env },
      execArgv: [],
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    });
    all.add(child);
    child.once('exit', () => forget(child));
    // If the process couldn't be spawned, no exit event follows.
    child.once('error', () => forget(child));
    return child;
  };
  const forget = (child: ChildProcess) => {
    all.delete(child);
    clearTimeout(idle.get(child));
    idle.delete(child);
    waiting.shift()?.();
  };
  const take = async (): Promise<ChildProcess> => {
    for (;;) {
      const [free] = idle.keys();
      if (free) {
        clearTimeout(idle.get(free));
        idle.delete(free);
        return free;
      }
      if (all.size < slots) return start();
      await new Promise<void>((resolve) => waiting.push(resolve));
    }
  };
  const giveBack = (child: ChildProcess) => {
    if (!all.has(child)) return;
    idle.set(
      child,
      setTimeout(() => child.kill('SIGKILL'), idleMs),
    );
    waiting.shift()?.();
  };

  return {
    async run(job, { signal, stepTimeoutMs, onStep }) {
      const child = await take();
      try {
        signal.throwIfAborted();
        return await new Promise<Result>((resolve, reject) => {
          let ending: unknown;
          const end = (reason: unknown) => {
            ending ??= reason;
            child.kill('SIGKILL');
          };
          const hang = () => end(new ChildCrash(`it did nothing for ${Math.round(stepTimeoutMs / 1000)} s`));
          let timer = setTimeout(hang, stepTimeoutMs);
          const onAbort = () => end(signal.reason);
          signal.addEventListener('abort', onAbort, { once: true });
          const onMessage = (report: ChildReport<Step, Result>) => {
            clearTimeout(timer);
            if (report.type === 'step') {
              timer = setTimeout(hang, stepTimeoutMs);
              onStep?.(report.step);
              return;
            }
            settle();
            if (report.type === 'done') resolve(report.result);
            else reject(new ChildFailure(report.reason));
          };
          const onExit = (status: number | null, killedBy: NodeJS.Signals | null) => {
            settle();
            reject(ending ?? new ChildCrash(`it ended with ${killedBy ?? `status ${status}`}`));
          };
          const onError = (error: Error) => {
            settle();
            reject(new ChildCrash(`it could not be started: ${error.message}`));
          };
          const settle = () => {
            clearTimeout(timer);
            signal.removeEventListener('abort', onAbort);
            child.off('message', onMessage).off('exit', onExit).off('error', onError);
          };
          child.on('message', onMessage).on('exit', onExit).on('error', onError);
          // If the child just exited, its exit event reports that.
          child.send(job, () => undefined);
        });
      } finally {
        giveBack(child);
      }
    },
    prepare() {
      if (idle.size === 0 && all.size < slots) giveBack(start());
    },
    pids: () => [...all].flatMap(({ pid }) => pid ?? []),
    close() {
      for (const child of all) child.kill('SIGKILL');
    },
  };
}
