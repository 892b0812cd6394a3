import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

/** The product's processes, with patterns of their command lines. */
const COMMAND_LINES = {
  auth: /services\/auth\/src\/main\.ts/,
  catalog: /services\/catalog\/src\/main\.ts/,
  recording: /services\/recording\/src\/main\.ts/,
  worker: /services\/recording\/src\/worker\.ts/,
  history: /services\/history\/src\/main\.ts/,
  gateway: /gateway\/src\/main\.ts/,
  mongo: /embedded\/mongo\/src\/main\.ts|mongod\b.*--dbpath/,
  redis: /(redis|valkey)-server(?!.*sentinel)/,
  s3: /embedded\/s3\/src\/main\.ts|minio.*server/,
} as const;

/** A part of the product that runs as a process. */
export type Component = keyof typeof COMMAND_LINES;

/** The components with a `/readyz` endpoint, which includes their dependencies. */
export const SERVICES: readonly Component[] = ['auth', 'catalog', 'recording', 'worker', 'history', 'gateway'];

export const COMPONENTS = Object.keys(COMMAND_LINES) as Component[];

/** A process of the product under test. */
export interface RunningProcess {
  pid: number;
  /** Undefined for the supervisors, their watchdogs, and children such as ffmpeg. */
  component: Component | undefined;
  rssBytes: number;
  /** The port that a service listens on, from its environment. */
  port: number | undefined;
}

function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    // The process has exited in the meantime.
    return '';
  }
}

function workingFolder(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

/**
 * Every process of one run: those that inherited this temporary folder (`TMPDIR`), or whose working folder is in the run's
 * folder, since Redis overwrites its environment with its title.
 */
export function findProcesses(folder: string, temporaryFolder: string): RunningProcess[] {
  const marker = `\0TMPDIR=${temporaryFolder}\0`;
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) return [];
    const environment = `\0${read(pid, 'environ')}`;
    const isOurs = environment.includes(marker) || workingFolder(pid).startsWith(folder);
    if (!isOurs) return [];
    const commandLine = read(pid, 'cmdline').replaceAll('\0', ' ');
    const component = COMPONENTS.find((known) => COMMAND_LINES[known].test(commandLine));
    const port = /\0PORT=(\d+)\0/.exec(environment)?.[1];
    const residentKib = /VmRSS:\s+(\d+) kB/.exec(read(pid, 'status'))?.[1];
    return [{ pid, component, rssBytes: Number(residentKib ?? 0) * 1024, port: port ? Number(port) : undefined }];
  });
}

/** Sends a signal to processes, ignoring those that have exited. */
export function signalProcesses(processes: readonly { pid: number }[], signal: NodeJS.Signals): void {
  for (const { pid } of processes) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
}
