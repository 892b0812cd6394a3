import type { Redis } from 'ioredis';

/**
 * Whether this process should now run a periodic task that only one instance needs to run. The first to call gets the turn.
 * @param everyMs how often each process calls; a turn ends a little sooner, so that a single process always gets it
 * @throws while Redis is down
 */
export async function takeTurn(
  { redis, prefix }: { redis: Redis; prefix: string },
  name: string,
  everyMs: number,
): Promise<boolean> {
  return (await redis.set(`${prefix}:turns:${name}`, '', 'PX', Math.ceil(everyMs * 0.8), 'NX')) !== null;
}
