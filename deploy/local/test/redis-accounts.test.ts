import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTokenDenylist } from '@interview-prep/kit/tokens/token-denylist';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startBackingServices } from '../src/backing-services.ts';
import { keepSecrets, type LocalSecrets, removeFolder } from '../src/data-folder.ts';
import { ownRedisUrl, REDIS_SERVICES, type RedisService, redisUrlOf } from '../src/store-accounts.ts';
import { createSupervisor, type Supervisor } from '../src/supervisor.ts';

const prefix = 'interview-prep';
let dataDir: string;
let supervisor: Supervisor;
let secrets: LocalSecrets;
let url: string;
let administrator: Redis;
const accounts = {} as Record<RedisService | 'maintenance', Redis>;

/** Redis as `npm start` starts it, with an administrator in addition to the services' accounts. */
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'redis-accounts-test-'));
  secrets = await keepSecrets(dataDir);
  supervisor = await createSupervisor({
    logDir: join(dataDir, 'logs'),
    lockFile: join(dataDir, 'lock'),
    onEvent: () => undefined,
  });
  const env = {
    MONGODB_URI: 'mongodb://elsewhere',
    S3_ENDPOINT: 'http://elsewhere',
    S3_ACCESS_KEY: 'a',
    S3_SECRET_KEY: 'b',
  };
  const options = { dataDir, secrets, env };
  url = (await startBackingServices(supervisor, { ...options, hasRedisAdministrator: true })).REDIS_URL;
  administrator = new Redis(url);
  for (const name of REDIS_SERVICES) accounts[name] = new Redis(redisUrlOf(name, url, secrets));
  accounts.maintenance = new Redis(ownRedisUrl(secrets, new URL(url).host, false));
});
afterAll(async () => {
  for (const redis of [administrator, ...Object.values(accounts)]) redis?.disconnect();
  await supervisor?.stop();
  await removeFolder(dataDir);
});

const noPermission = /^NOPERM/;
const refusedInScript = /NOPERM|user executing the script/;
const every = [...REDIS_SERVICES, 'maintenance'] as const;

describe('each Redis account', () => {
  test('has its own password, and anonymous access is refused', async () => {
    const urls = REDIS_SERVICES.map((name) => redisUrlOf(name, url, secrets));
    expect(new Set(urls.map((own) => new URL(own).password)).size).toBe(REDIS_SERVICES.length);
    const { host } = new URL(url);
    for (const foreign of [`redis://${host}`, `redis://auth:${new URL(urls[1] ?? '').password}@${host}`]) {
      const redis = new Redis(foreign, { lazyConnect: true, retryStrategy: () => null });
      redis.on('error', () => undefined);
      await expect(redis.connect().then(() => redis.ping())).rejects.toThrow();
      redis.disconnect();
    }
    await expect(accounts.auth.call('AUTH', 'default', '')).rejects.toThrow('WRONGPASS');
  });

  test.each(every)(
    '%s cannot run dangerous commands: flushing, configuring, shutting down, monitoring, other scripts',
    async (name) => {
      const redis = accounts[name];
      for (const words of [
        ['FLUSHALL'],
        ['FLUSHDB'],
        ['CONFIG', 'GET', '*'],
        ['CONFIG', 'SET', 'requirepass', 'x'],
        ['KEYS', '*'],
        ['ACL', 'LIST'],
        ['ACL', 'SETUSER', 'x', 'on'],
        ['SHUTDOWN'],
        ['MONITOR'],
        ['SAVE'],
        ['REPLICAOF', 'example.org', '6379'],
        ['MODULE', 'LIST'],
        ['CLIENT', 'KILL', 'TYPE', 'normal'],
        ['SCRIPT', 'FLUSH'],
        ['FUNCTION', 'FLUSH'],
        ['SWAPDB', '0', '1'],
        ['RANDOMKEY'],
        ['DBSIZE'],
      ] as const) {
        await expect(redis.call(...(words as unknown as [string])), words.join(' ')).rejects.toThrow(noPermission);
      }
    },
  );

  /** For each service, keys of other services, named as in a running product. */
  const foreign: Record<RedisService, readonly string[]> = {
    auth: ['media:wait', 'transcription:1', 'exports:1', 'engines', 'limits:recording:exports:1', 'published:sets'],
    catalog: ['history:wait', 'media:wait', 'exports:1', 'engines', 'limits:auth:login:1', 'published:users'],
    recording: ['limits:auth:login:1', 'published:users', 'published:sets', 'published:audit-auth'],
    worker: [
      'recording:wait',
      'catalog:wait',
      'denylist:complete',
      'sign-in-uses:1',
      'exports:1',
      'limits:auth:login:1',
    ],
    history: ['catalog:wait', 'media:wait', 'exports:1', 'engines', 'limits:auth:login:1', 'published:recordings'],
  };
  test.each(REDIS_SERVICES)(
    '%s cannot access the keys of other services, directly or through a script',
    async (name) => {
      const redis = accounts[name];
      for (const key of [...foreign[name].map((own) => `${prefix}:${own}`), 'other-product:key']) {
        await expect(redis.get(key), key).rejects.toThrow(noPermission);
        await expect(redis.set(key, 1), key).rejects.toThrow(noPermission);
        await expect(redis.eval("return redis.call('DEL', KEYS[1])", 1, key), key).rejects.toThrow(refusedInScript);
        // A key that the script does not declare.
        await expect(redis.eval(`return redis.call('DEL', '${key}')`, 0), key).rejects.toThrow(refusedInScript);
      }
    },
  );

  const producers: readonly [RedisService, string][] = [
    ['auth', 'history'],
    ['catalog', 'auth'],
    ['recording', 'auth'],
    ['worker', 'history'],
    ['history', 'auth'],
  ];
  test.each(producers)('%s adds jobs to the queue %s, and cannot list, take or delete them', async (name, queue) => {
    const redis = accounts[name];
    const key = `${prefix}:${queue}`;
    for (const words of [
      ['LRANGE', `${key}:wait`, '0', '-1'],
      ['HGETALL', `${key}:1`],
      ['DEL', `${key}:1`],
      ['RPOP', `${key}:wait`],
      ['ZPOPMIN', `${key}:marker`],
      ['XRANGE', `${key}:events`, '-', '+'],
    ])
      await expect(redis.call(...(words as [string])), words.join(' ')).rejects.toThrow(noPermission);
  });

  test.each(['catalog', 'recording', 'history'] as const)(
    '%s can read the denylist, and cannot change it',
    async (name) => {
      await createTokenDenylist(accounts.auth, prefix).restore([]);
      await createTokenDenylist(accounts.auth, prefix).revokeSignIn({ jti: name }, 60_000);
      const nowSeconds = Math.floor(Date.now() / 1000);
      const claims = { sub: 'u', jti: name, iat: nowSeconds, exp: nowSeconds + 60 };
      const own = createTokenDenylist(accounts[name], prefix);
      expect(await own.refusalOf(claims)).toBe('revoked');
      expect(await own.refusalOf({ ...claims, jti: 'another' })).toBeNull();
      await expect(accounts[name].del(`${prefix}:denylist:token:${name}`)).rejects.toThrow(noPermission);
      await expect(own.restore([])).rejects.toThrow(noPermission);
    },
  );

  test('live status can be sent and received only by the accounts that need it', async () => {
    const channel = `${prefix}:live-status`;
    for (const name of ['worker', 'history'] as const) expect(await accounts[name].publish(channel, '{}')).toBe(0);
    for (const name of ['auth', 'catalog', 'recording', 'maintenance'] as const)
      await expect(accounts[name].publish(channel, '{}'), name).rejects.toThrow(noPermission);
    await expect(accounts.worker.publish(`${prefix}:another`, '{}')).rejects.toThrow(noPermission);
    for (const name of ['auth', 'worker', 'history'] as const)
      await expect(accounts[name].subscribe(channel), name).rejects.toThrow(noPermission);
  });

  test("maintenance can read and delete the product's keys, and cannot write any", async () => {
    await administrator.set('other-product:key', 'kept');
    await administrator.hset(`${prefix}:media:1`, 'name', 'prepare-media');
    expect(await accounts.maintenance.hgetall(`${prefix}:media:1`)).toEqual({ name: 'prepare-media' });
    expect(String(await accounts.maintenance.call('CLIENT', 'LIST'))).toContain('user=maintenance');
    expect(await accounts.maintenance.unlink(`${prefix}:media:1`)).toBe(1);
    await expect(accounts.maintenance.set(`${prefix}:media:1`, 'x')).rejects.toThrow(noPermission);
    await expect(accounts.maintenance.unlink('other-product:key')).rejects.toThrow(noPermission);
  });
});
