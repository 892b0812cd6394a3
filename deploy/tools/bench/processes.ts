import { readdirSync, readFileSync } from 'node:fs';

/** A process of the measured product. */
export interface ProductProcess {
  pid: number;
  /** With its arguments. */
  command: string;
}

/** A readable name: the script, or the program. */
export function nameOf({ command }: ProductProcess): string {
  return /(\S+)\/src\/\S+\.ts/.exec(command)?.[0] ?? command.split(' ')[0] ?? '';
}

/** A file of a process in `/proc`; '' once the process has ended. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** What follows the command in `/proc/PID/stat`, which may contain spaces and brackets. */
const statFields = (pid: number) => read(pid, 'stat').split(') ').at(-1)?.split(' ') ?? [];

/** The processes that this one has started, and theirs. */
export function descendants(ancestor: number): ProductProcess[] {
  const parents = readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    return Number.isInteger(pid) ? [[pid, Number(statFields(pid)[1])] as const] : [];
  });
  const childrenOf = (pid: number): number[] =>
    parents.flatMap(([child, parent]) => (parent === pid ? [child, ...childrenOf(child)] : []));
  return childrenOf(ancestor).map((pid) => ({ pid, command: read(pid, 'cmdline').replaceAll('\0', ' ') }));
}

/** The memory of a process in MB; pages that it shares are counted in proportion. 0 once it has ended. */
export function proportionalMegabytes(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(read(pid, 'smaps_rollup'))?.[1] ?? 0) / 1024;
}

/** The most memory in MB that a process has had resident; 0 once it has ended. */
export function peakMegabytes(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(read(pid, 'status'))?.[1] ?? 0) / 1024;
}

/** Seconds of a processor that a process has used; 0 once it has ended. */
export function processorSeconds(pid: number): number {
  const [user = 0, system = 0] = statFields(pid).slice(11, 13).map(Number);
  // Linux reports a hundred ticks in a second.
  return (user + system) / 100;
}
