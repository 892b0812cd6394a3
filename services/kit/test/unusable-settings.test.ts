import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { connectMongo } from '../src/mongo/mongo.ts';
import { connectProducer } from '../src/redis/redis.ts';
import { createTestBacking, type TestBacking } from '../testing/backing.ts';
import { createFaultProxy } from '../testing/fault-proxy.ts';
import { createMongoTap } from '../testing/mongo-tap.ts';
import { startOwnRedis } from '../testing/own-redis.ts';
import { makeCertificate } from '../testing/redis-group.ts';

let backing: TestBacking;
beforeAll(async () => {
  backing = await createTestBacking('kit');
});
afterAll(() => backing.close());

const mongoAt = (MONGODB_URI: string) => connectMongo({ ...backing.settings, MONGODB_URI }, 'kit', backing.log);

describe('startup fails with a MONGODB_URI', () => {
  const isRefused = { name: 'UnusableSetting', setting: 'MONGODB_URI' };

  test('with an unknown option', async () => {
    const uri = new URL(backing.settings.MONGODB_URI);
    uri.searchParams.set('nonsense', '1');
    const message = expect.stringContaining('option nonsense is not supported');
    await expect(mongoAt(uri.toString())).rejects.toMatchObject({ ...isRefused, message });
  });

  test('with a password that the server rejects', async () => {
    const tap = await createMongoTap(backing.settings.MONGODB_URI);
    onTestFinished(() => tap.close());
    tap.answer((command) => 'saslStart' in command, {
      ok: 0,
      code: 18,
      codeName: 'AuthenticationFailed',
      errmsg: 'Authentication failed.',
    });
    const uri = new URL(tap.uri);
    [uri.username, uri.password] = ['interview', 'wrong'];
    const message = 'the server does not let this user in: Authentication failed.';
    await expect(mongoAt(uri.toString())).rejects.toMatchObject({ ...isRefused, message });
  });

  test('without a user if the server requires one', async () => {
    const tap = await createMongoTap(backing.settings.MONGODB_URI);
    onTestFinished(() => tap.close());
    const errmsg = 'Command find requires authentication';
    tap.answer((command) => 'find' in command, { ok: 0, code: 13, codeName: 'Unauthorized', errmsg });
    const message = `the server does not let this user in: ${errmsg}`;
    await expect(mongoAt(tap.uri)).rejects.toMatchObject({ ...isRefused, message });
  });
});

test('startup fails with a REDIS_URL whose password or database the server rejects', async () => {
  const redis = await startOwnRedis();
  onTestFinished(() => redis.stop());
  const url = (changes: Partial<URL>) => Object.assign(new URL(redis.url), changes).toString();
  const fault = (message: string) => ({
    name: 'UnusableSetting',
    setting: 'REDIS_URL',
    message: expect.stringContaining(message),
  });
  await expect(connectProducer(url({ pathname: '/99' }), backing.log)).rejects.toMatchObject(fault('DB index'));
  await redis.requirePassword('secret');
  await expect(connectProducer(redis.url, backing.log)).rejects.toMatchObject(fault('NOAUTH'));
  await expect(connectProducer(url({ password: 'wrong' }), backing.log)).rejects.toMatchObject(fault('WRONGPASS'));
  (await connectProducer(url({ password: 'secret' }), backing.log)).disconnect();
});

test('startup fails with a REDIS_URL that expects TLS if there is none, or the other way around', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'redis-tls-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const tls = await makeCertificate(folder, 'redis');
  for (const [options, wrong, message] of [
    [undefined, 'rediss:', 'the server does not speak TLS: begin the address with redis://'],
    [tls, 'redis:', 'the server speaks TLS only: begin the address with rediss://'],
  ] as const) {
    const redis = await startOwnRedis(options);
    onTestFinished(() => redis.stop());
    const startedAt = performance.now();
    const url = redis.url.replace(/^\w+:/, wrong);
    const fault = { name: 'UnusableSetting', setting: 'REDIS_URL', message };
    await expect(connectProducer(url, backing.log)).rejects.toMatchObject(fault);
    expect(performance.now() - startedAt).toBeLessThan(10_000);
  }
});

test.each([
  ['MongoDB', () => backing.settings.MONGODB_URI, async (url: string) => (await mongoAt(url)).close()],
  [
    'Redis',
    () => backing.settings.REDIS_URL,
    async (url: string) => (await connectProducer(url, backing.log)).disconnect(),
  ],
])('startup waits for a %s that is down', async (_name, url, connect) => {
  const proxy = await createFaultProxy(url());
  onTestFinished(() => proxy.close());
  proxy.cut();
  const connected = connect(proxy.url).then(() => 'connected');
  expect(await Promise.race([connected, pause(500, 'waiting')])).toBe('waiting');
  proxy.mend();
  expect(await connected).toBe('connected');
});
