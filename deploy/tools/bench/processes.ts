import { readdirSync, readFileSync } from 'node:fs';

export interface ProductProcess {
  pid: number;
  /** The command line. */
  command: string;
}

/** The display name: the script, or the program. */
export function nameOf({ command }: ProductProcess): string {
  return /(\S+)\/src\/\S+\.ts/.exec(command)?.[0] ?? command.split(' ')[0] ?? '';
}

/** A file of a process in `/proc`; '' once the process has exited. */
function read(pid: number, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}

/** The fields after the command in `/proc/PID/stat`; the command may contain spaces and parentheses. */
const statFields = (pid: number) => read(pid, 'stat').split(') ').at(-1)?.split(' ') ?? [];

export function descendants(ancestor: number): ProductProcess[] {
  const parents = readdirSync('/proc').flatMap((name) => {
    const pid = Number(name);
    return Number.isInteger(pid) ? [[pid, Number(statFields(pid)[1])] as const] : [];
  });
  const childrenOf = (pid: number): number[] =>
    parents.flatMap(([child, parent]) => (parent === pid ? [child, ...childrenOf(child)] : []));
  return childrenOf(ancestor).map((pid) => ({ pid, command: read(pid, 'cmdline').replaceAll('\0', ' ') }));
}

/** The proportional set size of a process in MB; 0 once it has exited. */
export function proportionalMegabytes(pid: number): number {
  return Number(/^Pss:\s+(\d+) kB/m.exec(read(pid, 'smaps_rollup'))?.[1] ?? 0) / 1024;
}

/** The peak resident memory of a process in MB; 0 once it has exited. */
export function peakMegabytes(pid: number): number {
  return Number(/^VmHWM:\s+(\d+) kB/m.exec(read(pid, 'status'))?.[1] ?? 0) / 1024;
}

/** The CPU time of a process in seconds, optionally with that of its children that have exited; 0 once it has exited itself. */
export function processorSeconds(pid: number, { withExited = false } = {}): number {
  const ticks = statFields(pid).slice(11, withExited ? 15 : 13);
  // Linux reports 100 ticks per second.
  return ticks.reduce((sum, each) => sum + Number(each), 0) / 100;
}
