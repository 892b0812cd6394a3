import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { measureSound } from '../../src/media/measure-sound.ts';
import { MediaError } from '../../src/media/media-error.ts';
import { prepareMedia } from '../../src/media/prepare-media.ts';
import { probeMedia } from '../../src/media/probe-media.ts';
import { type Container, sniffMedia } from '../../src/media/sniff-media.ts';

/** The media stage's resource use for one file. Peak memory and disk, in MB (a million bytes). */
export interface MediaCost {
  /** CPU time of this process and the commands it ran. */
  seconds: number;
  /** The largest command's. */
  memoryMegabytes: number;
  /** All files', including the upload. */
  diskMegabytes: number;
  /** Why the file was rejected; null if it was processed. */
  reason: string | null;
  /** Whether the failure is retried. */
  triedAgain: boolean;
}

/** The limits for one file. */
export const allowedCost = { seconds: 20, memoryMegabytes: 300, diskMegabytes: 40 } as const;

const ticksPerSecond = 100;

/** CPU time in seconds of this process and its exited children. Source: proc(5). */
async function usedSeconds(): Promise<number> {
  const text = await readFile('/proc/self/stat', 'utf8');
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / ticksPerSecond;
}

/** The highest peak memory among the running children of this process. */
async function childMegabytes(): Promise<number> {
  const children = await readFile(`/proc/self/task/${process.pid}/children`, 'utf8').catch(() => '');
  const pids = children.split(' ').filter(Boolean);
  const peaks = pids.map(async (pid) => {
    const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
    return (Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024) / 1e6;
  });
  return Math.max(0, ...(await Promise.all(peaks)));
}

async function folderMegabytes(folder: string): Promise<number> {
  const sizes = (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size);
  return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0) / 1e6;
}

/** Processes a file like the media stage, and measures it. Run one at a time: CPU time is measured for the whole process. */
export async function measureMedia(bytes: Buffer, container: Container): Promise<MediaCost> {
  const folder = await mkdtemp(join(tmpdir(), 'hostile-media-'));
  const path = join(folder, 'original');
  await writeFile(path, bytes);
  const before = await usedSeconds();
  let memoryMegabytes = 0;
  // A process reports its peak, so only memory used in its last moments can be missed.
  const watch = setInterval(async () => {
    memoryMegabytes = Math.max(memoryMegabytes, await childMegabytes());
  }, 50);
  const { signal } = new AbortController();
  let failure: unknown = null;
  try {
    const facts = await probeMedia(path, container, { signal });
    const { wavPath } = await prepareMedia(path, container, facts, folder, { signal });
    if (wavPath) await measureSound(wavPath, signal);
  } catch (error) {
    if (!(error instanceof MediaError)) throw error;
    failure = error;
  } finally {
    clearInterval(watch);
  }
  const diskMegabytes = await folderMegabytes(folder);
  await rm(folder, { recursive: true });
  return {
    seconds: (await usedSeconds()) - before,
    memoryMegabytes,
    diskMegabytes,
    reason: failure instanceof MediaError ? failure.message : null,
    triedAgain: failure instanceof MediaError && !failure.permanent,
  };
}

/** The container detected for an upload of these bytes; null if it would be rejected. */
export function takenAs(bytes: Buffer): Container | null {
  return sniffMedia(bytes.subarray(0, 4096))?.container ?? null;
}
