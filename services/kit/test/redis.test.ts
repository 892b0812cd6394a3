import { once } from 'node:events';
import { expect, test } from 'vitest';
import { connectProducer, connectWorker } from '../src/redis/redis.ts';
import { parseSentinelUrl } from '../src/redis/redis-url.ts';
import { settings } from '../src/settings.ts';
import { createTestBacking } from '../testing/backing.ts';
import { createFaultProxy } from '../testing/fault-proxy.ts';
import { startOwnRedis } from '../testing/own-redis.ts';

test('a worker replaces a connection that was accepted but never answered', async () => {
  const backing = await createTestBacking('kit');
  const proxy = await createFaultProxy(backing.settings.REDIS_URL);
  const redis = connectWorker(proxy.url, backing.log, 300);
  await redis.ping();
  proxy.stall();
  await once(redis, 'close');
  // The new connection, which also hangs.
  await once(redis, 'connect');
  proxy.mend();
  expect(await redis.ping()).toBe('PONG');
  redis.disconnect();
  await proxy.close();
  await backing.close();
});

test('a server that has become a replica is left for another connection', async () => {
  const { log, ...backing } = await createTestBacking('kit');
  const own = await startOwnRedis();
  const redis = await connectProducer(own.url, log);
  await redis.call('REPLICAOF', '127.0.0.1', '1');
  const closed = once(redis, 'close');
  await expect(redis.set('a', '1')).rejects.toThrow('READONLY');
  await closed;
  await once(redis, 'ready');
  await redis.call('REPLICAOF', 'NO', 'ONE');
  expect(await redis.set('a', '1')).toBe('OK');
  redis.disconnect();
  await own.stop();
  await backing.close();
});

test('Sentinel addresses are parsed, and malformed ones rejected', () => {
  expect(parseSentinelUrl('redis+sentinel://a:b%40c@one,[fd00::1]:2/my-master/3')).toEqual({
    sentinels: [
      { host: 'one', port: 26_379 },
      { host: 'fd00::1', port: 2 },
    ],
    name: 'my-master',
    username: 'a',
    password: 'b@c',
    database: 3,
    sentinelPassword: undefined,
    usesTls: false,
  });
  expect(parseSentinelUrl('rediss+sentinel://:b@one:1/m?sentinelPassword=d')).toMatchObject({
    username: undefined,
    password: 'b',
    sentinelPassword: 'd',
    usesTls: true,
  });
  const accepts = (url: string) => settings.REDIS_URL.type.safeParse(url).success;
  expect(accepts('redis+sentinel://one,two/m')).toBe(true);
  for (const url of ['one', '://one,/m', '://one', '://one/m/x', '://a:%@one/m', '://one:a/m', '://one/m?b=c'])
    expect(accepts(`redis+sentinel${url}`), url).toBe(false);
});
