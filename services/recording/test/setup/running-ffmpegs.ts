import { readdir, readFile } from 'node:fs/promises';

interface RunningProgram {
  pid: number;
  parent: number;
  name: string;
}

async function programs(): Promise<RunningProgram[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry));
  const found = await Promise.all(
    pids.map(async (pid) => {
      // It may have ended since.
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
      const [, name = ''] = /^Name:\t(.*)$/m.exec(status) ?? [];
      return { pid: Number(pid), parent: Number(/^PPid:\t(\d+)$/m.exec(status)?.[1]), name };
    }),
  );
  return found;
}

/** The process ids of the ffmpegs that this process, or a process that it started, has running. */
export async function runningFfmpegs(): Promise<number[]> {
  const running = await programs();
  const parentOf = (pid: number) => running.find((program) => program.pid === pid)?.parent;
  return running
    .filter(({ name, parent }) => name === 'ffmpeg' && [parent, parentOf(parent)].includes(process.pid))
    .map(({ pid }) => pid);
}
