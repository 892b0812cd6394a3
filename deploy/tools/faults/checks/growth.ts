import { readdirSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Journal } from '../load/journal.ts';
import type { System } from '../system/system.ts';

const MIB = 2 ** 20;
const LIMIT = 1.2;

/** The total memory of the product's processes, in bytes. */
export function memoryOf(system: System): number {
  return system.processes().reduce((sum, { rssBytes }) => sum + rssBytes, 0);
}

/** Reports memory growth of more than 20%. */
export function checkMemory(beforeBytes: number, afterBytes: number, journal: Journal): void {
  if (afterBytes <= beforeBytes * LIMIT) return;
  const [before, after] = [beforeBytes, afterBytes].map((bytes) => `${Math.round(bytes / MIB)} MiB`);
  journal.report('memory', `The product uses ${after}, after ${before} at the start`, '', []);
}

const LIMIT_BYTES = 2 ** 20;
const WINDOW_MS = 60_000;
const SAMPLE_MS = 5000;

/** Log sizes by process, including rotated logs. */
function logSizes(folders: readonly string[]): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const folder of folders) {
    for (const name of readdirSync(folder)) {
      const size = statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
      const process = basename(name).replace(/\.log.*$/, '');
      if (name.includes('.log')) sizes.set(process, (sizes.get(process) ?? 0) + size);
    }
  }
  return sizes;
}

/** Reports logs that grow by more than 1 MiB per minute. @returns a function that stops it */
export function watchLogs(folders: readonly string[], journal: Journal): () => void {
  const samples: { at: number; sizes: Map<string, number> }[] = [];
  const sample = () => {
    const now = { at: journal.now(), sizes: logSizes(folders) };
    samples.push(now);
    while (samples[1] && samples[1].at <= now.at - WINDOW_MS) samples.shift();
    for (const [process, size] of now.sizes) {
      const grown = size - (samples[0]?.sizes.get(process) ?? 0);
      if (grown <= LIMIT_BYTES) continue;
      journal.report('log', `The log of ${process} grew by ${(grown / 2 ** 20).toFixed(1)} MiB in a minute`, process);
      samples.length = 0;
      samples.push(now);
      break;
    }
  };
  sample();
  const timer = setInterval(sample, SAMPLE_MS);
  return () => clearInterval(timer);
}
