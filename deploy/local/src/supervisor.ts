import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { prepareDataFolder } from './data-folder.ts';
import { keepWatchdog, type WatchdogOptions } from './keep-watchdog.ts';
import { StartupError } from './settings.ts';
import { type ProcessSpec, prepareRun, type SupervisedProcess, superviseProcess } from './supervised-process.ts';

/** Processes stop phase by phase, in this order. Each phase has a deadline in ms before SIGKILL: under 10 s in total. */
const PHASES = { gateway: 3000, services: 4000, backing: 2500 } as const;
/** When a process stops: with the gateway, the services, or the backing services. */
export type Phase = keyof typeof PHASES;

export interface SupervisorOptions extends WatchdogOptions {
  logDir: string;
  /** The interval between health checks of a process, for tests. */
  healthPollMs?: number;
}

/** Runs processes, restarts those that die, and stops all of them in order. */
export interface Supervisor {
  /** Starts a process and keeps it running until `stop`. Resolves when it is ready; rejects with a StartupError. */
  start(phase: Phase, spec: ProcessSpec): Promise<void>;
  /** Stops everything, phase by phase. A second call waits for the first. */
  stop(): Promise<void>;
  /** Kills everything immediately. */
  kill(): void;
}

/**
 * Creates a supervisor that holds the lock on the data folder.
 * @throws StartupError if another instance holds it
 */
export async function createSupervisor(options: SupervisorOptions): Promise<Supervisor> {
  mkdirSync(options.logDir, { recursive: true });
  const watchdog = await keepWatchdog(options);
  const watch = {
    logDir: options.logDir,
    onEvent: options.onEvent,
    healthPollMs: options.healthPollMs,
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
      await prepareRun(spec, watch);
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
}

/**
 * Locks the data folder of a stopped product. `stop` of the result releases the lock.
 * @throws DataFolderBusy immediately if the product is running on the folder
 */
export async function lockDataFolder(dataDir: string): Promise<Supervisor> {
  await prepareDataFolder(dataDir);
  return createSupervisor({
    logDir: join(dataDir, 'logs'),
    lockFile: join(dataDir, 'lock'),
    onEvent: () => {},
    lockWaitMs: 0,
  });
}
