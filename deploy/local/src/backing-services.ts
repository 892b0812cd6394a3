import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { childEnvironment } from './child-environment.ts';
import { findCommand } from './commands.ts';
import type { LocalSecrets } from './data-folder.ts';
import { findFreePorts } from './free-ports.ts';
import { answersHttp, answersMongo, answersRedis } from './readiness.ts';
import { REPOSITORY, StartupError } from './settings.ts';
import { mongoAccounts, ownMongoUri, ownRedisUrl, redisAccountLines } from './store-accounts.ts';
import type { ProcessSpec } from './supervised-process.ts';
import type { Supervisor } from './supervisor.ts';

/** Connection settings of the backing services, named like the services' own settings. */
export interface BackingSettings {
  MONGODB_URI: string;
  REDIS_URL: string;
  S3_ENDPOINT: string;
  S3_ACCESS_KEY: string;
  S3_SECRET_KEY: string;
  S3_REGION: string;
}

/** How to provide a backing service: its settings, and the process to run, if any. */
export interface BackingPlan {
  process?: ProcessSpec;
  settings: Partial<BackingSettings>;
}

export interface BackingOptions {
  dataDir: string;
  secrets: LocalSecrets;
  /** The user's settings. A service configured there is used as is. */
  env: Readonly<Record<string, string | undefined>>;
  /** Adds an unrestricted Redis account and uses it in REDIS_URL: for tests and measurements. */
  hasRedisAdministrator?: boolean;
  /** Free ports on loopback. */
  ports: { mongo: number; redis: number; s3: number };
}

/** The backing services listen here. */
export const LOOPBACK = '127.0.0.1';

export function embeddedServer(name: 'mongo' | 's3'): string {
  return fileURLToPath(new URL(`../../embedded/${name}/src/main.ts`, import.meta.url));
}

/** A server that may be on the PATH, and its embedded alternative. */
interface ServerChoice {
  /** The server's command. */
  name: string;
  /** Data folder of the embedded server. */
  ownFolder: string;
  /** Data folder of the server on the PATH. */
  serverFolder: string;
  /** The setting for using a server elsewhere. */
  given: string;
}

/**
 * Chooses between a server on the PATH and the embedded one. Existing data stays with the program that wrote it.
 * @returns the server's path; undefined for the embedded one
 * @throws StartupError if the data needs a server that is no longer on the PATH
 */
export function chooseServer({ name, ownFolder, serverFolder, given }: ServerChoice): string | undefined {
  const hasOwnData = existsSync(ownFolder);
  const hasServerData = existsSync(serverFolder);
  if (hasOwnData && !hasServerData) return undefined;
  const command = findCommand([name]);
  if (!command && hasServerData && !hasOwnData) {
    throw new StartupError(
      `The data in ${serverFolder} needs ${name}, which is not on the PATH: install it, set ${given}, or move that folder away to start over.`,
    );
  }
  return command;
}

/** MongoDB: MONGODB_URI, else `mongod`, else the embedded server. */
export async function planMongo({ dataDir, secrets, env, ports }: BackingOptions): Promise<BackingPlan> {
  if (env.MONGODB_URI) return { settings: { MONGODB_URI: env.MONGODB_URI } };
  const port = ports.mongo;
  const isReady = () => answersMongo(port);
  const [ownFolder, serverFolder] = [join(dataDir, 'mongo'), join(dataDir, 'mongod')];
  const mongod = chooseServer({ name: 'mongod', ownFolder, serverFolder, given: 'MONGODB_URI to a MongoDB' });
  if (!mongod && !existsSync(embeddedServer('mongo'))) return { settings: {} };
  const folder = mongod ? serverFolder : ownFolder;
  await mkdir(folder, { recursive: true });
  const address = ['--port', String(port)];
  const [command, args] = mongod
    ? [mongod, [...address, '--bind_ip', LOOPBACK, '--dbpath', folder]]
    : [process.execPath, [embeddedServer('mongo'), ...address, '--host', LOOPBACK, '--data', folder]];
  // A mongod on the PATH runs without accounts.
  const MONGODB_URI = mongod ? `mongodb://${LOOPBACK}:${port}` : ownMongoUri(secrets, `${LOOPBACK}:${port}`);
  const accounts = mongod ? undefined : JSON.stringify(mongoAccounts(secrets, env.MONGODB_PREFIX ?? ''));
  return {
    settings: { MONGODB_URI },
    process: {
      name: 'mongo',
      title: mongod ? `MongoDB (${mongod})` : 'MongoDB, embedded',
      command,
      args,
      env: childEnvironment({ MONGO_ACCOUNTS: accounts }),
      isReady,
      isAnswering: isReady,
    },
  };
}

/**
 * S3: S3_ENDPOINT, else `minio`, else the embedded server.
 * @throws StartupError if S3_ENDPOINT is set without its keys
 */
export async function planS3({ dataDir, secrets, env, ports }: BackingOptions): Promise<BackingPlan> {
  const region = env.S3_REGION || 'us-east-1';
  if (env.S3_ENDPOINT) {
    const { S3_ENDPOINT, S3_ACCESS_KEY, S3_SECRET_KEY } = env;
    if (!S3_ACCESS_KEY || !S3_SECRET_KEY) {
      throw new StartupError('S3_ENDPOINT is set: set S3_ACCESS_KEY and S3_SECRET_KEY with it.');
    }
    return { settings: { S3_ENDPOINT, S3_ACCESS_KEY, S3_SECRET_KEY, S3_REGION: region } };
  }
  const endpoint = `http://${LOOPBACK}:${ports.s3}`;
  const keys = { S3_ACCESS_KEY: secrets.s3AccessKey, S3_SECRET_KEY: secrets.s3SecretKey, S3_REGION: region };
  const settings = { S3_ENDPOINT: endpoint, ...keys };
  const [ownFolder, serverFolder] = [join(dataDir, 's3'), join(dataDir, 'minio')];
  const minio = chooseServer({ name: 'minio', ownFolder, serverFolder, given: 'S3_ENDPOINT and its keys to an S3' });
  await mkdir(minio ? serverFolder : ownFolder, { recursive: true });
  if (minio) {
    return {
      settings,
      process: {
        name: 's3',
        title: `S3 (${minio})`,
        command: minio,
        args: ['server', serverFolder, '--address', `${LOOPBACK}:${ports.s3}`, '--quiet'],
        env: childEnvironment({
          MINIO_ROOT_USER: secrets.s3AccessKey,
          MINIO_ROOT_PASSWORD: secrets.s3SecretKey,
          MINIO_REGION: region,
          MINIO_BROWSER: 'off',
        }),
        isReady: () => answersHttp(`${endpoint}/minio/health/ready`),
        isAnswering: () => answersHttp(`${endpoint}/minio/health/live`, true),
      },
    };
  }
  return {
    settings,
    process: {
      name: 's3',
      title: 'S3, embedded',
      command: process.execPath,
      args: [embeddedServer('s3'), '--port', String(ports.s3), '--host', LOOPBACK, '--data', ownFolder],
      env: childEnvironment(keys),
      isReady: () => answersHttp(`${endpoint}/`, true),
      isAnswering: () => answersHttp(`${endpoint}/`, true),
    },
  };
}

const execute = promisify(execFile);

/**
 * Repairs an append-only file that a power cut has damaged.
 * @returns a description of the repair; empty if nothing was damaged
 */
async function repairAppendOnlyFile(folder: string, server: string): Promise<string> {
  const script = join(REPOSITORY, 'deploy/repair-append-only-file.sh');
  // `redis-check-aof` is in the same folder as `redis-server`; the same goes for Valkey.
  const check = join(dirname(server), basename(server).replace('-server', '-check-aof'));
  return (await execute('sh', [script, folder, check])).stdout.trim();
}

/** The first major version of Redis and Valkey whose ACLs support the product's restrictions. */
const FIRST_WITH_ACCOUNTS = 7;

/** Whether a server supports such ACLs. Assumed if its version is unknown. */
async function hasAccounts(server: string): Promise<boolean> {
  const { stdout } = await execute(server, ['--version']).catch(() => ({ stdout: '' }));
  const [, major] = /\bv=(\d+)\./.exec(stdout) ?? [];
  return major === undefined || Number(major) >= FIRST_WITH_ACCOUNTS;
}

const REDIS_FOLDERS: Readonly<Record<string, string>> = { 'valkey-server': 'valkey', 'redis-server': 'redis' };

/**
 * Redis: REDIS_URL, else `valkey-server` or `redis-server`.
 * @throws StartupError if there is none
 */
export async function planRedis({ dataDir, secrets, env, ports, ...options }: BackingOptions): Promise<BackingPlan> {
  if (env.REDIS_URL) return { settings: { REDIS_URL: env.REDIS_URL } };
  const command = findCommand(Object.keys(REDIS_FOLDERS));
  if (!command) {
    throw new StartupError(
      'Redis is missing: run "sudo apt-get update && sudo apt-get install redis-server", or set REDIS_URL to one.',
    );
  }
  const port = ports.redis;
  // One folder per program: neither can read data of a newer version of the other. Redis may start empty, since MongoDB is
  // the source of truth.
  const folder = join(dataDir, REDIS_FOLDERS[basename(command)] ?? 'redis');
  await mkdir(folder, { recursive: true });
  const { hasRedisAdministrator = false } = options;
  const withAccounts = await hasAccounts(command);
  const url = withAccounts
    ? ownRedisUrl(secrets, `${LOOPBACK}:${port}`, hasRedisAdministrator)
    : `redis://:${secrets.redisPassword}@${LOOPBACK}:${port}`;
  const access = withAccounts
    ? await redisAccountLines(secrets, env.REDIS_PREFIX || 'interview-prep', hasRedisAdministrator)
    : `requirepass ${secrets.redisPassword}\n`;
  const tooOld = 'Redis is older than 7, so all services share one password instead of having separate accounts';
  // In a file, because process arguments are visible to every user of the machine.
  const configuration = join(dataDir, 'redis.conf');
  const lines = [
    `bind ${LOOPBACK}`,
    `port ${port}`,
    `dir ${JSON.stringify(folder)}`,
    'maxmemory-policy noeviction',
    'appendonly yes',
    'save ""',
    'daemonize no',
  ];
  await writeFile(configuration, `${lines.join('\n')}\n${access}`, { mode: 0o600 });
  return {
    settings: { REDIS_URL: url },
    process: {
      name: 'redis',
      title: `Redis (${command})`,
      command,
      args: [configuration],
      env: childEnvironment({}),
      prepare: async () =>
        [withAccounts ? '' : tooOld, await repairAppendOnlyFile(folder, command)].filter(Boolean).join('; '),
      isReady: () => answersRedis(url),
      isAnswering: () => answersRedis(url, true),
    },
  };
}

const PLANS = [planMongo, planRedis, planS3];

/**
 * Finds MongoDB, Redis and S3, and starts those that are not configured.
 * @throws StartupError that says which is missing and how to get it, before anything starts
 */
export async function startBackingServices(
  supervisor: Supervisor,
  options: Omit<BackingOptions, 'ports'>,
): Promise<BackingSettings> {
  const [mongo, redis, s3] = (await findFreePorts(3)) as [number, number, number];
  const plans = await Promise.all(PLANS.map((plan) => plan({ ...options, ports: { mongo, redis, s3 } })));
  await Promise.all(
    plans.map(async (plan) => {
      if (plan.process) await supervisor.start('backing', plan.process);
    }),
  );
  return Object.assign({}, ...plans.map(({ settings }) => settings)) as BackingSettings;
}
