import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { findFreePorts } from '@interview-prep/local/free-ports';
import { REPOSITORY } from '@interview-prep/local/settings';
import type { Measure } from './measure.ts';

/** Runs `npm start` until its login page responds, then stops it and waits for it to exit. @returns seconds until the login page */
async function startOnce(env: NodeJS.ProcessEnv, url: string): Promise<number> {
  const begun = performance.now();
  const child = spawn('npm', ['start', '--silent'], {
    cwd: REPOSITORY,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let said = '';
  for (const output of [child.stdout, child.stderr]) {
    output.on('data', (chunk: Buffer) => {
      said += chunk;
    });
  }
  const group = -(child.pid ?? 0);
  try {
    for (;;) {
      if (child.exitCode !== null) throw new Error(`npm start exited unexpectedly:\n${said}`);
      const works = await fetch(`${url}/api/health`).then(
        async (response) => ((await response.json()) as { status: string }).status === 'ok',
        () => false,
      );
      if (works && (await fetch(url)).ok) return (performance.now() - begun) / 1000;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  } finally {
    if (isAlive(group)) process.kill(group, 'SIGTERM');
    // npm exits immediately; its children stay in the process group until everything has stopped.
    while (isAlive(group)) await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

function isAlive(processGroup: number): boolean {
  try {
    return process.kill(processGroup, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
    throw error;
  }
}

export const secondStart: Measure = {
  what: 'time from a second `npm start` (everything installed and built) to the login page',
  unit: 's',
  limit: 15,
  async run({ folder }) {
    const [port = 0] = await findFreePorts(1);
    const env = { PORT: String(port), DATA_DIR: join(folder, 'second-start') };
    const url = `http://127.0.0.1:${port}`;
    const first = await startOnce(env, url);
    const second = await startOnce(env, url);
    return { value: second, from: `the first, on an empty data folder, took ${first.toFixed(1)} s` };
  },
};
