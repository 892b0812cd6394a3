import { availableParallelism, cpus } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

const sampleMs = 100;

function readTimes() {
  let idle = 0;
  let total = 0;
  for (const { times } of cpus()) {
    idle += times.idle;
    total += Object.values(times).reduce((sum, time) => sum + time, 0);
  }
  return { idle, total };
}

/** How many cores of this machine are idle, of those that this process may use. Takes a tenth of a second. */
export async function measureIdleCores(): Promise<number> {
  const before = readTimes();
  await pause(sampleMs);
  const after = readTimes();
  const share = (after.idle - before.idle) / Math.max(1, after.total - before.total);
  return Math.min(availableParallelism(), share * cpus().length);
}
