import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * A folder for files in the making. Each name says which process made it, so that what a killed process left behind
 * can be told from what another one is just using.
 */
export interface WorkFolder {
  /** A path of this process's own, at which nothing is yet. */
  newPath(): string;
  /** Removes what processes that are no more have left. */
  sweep(): Promise<void>;
}

/** @param name of the folder inside `spoolDir`; made where it is missing, for this user only */
export async function openWorkFolder(spoolDir: string, name: string): Promise<WorkFolder> {
  const folder = join(spoolDir, name);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Beside the pid a mark of this start: after a restart in a container the pid is the same again.
  const start = randomUUID().slice(0, 8);
  return {
    newPath: () => join(folder, `${process.pid}-${start}-${randomUUID()}`),
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
