import { mkdirSync } from 'node:fs';
import { keepWatchdog, type WatchdogOptions } from './keep-watchdog.ts';
import { StartupError } from './startup-error.ts';
import { type ProcessSpec, type SupervisedProcess, superviseProcess } from './supervised-process.ts';

/** What is stopped together, in this order, and how long each may take before it is ended by force: under 10 s in all. */
const PHASES = { gateway: 3000, services: 4000, backing: 2500 } as const;
export type Phase = keyof typeof PHASES;

export interface SupervisorOptions extends WatchdogOptions {
  logDir: string;
}

export interface Supervisor {
  /** Starts a process and keeps it running until `stop`; resolves when it is ready. Rejects with a StartupError. */
  start(phase: Phase, spec: ProcessSpec): Promise<void>;
  /** Stops everything, phase by phase; a second call joins the first. Leaves no process. */
  stop(): Promise<void>;
  /** Ends everything at once, without asking. */
  kill(): void;
}

export const createSupervisor = async (options: SupervisorOptions): Promise<Supervisor> => {
  mkdirSync(options.logDir, { recursive: true });
  const watchdog = await keepWatchdog(options);
  const watch = {
    logDir: options.logDir,
    onEvent: options.onEvent,
    onSpawn: (pid: number) => watchdog.add(pid),
    onExit: (pid: number) => watchdog.remove(pid),
  };
  const phases: Record<Phase, SupervisedProcess[]> = { gateway: [], services: [], backing: [] };
  let stopped: Promise<void> | undefined;

  const stopAll = async (): Promise<void> => {
    for (const phase of Object.keys(PHASES) as Phase[]) {
      await Promise.all(phases[phase].map((supervised) => supervised.stop(PHASES[phase])));
    }
    await watchdog.dismiss();
  };

  return {
    async start(phase, spec) {
      if (stopped) throw new StartupError('Stopped while starting.');
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
