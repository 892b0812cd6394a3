import type { Journal } from '../load/journal.ts';
import type { System } from '../system/system.ts';

const MIB = 2 ** 20;
const LIMIT = 1.2;

/** Memory in use by the product's processes together, in bytes. */
export function memoryOf(system: System): number {
  return system.processes().reduce((sum, { rssBytes }) => sum + rssBytes, 0);
}

/** Reports memory that is more than 20 % above what it was. */
export function checkMemory(beforeBytes: number, afterBytes: number, journal: Journal): void {
  if (afterBytes <= beforeBytes * LIMIT) return;
  const [before, after] = [beforeBytes, afterBytes].map((bytes) => `${Math.round(bytes / MIB)} MiB`);
  journal.report('memory', `The product uses ${after}, after ${before} at the start`, '', []);
}
