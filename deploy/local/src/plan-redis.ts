import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type BackingOptions, type BackingPlan, LOOPBACK } from './backing-plan.ts';
import { childEnvironment } from './child-environment.ts';
import { findCommand } from './commands.ts';
import { answersRedis } from './readiness.ts';
import { ownRedisUrl, redisAccountLines } from './redis-accounts.ts';
import { REPOSITORY } from './settings.ts';
import { StartupError } from './startup-error.ts';

const execute = promisify(execFile);

/**
 * Makes a file that a power cut has damaged loadable again.
 * @returns what was done, in words; empty where nothing was damaged
 */
async function repairAppendOnlyFile(folder: string, server: string): Promise<string> {
  const script = join(REPOSITORY, 'deploy/repair-append-only-file.sh');
  // `redis-check-aof` is in the folder of `redis-server`; Valkey does the same.
  const check = join(dirname(server), basename(server).replace('-server', '-check-aof'));
  return (await execute('sh', [script, folder, check])).stdout.trim();
}

/** The first release of Redis, and of Valkey, whose accounts can be limited as the product's are. */
const FIRST_WITH_ACCOUNTS = 7;

/** Whether a server has accounts with rights. One that does not say its version has. */
async function hasAccounts(server: string): Promise<boolean> {
  const { stdout } = await execute(server, ['--version']).catch(() => ({ stdout: '' }));
  const [, major] = /\bv=(\d+)\./.exec(stdout) ?? [];
  return major === undefined || Number(major) >= FIRST_WITH_ACCOUNTS;
}

const REDIS_FOLDERS: Readonly<Record<string, string>> = { 'valkey-server': 'valkey', 'redis-server': 'redis' };

/**
 * Redis: at REDIS_URL, else `valkey-server` or `redis-server`.
 * @throws StartupError where there is none
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
  // One folder per program: neither reads what a newer version of the other wrote. Redis may start empty, since MongoDB is
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
  const tooOld = 'Redis is older than 7: all services share one password in it, where each would have an account';
  // In a file, because every user of the machine can read a process's arguments.
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
