import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findFreePorts } from '../src/free-ports.ts';
import { createSupervisor } from '../src/supervisor.ts';
import { isGone, pidsOf } from './fakes/fake-log.ts';
import { temporaryFolder } from './temporary-folder.ts';

const SUPERVISE = fileURLToPath(new URL('./fakes/supervise.ts', import.meta.url));

/** The pid of the watchdog that locks a file in the folder. */
function watchdogOf(folder: string): number {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const isWatchdog = (pid: string): boolean => {
    try {
      const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
      return command.includes('watchdog.ts') && command.includes(folder);
    } catch (error) {
      if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
      throw error;
    }
  };
  return Number(pids.find(isWatchdog));
}

/** Two fakes under a supervisor whose first watchdog was killed and has been replaced. */
async function superviseWithSecondWatchdog() {
  const folder = await temporaryFolder();
  const ports = await findFreePorts(2);
  const supervisor = spawn(process.execPath, [SUPERVISE, folder, ...ports.map(String)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void supervisor.kill('SIGKILL'));
  const lines = createInterface({ input: supervisor.stdout })[Symbol.asyncIterator]();
  const next = async () => (await lines.next()).value;
  expect(await next()).toBe('up');
  const first = watchdogOf(folder);
  process.kill(first, 'SIGKILL');
  expect([await next(), await next()]).toEqual(['watchdog died', 'watchdog recovered']);
  const replacement = watchdogOf(folder);
  expect(replacement).not.toBe(first);
  return { folder, supervisor, pids: [replacement, ...pidsOf(folder)] };
}

test('a killed watchdog is replaced by one that holds the lock and stops the same processes', async () => {
  const { folder, supervisor, pids } = await superviseWithSecondWatchdog();
  const second = createSupervisor({
    logDir: folder,
    lockFile: `${folder}/lock`,
    lockWaitMs: 0,
    onEvent: () => undefined,
  });
  await expect(second).rejects.toThrow(/Another instance is using this data folder/);
  supervisor.kill('SIGKILL');
  await vi.waitUntil(() => pids.every(isGone), { timeout: 15_000, interval: 50 });
});

test('a supervisor whose watchdog was killed stops and leaves no process behind', async () => {
  const { supervisor, pids } = await superviseWithSecondWatchdog();
  const ended = once(supervisor, 'exit');
  supervisor.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(pids.filter((pid) => !isGone(pid))).toEqual([]);
});
