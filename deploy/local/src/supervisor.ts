import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { StartProblem } from './start-problem.ts';
import { type ProcessEvent, type ProcessSpec, type SupervisedProcess, superviseProcess } from './supervised-process.ts';

/** What is stopped together, in this order, and how long each may take before it is ended by force: under 10 s in all. */
const PHASES = { gateway: 3000, services: 4000, backing: 2500 } as const;
export type Phase = keyof typeof PHASES;

export interface SupervisorOptions {
  logDir: string;
  /** A file to hold a lock on as long as any process of this supervisor lives; a second supervisor is refused. */
  lockFile: string;
  onEvent: (event: ProcessEvent) => void;
  /** Told when the lock is taken, before this waits for it. */
  onWait?: () => void;
  /** How long it waits; 10 s unless given. */
  lockWaitMs?: number;
}

export interface Supervisor {
  /** Starts a process and keeps it running until `stop`; resolves when it is ready. Rejects with a StartProblem. */
  start(phase: Phase, spec: ProcessSpec): Promise<void>;
  /** Stops everything, phase by phase; a second call joins the first. Leaves no process. */
  stop(): Promise<void>;
  /** Ends everything at once, without asking. */
  kill(): void;
}

const WARDEN = fileURLToPath(new URL('./warden.ts', import.meta.url));
const LOCK_WAIT_MS = 10_000;
const LOCK_RETRY_MS = 250;

/** The process that ends the others should this one be killed. Undefined while another holds the lock. */
const startWarden = async (lockFile: string) => {
  const warden = spawn(process.execPath, [WARDEN, lockFile], { stdio: ['pipe', 'pipe', 'inherit'], detached: true });
  warden.stdin.on('error', (error) => console.error(`The warden is gone: ${error.message}`));
  for await (const line of createInterface({ input: warden.stdout })) {
    if (line === 'ready') return warden;
    if (line !== 'busy') throw new StartProblem(`${lockFile} cannot be locked (${line}); remove it and start again.`);
  }
  return undefined;
};

/** A supervisor killed a moment ago may still be ending its processes: this waits for that. */
const awaitWarden = async ({ lockFile, onWait, lockWaitMs = LOCK_WAIT_MS }: SupervisorOptions) => {
  const deadline = Date.now() + lockWaitMs;
  let waiting = false;
  for (;;) {
    const warden = await startWarden(lockFile);
    if (warden) return warden;
    if (Date.now() > deadline)
      throw new StartProblem(`Another start uses the same data; stop it first (${lockFile} is locked).`);
    if (!waiting) onWait?.();
    waiting = true;
    await new Promise((resolve) => setTimeout(resolve, LOCK_RETRY_MS));
  }
};

export const createSupervisor = async (options: SupervisorOptions): Promise<Supervisor> => {
  mkdirSync(options.logDir, { recursive: true });
  const warden = await awaitWarden(options);
  const tell = (line: string): void => {
    if (warden.exitCode === null && warden.signalCode === null) warden.stdin.write(`${line}\n`);
  };
  const watch = {
    logDir: options.logDir,
    onEvent: options.onEvent,
    onSpawn: (pid: number) => tell(`add ${pid}`),
    onExit: (pid: number) => tell(`remove ${pid}`),
  };
  const phases: Record<Phase, SupervisedProcess[]> = { gateway: [], services: [], backing: [] };
  let stopped: Promise<void> | undefined;

  const stopAll = async (): Promise<void> => {
    for (const phase of Object.keys(PHASES) as Phase[]) {
      await Promise.all(phases[phase].map((supervised) => supervised.stop(PHASES[phase])));
    }
    const ended = once(warden, 'exit');
    warden.stdin.end();
    await ended;
  };

  return {
    async start(phase, spec) {
      if (stopped) throw new StartProblem('Stopped while starting.');
      const supervised = superviseProcess(spec, watch);
      phases[phase].push(supervised);
      await supervised.ready;
    },
    stop() {
      stopped ??= stopAll();
      return stopped;
    },
    kill() {
      for (const supervised of Object.values(phases).flat()) supervised.kill();
    },
  };
};
