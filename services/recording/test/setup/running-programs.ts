import { readdir, readFile } from 'node:fs/promises';

interface RunningProgram {
  pid: number;
  name: string;
  /** The command with its arguments, separated by NUL characters. */
  command: string;
}

/** A process's children; none once it has exited. Reads only its own entries: `/proc` may list hundreds of others. */
async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => []);
  const lists = threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => ''));
  return (await Promise.all(lists)).flatMap((list) => list.split(' ').filter(Boolean).map(Number));
}

async function programOf(pid: number): Promise<RunningProgram> {
  // It may have exited in the meantime.
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '');
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
  return { pid, name: name.trimEnd(), command };
}

/** The running programs started by this process or its descendants. */
async function running(matches: (program: RunningProgram) => boolean): Promise<number[]> {
  const children = await childrenOf(process.pid);
  const grandchildren = await Promise.all(children.map(childrenOf));
  const all = await Promise.all([...children, ...grandchildren.flat()].map(programOf));
  return all.filter(matches).map(({ pid }) => pid);
}

/** The process ids of running ffmpegs started by this process or its descendants. */
export function runningFfmpegs(): Promise<number[]> {
  return running(({ name }) => name === 'ffmpeg');
}

/** The process ids of Node processes that run a script and were started by this process or its descendants. */
export function runningScripts(script: string): Promise<number[]> {
  return running(({ command }) => command.includes(script));
}

/** The process ids of the children that run Whisper. */
export function whisperChildren(): Promise<number[]> {
  return runningScripts('whisper-child.ts');
}

const ticksPerSecond = 100;

/** The CPU time that a process has used, in seconds; 0 once it has exited. */
export async function processorSeconds(pid: number): Promise<number> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  // The process name, which ends at the last bracket, may contain spaces.
  const [user, system] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13);
  return (Number(user ?? 0) + Number(system ?? 0)) / ticksPerSecond;
}
