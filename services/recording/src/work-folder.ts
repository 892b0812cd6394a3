import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { registerReadGauge } from '@interview-prep/kit/process/read-gauge';
import type { Registry } from '@prometheus-io/client';

/** The limit for incoming uploads, and separately for audio waiting to be transcribed. */
export const spoolMaxBytes = 1e9;

/**
 * A folder for temporary files. Each name contains the process that made it, so that the files of a killed process can be
 * distinguished from those in use.
 */
export interface WorkFolder {
  /** A new path of this process, at which nothing exists. */
  newPath(): string;
  /** Calls `act` with a new empty folder, and removes it afterward. */
  withFolder<Result>(act: (folder: string) => Promise<Result>): Promise<Result>;
  /** Removes the files of processes that have ended. */
  sweep(): Promise<void>;
}

/** Registers a metric for the free disk space for temporary files. */
export function registerDisk(registry: Registry, spoolDir: string): void {
  const measure = (name: string, help: string, blocks: 'bavail' | 'blocks') =>
    registerReadGauge(registry, {
      name,
      help,
      async read() {
        const disk = await statfs(spoolDir);
        return disk[blocks] * disk.bsize;
      },
    });
  measure('spool_disk_available_bytes', 'Room left on the disk of temporary files', 'bavail');
  measure('spool_disk_size_bytes', 'Size of the disk of temporary files', 'blocks');
}

/** @param name of the folder inside `spoolDir`; created for this user only */
export async function openWorkFolder(spoolDir: string, name: string): Promise<WorkFolder> {
  const folder = join(spoolDir, name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // The pid alone is not enough: in a container it is the same after a restart.
  const start = randomUUID().slice(0, 8);
  const newPath = () => join(folder, `${process.pid}-${start}-${randomUUID()}`);
  return {
    newPath,
    async withFolder(act) {
      const path = newPath();
      await mkdir(path, { mode: 0o700 });
      try {
        return await act(path);
      } finally {
        await rm(path, { recursive: true, force: true });
      }
    },
    async sweep() {
      const left = (await readdir(folder)).filter((entry) => {
        const [, pid, of] = /^(\d+)-(\w+)-/.exec(entry) ?? [];
        return pid !== undefined && (Number(pid) === process.pid ? of !== start : !isAlive(Number(pid)));
      });
      await Promise.all(left.map((entry) => rm(join(folder, entry), { recursive: true, force: true })));
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
