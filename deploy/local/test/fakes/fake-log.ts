import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The lines that the fakes logged: `name stops` and `name runs PID CHILD_PID`. */
export function logged(folder: string): string[] {
  return readFileSync(join(folder, 'log'), 'utf8').trim().split('\n');
}

/** The process ids of each run of the fakes, or of the named one, and of its child. */
export function pidsOf(folder: string, name = ''): number[] {
  return logged(folder)
    .filter((line) => line.startsWith(name) && line.includes(' runs '))
    .flatMap((line) => line.split(' ').slice(2).map(Number));
}

/** Whether a process has exited or is a zombie. */
export function isGone(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.startsWith('Z') ?? true;
  } catch (error) {
    return ['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '');
  }
}
