import { zipSync } from 'fflate/browser';

export * from 'fflate/browser';

/**
 * Stands in for the package fflate, see vite.config.ts: its `zip` compresses larger files in a worker that it makes of a blob, which
 * the content security policy (trusted types) refuses. Here it compresses in the page: 5,000 rows take less than a second.
 */
export function zip(
  files: Parameters<typeof zipSync>[0],
  done: (error: Error | null, archive: ReturnType<typeof zipSync>) => void,
): void {
  done(null, zipSync(files));
}
