import { appendFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Redis } from 'ioredis';
import type { Fault } from './fault.ts';
import { signalProcesses } from './system/processes.ts';
import type { System } from './system/system.ts';

/** Runs a command, once Redis answers: another fault may have stopped it. */
async function command(system: System, ...words: [string, ...string[]]): Promise<void> {
  const redis = new Redis(system.backing().REDIS_URL, { maxRetriesPerRequest: null });
  redis.on('error', () => undefined);
  try {
    await redis.call(...words);
  } finally {
    redis.disconnect();
  }
}

/** Appends zeros, as a file system leaves them after a power cut. Another fault may have filled the disk: then there are none. */
function zeroTail(system: System): void {
  const folder = join(system.redisFolder, 'appendonlydir');
  const last = readdirSync(folder)
    .filter((name) => name.endsWith('.incr.aof'))
    .toSorted()
    .at(-1);
  try {
    if (last) appendFileSync(join(folder, last), Buffer.alloc(804));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}

export const redisFaults: readonly Fault[] = [
  { name: 'Redis emptied', isShort: true, run: ({ system }) => command(system, 'FLUSHALL') },
  {
    name: 'Redis read-only',
    async run({ system, wait }) {
      await command(system, 'CONFIG', 'SET', 'min-replicas-to-write', '1');
      await wait(4);
      await command(system, 'CONFIG', 'SET', 'min-replicas-to-write', '0');
    },
  },
  {
    name: 'Redis full',
    async run({ system, wait }) {
      await command(system, 'CONFIG', 'SET', 'maxmemory', '1');
      await wait(5);
      await command(system, 'CONFIG', 'SET', 'maxmemory', '0');
    },
  },
  {
    name: 'Redis killed, zeros at the end of its file',
    async run({ system }) {
      signalProcesses(
        system.processes().filter(({ component }) => component === 'redis'),
        'SIGKILL',
      );
      zeroTail(system);
    },
  },
];
