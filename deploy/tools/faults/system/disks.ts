import { execFile, execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { cp, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';

/** A folder that gets its own file system if this process may mount. `image`: backed by a file, which a power loss copies. */
export interface Disk {
  name: 'mongo' | 'redis' | 's3' | 'spool' | 'logs';
  folder: string;
  kind: 'image' | 'memory';
  sizeMib: number;
}

/** File systems for the data folders: small enough to be filled, and able to lose unsynced writes. */
export interface Disks {
  /** Whether each folder has its own file system. */
  readonly isMounted: boolean;
  /** Fills a disk to the last byte. */
  fill(name: Disk['name']): Promise<void>;
  /** Removes the file that fills it. */
  free(name: Disk['name']): void;
  /** Copies the disk images, which lack writes that are not synced yet. Suspend all writers first. */
  copy(): Promise<void>;
  /** Replaces the disks with the copies. No process may be using them. */
  restoreCopy(): Promise<void>;
  /** Unmounts the file systems. */
  close(): Promise<void>;
}

const execute = promisify(execFile);
const BALLAST = 'ballast';

function mountImage(image: string, folder: string): void {
  // By default the journal is committed every five seconds, so a missing sync would seldom lose anything.
  execFileSync('mount', ['-o', 'loop,commit=120', image, folder]);
}

function makeImage(image: string, sizeMib: number): void {
  execFileSync('truncate', ['-s', `${sizeMib}M`, image]);
  // No reserved blocks, so that the disk is full for root too.
  execFileSync('mkfs.ext4', ['-q', '-m', '0', '-E', 'lazy_itable_init=0', image]);
}

async function unmount(folder: string): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      execFileSync('umount', [folder], { stdio: 'pipe' });
      return;
    } catch (error) {
      // A process that was just killed may still have a file open.
      if (attempt === 50) throw error;
      await pause(100);
    }
  }
}

/** Reserves the free space instead of writing to it, so that this process doesn't hold up the load. */
async function fillFile(path: string): Promise<void> {
  for (let size = 0, step = 2 ** 30; step >= 4096; ) {
    const isFull = await execute('fallocate', ['--length', String(size + step), path]).then(
      () => false,
      () => true,
    );
    if (isFull) step /= 2;
    else size += step;
  }
}

/** Creates the folders, and mounts a file system on each where `mayMount`. */
export function createDisks(disks: readonly Disk[], imagesFolder: string, mayMount: boolean): Disks {
  const imageOf = ({ name }: Disk) => join(imagesFolder, `${name}.img`);
  mkdirSync(imagesFolder, { recursive: true });
  for (const disk of disks) {
    mkdirSync(disk.folder, { recursive: true });
    if (!mayMount) continue;
    if (disk.kind === 'memory') {
      execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${disk.sizeMib}m`, 'tmpfs', disk.folder]);
      continue;
    }
    makeImage(imageOf(disk), disk.sizeMib);
    mountImage(imageOf(disk), disk.folder);
  }
  const find = (name: Disk['name']) => disks.find((disk) => disk.name === name)?.folder ?? '';
  const stored = disks.filter(({ kind }) => kind === 'image');
  const copyOf = ({ folder }: Disk) => join(dirname(folder), `${basename(folder)}.copy`);

  return {
    isMounted: mayMount,
    fill: (name) => fillFile(join(find(name), BALLAST)),
    free: (name) => rmSync(join(find(name), BALLAST), { force: true }),
    async copy() {
      for (const disk of stored) {
        if (mayMount) execFileSync('cp', ['--sparse=always', imageOf(disk), `${imageOf(disk)}.copy`]);
        else await cp(disk.folder, copyOf(disk), { recursive: true });
      }
    },
    async restoreCopy() {
      for (const disk of stored) {
        if (mayMount) {
          await unmount(disk.folder);
          await rename(`${imageOf(disk)}.copy`, imageOf(disk));
          mountImage(imageOf(disk), disk.folder);
          continue;
        }
        rmSync(disk.folder, { recursive: true });
        if (existsSync(copyOf(disk))) await rename(copyOf(disk), disk.folder);
        if (readdirSync(disk.folder).length === 0) throw new Error(`The copy of ${disk.folder} is empty`);
      }
    },
    async close() {
      if (mayMount) for (const { folder } of disks) execFileSync('umount', ['--lazy', folder]);
    },
  };
}
