import type { Redis } from 'ioredis';
import type { MongoClient } from 'mongodb';

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
