import { once } from 'node:events';
import { expect, test } from 'vitest';
import { connectWorker } from '../src/redis/redis.ts';
import { createTestBacking } from '../testing/backing.ts';
import { createFaultProxy } from '../testing/fault-proxy.ts';

test("a worker's connection that was accepted and never answered is given up for another", async () => {
  const backing = await createTestBacking('kit');
  const proxy = await createFaultProxy(backing.settings.REDIS_URL);
  const redis = connectWorker(proxy.url, backing.log, 300);
  await redis.ping();
  proxy.stall();
  await once(redis, 'close');
  // The next one, which hangs.
  await once(redis, 'connect');
  proxy.mend();
  expect(await redis.ping()).toBe('PONG');
  redis.disconnect();
  await proxy.close();
  await backing.close();
});
