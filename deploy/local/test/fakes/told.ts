import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What the fakes told: lines of `name stops` and `name runs PID CHILD_PID`. */
export const told = (folder: string): string[] => readFileSync(join(folder, 'told'), 'utf8').trim().split('\n');

/** Of each life of the fakes (or of the one named) its pid and its child's. */
export const pidsOf = (folder: string, name = ''): number[] =>
  told(folder)
    .filter((line) => line.startsWith(name) && line.includes(' runs '))
    .flatMap((line) => line.split(' ').slice(2).map(Number));

/** A process that is gone, or is only waiting for its death to be noticed. */
export const isGone = (pid: number): boolean => {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.startsWith('Z') ?? true;
  } catch (error) {
    return ['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
};
