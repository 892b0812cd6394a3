import type { Worker } from 'bullmq';
import { dropReloadables } from './reloadable.ts';

const defaultIdleMs = 60_000;

/**
 * Gives memory back to the system now, when only the start needed it, and whenever the workers have had no job for a while:
 * an idle process allocates too little for V8 to collect garbage by itself. Takes 0.14 s of a processor.
 * @returns a function that stops
 */
export function freeMemoryWhenIdle(workers: readonly Worker[], idleMs = defaultIdleMs): () => void {
  let timer: NodeJS.Timeout | undefined;
  const countDown = () => {
    clearTimeout(timer);
    timer = setTimeout(freeMemory, idleMs).unref();
  };
  for (const worker of workers) worker.on('active', countDown).on('completed', countDown).on('failed', countDown);
  freeMemory();
  return () => clearTimeout(timer);
}

/** The collection of last resort also frees the compiled code of functions that may never run again. */
function freeMemory(): void {
  dropReloadables();
  // Only there with --expose-gc.
  globalThis.gc?.({ type: 'major', execution: 'sync', flavor: 'last-resort' });
}
