import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { childEnvironment } from './child-environment.ts';
import { findCommand } from './commands.ts';
import type { LocalSecrets } from './data-folder.ts';
import { acceptsTcp, answersHttp, answersRedis } from './readiness.ts';
import { StartupError } from './startup-error.ts';
import type { ProcessSpec } from './supervised-process.ts';

/** Where the backing services are, in the words of the services' settings. */
export interface BackingSettings {
  MONGODB_URI: string;
  REDIS_URL: string;
  S3_ENDPOINT: string;
  S3_ACCESS_KEY: string;
  S3_SECRET_KEY: string;
  S3_REGION: string;
}

/** What to run for it, if anything, and what its users need to know. */
export interface BackingPlan {
  process?: ProcessSpec;
  settings: Partial<BackingSettings>;
}

export interface BackingOptions {
  dataDir: string;
  secrets: LocalSecrets;
  /** The user's settings: those that name a service are taken at their word. */
  env: Readonly<Record<string, string | undefined>>;
  /** Free loopback ports. */
  ports: { mongo: number; redis: number; s3: number };
}

const HOST = '127.0.0.1';
const embedded = (name: string): string => fileURLToPath(new URL(`../${name}/src/main.ts`, import.meta.url));

interface Choice {
  /** The server's command. */
  name: string;
  ownFolder: string;
  serverFolder: string;
  /** What would name a server elsewhere. */
  given: string;
}

/**
 * Data stays with the program that wrote it: a server that appears on the PATH later does not hide what is there, and one
 * that is gone from it is missed. Throws a StartupError.
 * @returns the server's path; undefined where the embedded one is to be used
 */
const choose = ({ name, ownFolder, serverFolder, given }: Choice): string | undefined => {
  const isOwn = existsSync(ownFolder);
  const isServers = existsSync(serverFolder);
  if (isOwn && !isServers) return undefined;
  const command = findCommand([name]);
  if (!command && isServers && !isOwn) {
    throw new StartupError(
      `The data in ${serverFolder} needs ${name}, which is not found: install it or put it on the PATH, set ${given}, or move that folder away to begin anew.`,
    );
  }
  return command;
};

/** MongoDB: given by MONGODB_URI, else `mongod`, else the embedded one. */
export const planMongo = async ({ dataDir, env, ports }: BackingOptions): Promise<BackingPlan> => {
  if (env.MONGODB_URI) return { settings: { MONGODB_URI: env.MONGODB_URI } };
  const port = ports.mongo;
  const settings = { MONGODB_URI: `mongodb://${HOST}:${port}` };
  const isReady = () => acceptsTcp(port);
  const [ownFolder, serverFolder] = [join(dataDir, 'mongo'), join(dataDir, 'mongod')];
  const mongod = choose({ name: 'mongod', ownFolder, serverFolder, given: 'MONGODB_URI to a MongoDB' });
  if (!mongod && !existsSync(embedded('embedded-mongo'))) return { settings: {} };
  const folder = mongod ? serverFolder : ownFolder;
  await mkdir(folder, { recursive: true });
  const address = ['--port', String(port)];
  const [command, args] = mongod
    ? [mongod, [...address, '--bind_ip', HOST, '--dbpath', folder]]
    : [process.execPath, [embedded('embedded-mongo'), ...address, '--host', HOST, '--data', folder]];
  return {
    settings,
    process: {
      name: 'mongo',
      title: mongod ? `MongoDB (${mongod})` : 'MongoDB, the embedded one',
      command,
      args,
      env: childEnvironment({}),
      isReady,
    },
  };
};

const REDIS_FOLDERS: Readonly<Record<string, string>> = { 'valkey-server': 'valkey', 'redis-server': 'redis' };

/** Redis: given by REDIS_URL, else `valkey-server` or `redis-server`; there is no embedded one. */
export const planRedis = async ({ dataDir, secrets, env, ports }: BackingOptions): Promise<BackingPlan> => {
  if (env.REDIS_URL) return { settings: { REDIS_URL: env.REDIS_URL } };
  const command = findCommand(Object.keys(REDIS_FOLDERS));
  if (!command) {
    throw new StartupError(
      'Redis is missing: run "sudo apt-get update && sudo apt-get install redis-server", or set REDIS_URL to one.',
    );
  }
  const port = ports.redis;
  // Each program has a folder of its own: one cannot read what a newer one of the other has written. What is in it can be
  // lost, since MongoDB is the truth.
  const folder = join(dataDir, REDIS_FOLDERS[basename(command)] ?? 'redis');
  await mkdir(folder, { recursive: true });
  // A file, because the arguments of a process can be read by everybody on the machine.
  const configuration = join(dataDir, 'redis.conf');
  const lines = [
    `bind ${HOST}`,
    `port ${port}`,
    `requirepass ${secrets.redisPassword}`,
    `dir ${JSON.stringify(folder)}`,
    'maxmemory-policy noeviction',
    'appendonly yes',
    'save ""',
    'daemonize no',
  ];
  await writeFile(configuration, `${lines.join('\n')}\n`, { mode: 0o600 });
  return {
    settings: { REDIS_URL: `redis://:${secrets.redisPassword}@${HOST}:${port}` },
    process: {
      name: 'redis',
      title: `Redis (${command})`,
      command,
      args: [configuration],
      env: childEnvironment({}),
      isReady: () => answersRedis(port, secrets.redisPassword),
    },
  };
};

/** S3: given by S3_ENDPOINT with its keys, else `minio`, else the embedded one. */
export const planS3 = async ({ dataDir, secrets, env, ports }: BackingOptions): Promise<BackingPlan> => {
  const region = env.S3_REGION || 'us-east-1';
  if (env.S3_ENDPOINT) {
    const { S3_ENDPOINT, S3_ACCESS_KEY, S3_SECRET_KEY } = env;
    if (!S3_ACCESS_KEY || !S3_SECRET_KEY) {
      throw new StartupError('S3_ENDPOINT is set: set S3_ACCESS_KEY and S3_SECRET_KEY with it.');
    }
    return { settings: { S3_ENDPOINT, S3_ACCESS_KEY, S3_SECRET_KEY, S3_REGION: region } };
  }
  const endpoint = `http://${HOST}:${ports.s3}`;
  const keys = { S3_ACCESS_KEY: secrets.s3AccessKey, S3_SECRET_KEY: secrets.s3SecretKey, S3_REGION: region };
  const settings = { S3_ENDPOINT: endpoint, ...keys };
  const [ownFolder, serverFolder] = [join(dataDir, 's3'), join(dataDir, 'minio')];
  const minio = choose({ name: 'minio', ownFolder, serverFolder, given: 'S3_ENDPOINT and its keys to an S3' });
  await mkdir(minio ? serverFolder : ownFolder, { recursive: true });
  if (minio) {
    return {
      settings,
      process: {
        name: 's3',
        title: `S3 (${minio})`,
        command: minio,
        args: ['server', serverFolder, '--address', `${HOST}:${ports.s3}`, '--quiet'],
        env: childEnvironment({
          MINIO_ROOT_USER: secrets.s3AccessKey,
          MINIO_ROOT_PASSWORD: secrets.s3SecretKey,
          MINIO_REGION: region,
          MINIO_BROWSER: 'off',
        }),
        isReady: () => answersHttp(`${endpoint}/minio/health/ready`),
      },
    };
  }
  return {
    settings,
    process: {
      name: 's3',
      title: 'S3, the embedded one',
      command: process.execPath,
      args: [embedded('embedded-s3'), '--port', String(ports.s3), '--host', HOST, '--data', ownFolder],
      env: childEnvironment(keys),
      isReady: () => answersHttp(`${endpoint}/`, true),
    },
  };
};
