import { readdir, readFile } from 'node:fs/promises';

interface RunningProgram {
  pid: number;
  parent: number;
  name: string;
  /** The command with its arguments, separated by NUL characters. */
  command: string;
}

async function programs(): Promise<RunningProgram[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry));
  const found = await Promise.all(
    pids.map(async (pid) => {
      // It may have ended since.
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      const [, name = ''] = /^Name:\t(.*)$/m.exec(status) ?? [];
      return { pid: Number(pid), parent: Number(/^PPid:\t(\d+)$/m.exec(status)?.[1]), name, command };
    }),
  );
  return found;
}

/** The programs that this process, or a process that it started, has running. */
async function running(matches: (program: RunningProgram) => boolean): Promise<number[]> {
  const all = await programs();
  const parentOf = (pid: number) => all.find((program) => program.pid === pid)?.parent;
  return all
    .filter((program) => matches(program) && [program.parent, parentOf(program.parent)].includes(process.pid))
    .map(({ pid }) => pid);
}

/** The process ids of the ffmpegs that this process, or a process that it started, has running. */
export function runningFfmpegs(): Promise<number[]> {
  return running(({ name }) => name === 'ffmpeg');
}

/** The process ids of the Node processes that run a script and were started by this process, or by one that it started. */
export function runningScripts(script: string): Promise<number[]> {
  return running(({ command }) => command.includes(script));
}

/** The process ids of the children in which Whisper runs. */
export function whisperChildren(): Promise<number[]> {
  return runningScripts('whisper-child.ts');
}

const ticksPerSecond = 100;

/** How many seconds of a processor a process has used; 0 once it is gone. */
export async function processorSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The name before the last bracket may hold spaces.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user ?? 0) + Number(system ?? 0)) / ticksPerSecond;
}

/** How many megabytes a process has in memory; 0 once it is gone. */
export async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024;
}
