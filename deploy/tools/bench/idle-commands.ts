import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { startBackingServices } from '@interview-prep/local/backing-services';
import { keepSecrets, prepareDataFolder } from '@interview-prep/local/data-folder';
import { startStack } from '@interview-prep/local/stack';
import { createSupervisor } from '@interview-prep/local/supervisor';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import type { Measure } from './measure.ts';

/** MongoDB's count of each command since it started. */
export async function mongoCommands(client: MongoClient): Promise<ReadonlyMap<string, number>> {
  const { metrics } = await client.db('admin').command({ serverStatus: 1 });
  const commands = Object.entries(metrics.commands as Record<string, { total?: number }>);
  return new Map(commands.flatMap(([name, { total }]) => (total ? [[name, Number(total)]] : [])));
}

/** Redis's count of each command since it started, including calls by scripts. */
export async function redisCalls(redis: Redis): Promise<ReadonlyMap<string, number>> {
  const lines = (await redis.info('commandstats')).matchAll(/^cmdstat_([^:]+):calls=(\d+)/gm);
  return new Map([...lines].map(([, name = '', calls]) => [name, Number(calls)]));
}

const settleMs = 45_000;
const watchMs = 60_000;

/** The most frequent commands, as text. */
const frequent = (counts: ReadonlyMap<string, number>) =>
  [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .slice(0, 6)
    .map(([name, count]) => `${name} ${((count * 1000) / watchMs).toFixed(2)}`)
    .join(', ');

const sum = (counts: ReadonlyMap<string, number>) => [...counts.values()].reduce((total, count) => total + count, 0);

/** Counts commands that clients send to Redis, not those called by scripts. */
async function redisCommands(url: string): Promise<ReadonlyMap<string, number>> {
  const redis = new Redis(url);
  const monitor = await redis.monitor();
  const counts = new Map<string, number>();
  monitor.on('monitor', (_time: string, [name = '']: string[], source: string) => {
    if (source !== 'lua') counts.set(name.toLowerCase(), (counts.get(name.toLowerCase()) ?? 0) + 1);
  });
  await pause(watchMs);
  monitor.disconnect();
  redis.disconnect();
  return counts;
}

export const idleCommands: Measure = {
  what: 'commands per second from an idle installation to MongoDB and Redis together',
  unit: '/s',
  limit: 5,
  async run({ folder }) {
    const dataDir = join(folder, 'idle-stores');
    await prepareDataFolder(dataDir);
    const supervisor = await createSupervisor({
      logDir: join(dataDir, 'logs'),
      lockFile: join(dataDir, 'lock'),
      onEvent: () => undefined,
    });
    try {
      const backing = await startBackingServices(supervisor, {
        dataDir,
        secrets: await keepSecrets(dataDir),
        env: {},
        // MONITOR needs an account with that permission.
        hasRedisAdministrator: true,
      });
      const env = { ...process.env, ...backing, PORT: '0', DATA_DIR: join(folder, 'idle'), SEED: 'demo' };
      const stack = await startStack({ env });
      const mongo = await new MongoClient(backing.MONGODB_URI, { heartbeatFrequencyMS: watchMs * 2 }).connect();
      try {
        await pause(settleMs);
        const before = await mongoCommands(mongo);
        const redis = await redisCommands(backing.REDIS_URL);
        const after = await mongoCommands(mongo);
        const asked = new Map([...after].map(([name, count]) => [name, count - (before.get(name) ?? 0)]));
        asked.delete('serverStatus');
        return {
          value: ((sum(asked) + sum(redis)) * 1000) / watchMs,
          from: `MongoDB ${frequent(asked)}; Redis ${frequent(redis)}; in ${watchMs / 1000} s`,
        };
      } finally {
        await mongo.close();
        await stack.stop();
      }
    } finally {
      await supervisor.stop();
    }
  },
};
