import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { MongoClient } from 'mongodb';
import { expect, test } from 'vitest';
import { type BackingSettings, startBackingServices } from '../src/backing-services.ts';
import { keepSecrets } from '../src/data-folder.ts';
import { REPOSITORY } from '../src/settings.ts';
import { redisUrlOf } from '../src/store-accounts.ts';
import { createSupervisor } from '../src/supervisor.ts';
import { temporaryFolder } from './temporary-folder.ts';

const execute = promisify(execFile);
const key = 'interview-prep:auth:kept';

/** Starts the servers of a data folder, and stops them after `use`. */
async function withServers(dataDir: string, use: (backing: BackingSettings) => Promise<void>) {
  const supervisor = await createSupervisor({
    logDir: join(dataDir, 'logs'),
    lockFile: join(dataDir, 'lock'),
    onEvent: () => undefined,
  });
  const secrets = await keepSecrets(dataDir);
  try {
    const backing = await startBackingServices(supervisor, { dataDir, secrets, env: {} });
    await use({ ...backing, REDIS_URL: redisUrlOf('auth', backing.REDIS_URL, secrets) });
  } finally {
    await supervisor.stop();
  }
}

async function withRedis<Result>(url: string, use: (redis: Redis) => Promise<Result>): Promise<Result> {
  const redis = new Redis(url, { lazyConnect: true, retryStrategy: () => null });
  redis.on('error', () => undefined);
  try {
    await redis.connect();
    return await use(redis);
  } finally {
    redis.disconnect();
  }
}

async function withMongo<Result>(url: string, use: (mongo: MongoClient) => Promise<Result>): Promise<Result> {
  const mongo = new MongoClient(url, { serverSelectionTimeoutMS: 5000 });
  try {
    return await use(await mongo.connect());
  } finally {
    await mongo.close();
  }
}

/** The second address with the first one's account and password. */
function withAccountOf(old: string, now: string): string {
  const url = new URL(now);
  ({ username: url.username, password: url.password } = new URL(old));
  return url.href;
}

test('secrets:rotate replaces every secret of a stopped product; data stays, and old passwords are rejected', async () => {
  const dataDir = await temporaryFolder();
  const script = join(REPOSITORY, 'deploy/tools/keys/rotate-secrets.ts');
  const rotate = () => execute(process.execPath, [script], { env: { PATH: process.env.PATH, DATA_DIR: dataDir } });
  let old: BackingSettings | undefined;
  await withServers(dataDir, async (backing) => {
    old = backing;
    await withRedis(backing.REDIS_URL, (redis) => redis.set(key, 'in Redis'));
    await withMongo(backing.MONGODB_URI, (mongo) => mongo.db('auth').collection('notes').insertOne({ kept: true }));
    await expect(rotate()).rejects.toThrow(`The product runs on ${dataDir}: stop it first.`);
  });
  const before = await keepSecrets(dataDir);
  expect((await rotate()).stdout).toContain('Replaced the secrets');
  const after = await keepSecrets(dataDir);
  expect(Object.keys(after)).toEqual(Object.keys(before));
  for (const [name, secret] of Object.entries(before)) expect(Object.values(after), name).not.toContain(secret);

  await withServers(dataDir, async (backing) => {
    expect(await withRedis(backing.REDIS_URL, (redis) => redis.get(key))).toBe('in Redis');
    const notes = await withMongo(backing.MONGODB_URI, (mongo) =>
      mongo.db('auth').collection('notes').countDocuments(),
    );
    expect(notes).toBe(1);
    const redisUrl = withAccountOf(old?.REDIS_URL ?? '', backing.REDIS_URL);
    await expect(withRedis(redisUrl, (redis) => redis.get(key))).rejects.toThrow();
    const mongoUri = withAccountOf(old?.MONGODB_URI ?? '', backing.MONGODB_URI);
    await expect(withMongo(mongoUri, (mongo) => mongo.db('auth').listCollections().toArray())).rejects.toThrow();
  });
});
