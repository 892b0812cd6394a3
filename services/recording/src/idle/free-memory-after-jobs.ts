import type { Worker } from 'bullmq';

const defaultIdleMs = 60_000;

/**
 * Gives memory back to the system. A thorough collection runs at once, since the start needed more, and whenever the workers
 * have had no job for a while; it takes 0.14 s of a processor. A plain one runs after each job, in 0.05 s. V8 by itself would
 * let the heap grow, and in an idle process it hardly collects at all.
 * @returns a function that stops
 */
export function freeMemoryAfterJobs(workers: readonly Worker[], idleMs = defaultIdleMs): () => void {
  let timer: NodeJS.Timeout | undefined;
  const countDown = () => {
    clearTimeout(timer);
    timer = setTimeout(freeAll, idleMs).unref();
  };
  const onEnd = () => {
    countDown();
    collectGarbage('regular');
  };
  for (const worker of workers) worker.on('active', countDown).on('completed', onEnd).on('failed', onEnd);
  freeAll();
  return () => clearTimeout(timer);
}

/** The collection of last resort also frees the compiled code of functions that may never run again. */
function freeAll(): void {
  collectGarbage('last-resort');
}

function collectGarbage(flavor: 'regular' | 'last-resort'): void {
  // Only there with --expose-gc.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor });
}
