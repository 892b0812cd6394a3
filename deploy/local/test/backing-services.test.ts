import { chmod, mkdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type BackingOptions, planMongo, planRedis, planS3, startBackingServices } from '../src/backing-services.ts';
import { findCommand } from '../src/commands.ts';
import { keepSecrets } from '../src/data-folder.ts';
import { StartupError } from '../src/settings.ts';
import { createSupervisor } from '../src/supervisor.ts';
import { temporaryFolder } from './temporary-folder.ts';

let options: BackingOptions;
beforeEach(async () => {
  const dataDir = await temporaryFolder();
  options = { dataDir, secrets: await keepSecrets(dataDir), env: {}, ports: { mongo: 1, redis: 2, s3: 3 } };
});

afterEach(() => {
  vi.unstubAllEnvs();
});

/** A PATH with only these commands and those that create Redis's accounts. */
async function withCommands(...names: string[]): Promise<string> {
  const folder = join(options.dataDir, 'bin');
  await mkdir(folder);
  for (const tool of ['sh', 'sha256sum', 'cut']) await symlink(findCommand([tool]) ?? '', join(folder, tool));
  for (const name of names) {
    await writeFile(join(folder, name), '');
    await chmod(join(folder, name), 0o755);
  }
  vi.stubEnv('PATH', ['', '/nowhere', folder].join(delimiter));
  return folder;
}

test('configured services are used, and nothing is started', async () => {
  await withCommands('mongod', 'redis-server', 'minio');
  const env = {
    MONGODB_URI: 'mongodb://db.example',
    REDIS_URL: 'redis://cache.example',
    S3_ENDPOINT: 'https://s3.example',
    S3_ACCESS_KEY: 'a',
    S3_SECRET_KEY: 'b',
    S3_REGION: 'eu-west-1',
  };
  const plans = await Promise.all([planMongo, planRedis, planS3].map((plan) => plan({ ...options, env })));
  expect(Object.assign({}, ...plans.map(({ settings }) => settings))).toEqual(env);
  expect(plans.map(({ process }) => process)).toEqual([undefined, undefined, undefined]);
});

test('S3 without its keys is rejected', async () => {
  await expect(planS3({ ...options, env: { S3_ENDPOINT: 'https://s3.example' } })).rejects.toThrow(
    /set S3_ACCESS_KEY and S3_SECRET_KEY/,
  );
});

test('servers on the PATH are preferred to the embedded ones', async () => {
  const folder = await withCommands('mongod', 'redis-server', 'valkey-server', 'minio');
  const plans = await Promise.all([planMongo(options), planRedis(options), planS3(options)]);
  expect(plans.map(({ process }) => process?.command)).toEqual(
    ['mongod', 'valkey-server', 'minio'].map((name) => join(folder, name)),
  );
});

test('without servers, MongoDB and S3 are embedded, and Redis is requested', async () => {
  await withCommands();
  expect((await planMongo(options)).process?.args.join(' ')).toContain('embedded/mongo/src/main.ts');
  expect((await planS3(options)).process?.args.join(' ')).toContain('embedded/s3/src/main.ts');
  await expect(planRedis(options)).rejects.toThrow('&& sudo apt-get install redis-server", or set REDIS_URL');
});

test('data stays with the program that wrote it', async () => {
  await withCommands();
  await Promise.all([planMongo(options), planS3(options)]);
  const bin = join(options.dataDir, 'bin');
  for (const name of ['mongod', 'minio']) {
    await writeFile(join(bin, name), '');
    await chmod(join(bin, name), 0o755);
  }
  const plans = await Promise.all([planMongo(options), planS3(options)]);
  expect(plans.map(({ process }) => process?.title)).toEqual(['MongoDB, embedded', 'S3, embedded']);
});

test.each([
  ['mongod', planMongo, 'set MONGODB_URI to a MongoDB'],
  ['minio', planS3, 'set S3_ENDPOINT and its keys to an S3'],
] as const)(
  'data of a %s that is no longer on the PATH is not replaced by an empty folder',
  async (name, plan, given) => {
    const bin = await withCommands(name);
    await plan(options);
    await rm(join(bin, name));
    const folder = join(options.dataDir, name);
    await expect(plan(options)).rejects.toThrow(
      new StartupError(
        `The data in ${folder} needs ${name}, which is not on the PATH: install it, ${given}, or move that folder away to start over.`,
      ),
    );
    await rename(folder, `${folder}-before`);
    expect((await plan(options)).process?.title).toContain('embedded');
  },
);

test('redis-server and valkey-server have separate folders', async () => {
  const bin = await withCommands('valkey-server', 'redis-server');
  const folder = async () =>
    /^dir "(.+)"$/m.exec(await readFile((await planRedis(options)).process?.args[0] ?? '', 'utf8'))?.[1];
  expect(await folder()).toBe(join(options.dataDir, 'valkey'));
  await rm(join(bin, 'valkey-server'));
  expect(await folder()).toBe(join(options.dataDir, 'redis'));
});

test('Redis evicts nothing, saves to disk, and hides its password from other users', async () => {
  const plan = await planRedis(options);
  const path = plan.process?.args[0] ?? '';
  const configuration = await readFile(path, 'utf8');
  expect(configuration).toContain('maxmemory-policy noeviction\nappendonly yes');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect(plan.settings.REDIS_URL).toMatch(/^redis:\/\/maintenance:/);
  expect(plan.process?.args.join(' ')).not.toContain(new URL(plan.settings.REDIS_URL ?? '').password);
  expect(configuration).toContain('user default off');
  expect(configuration).not.toMatch(/user root|requirepass/);
});

test('a Redis older than 7 has one password for all, and the start says so', async () => {
  const folder = await withCommands('redis-server');
  const version = (words: string) => writeFile(join(folder, 'redis-server'), `#!/bin/sh\necho '${words}'\n`);
  await version('Redis server v=6.0.16 sha=00000000:0 malloc=jemalloc-5.2.1 bits=64 build=a3fdef44459b3ad6');
  const plan = await planRedis(options);
  const configuration = await readFile(plan.process?.args[0] ?? '', 'utf8');
  expect(configuration).toContain(`requirepass ${options.secrets.redisPassword}\n`);
  expect(configuration).not.toContain('user ');
  expect(plan.settings.REDIS_URL).toBe(`redis://:${options.secrets.redisPassword}@127.0.0.1:2`);
  expect(await plan.process?.prepare?.()).toContain('Redis is older than 7');

  for (const newer of ['Redis server v=7.0.15 sha=0', 'Valkey server v=8.1.1 sha=0']) {
    await version(newer);
    const { process } = await planRedis(options);
    expect(await readFile(process?.args[0] ?? '', 'utf8'), newer).toContain('user worker on #');
    expect(await process?.prepare?.()).toBe('');
  }
});

test('all are started and respond, and again over the same data', async () => {
  const { dataDir, secrets } = options;
  const start = async () => {
    const supervisor = await createSupervisor({
      logDir: join(dataDir, 'logs'),
      lockFile: join(dataDir, 'lock'),
      onEvent: () => undefined,
    });
    return { supervisor, settings: await startBackingServices(supervisor, { dataDir, secrets, env: {} }) };
  };
  const first = await start();
  expect(first.settings).toEqual({
    MONGODB_URI: expect.stringMatching(/^mongodb:\/\/root:.+@127\.0\.0\.1:\d+$/),
    REDIS_URL: expect.stringMatching(/^redis:\/\/maintenance:.+@127\.0\.0\.1:\d+$/),
    S3_ENDPOINT: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+$/),
    S3_ACCESS_KEY: secrets.s3AccessKey,
    S3_SECRET_KEY: secrets.s3SecretKey,
    S3_REGION: 'us-east-1',
  });
  await first.supervisor.stop();
  const second = await start();
  await second.supervisor.stop();
});
