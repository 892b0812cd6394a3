import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Account } from '@interview-prep/embedded-mongo/authentication/accounts';
import type { LocalSecrets } from './data-folder.ts';
import { REPOSITORY } from './settings.ts';

const execute = promisify(execFile);

/** The processes that use Redis, each with its own account. */
export const REDIS_SERVICES = ['auth', 'catalog', 'recording', 'worker', 'history'] as const;
export type RedisService = (typeof REDIS_SERVICES)[number];

/** The account for backups, restores and checks. It may not configure the server. */
const MAINTENANCE = 'maintenance';

/** Unrestricted; only for tests and measurements. */
const ADMINISTRATOR = 'root';

type Secret = Pick<LocalSecrets, 'redisPassword'>;

const passwordOf = ({ redisPassword }: Secret, user: string): string =>
  createHmac('sha256', redisPassword).update(`redis account ${user}`).digest('base64url');

/**
 * The lines of the Redis configuration that define the accounts.
 * @param prefix the prefix of all keys
 * @param hasAdministrator whether to add an unrestricted account
 */
export async function redisAccountLines(secrets: Secret, prefix: string, hasAdministrator: boolean): Promise<string> {
  const passwords = REDIS_SERVICES.map((name) => [`REDIS_${name.toUpperCase()}_PASSWORD`, passwordOf(secrets, name)]);
  const env = {
    PATH: process.env.PATH,
    ...Object.fromEntries(passwords),
    REDIS_PASSWORD: passwordOf(secrets, MAINTENANCE),
  };
  const { stdout } = await execute('sh', [join(REPOSITORY, 'deploy/redis-accounts.sh'), prefix], { env });
  return hasAdministrator
    ? `${stdout}user ${ADMINISTRATOR} on >${passwordOf(secrets, ADMINISTRATOR)} ~* &* +@all\n`
    : stdout;
}

/**
 * The Redis URL for commands that run beside the product.
 * @param address `host:port`
 */
export function ownRedisUrl(secrets: Secret, address: string, hasAdministrator: boolean): string {
  const user = hasAdministrator ? ADMINISTRATOR : MAINTENANCE;
  return `redis://${user}:${passwordOf(secrets, user)}@${address}`;
}

/** Replaces the account in a URL from `ownRedisUrl` by the service's; other servers' URLs stay unchanged. */
export function redisUrlOf(service: RedisService, url: string, secrets: Secret): string {
  const account = `//${service}:${passwordOf(secrets, service)}@`;
  return [MAINTENANCE, ADMINISTRATOR].reduce(
    (changed, user) => changed.replace(`//${user}:${passwordOf(secrets, user)}@`, account),
    url,
  );
}

/** Database rights of each service's account, without prefix. Audit log entries are deleted only by MongoDB itself. */
const SERVICE_RIGHTS: Readonly<Record<string, Account['rights']>> = {
  auth: { auth: 'all', audit: 'append' },
  catalog: { catalog: 'all' },
  recording: { recording: 'all' },
  history: { history: 'all' },
};

const mongoPasswordOf = ({ mongoPassword }: LocalSecrets, service: string): string =>
  createHmac('sha256', mongoPassword).update(`mongo account ${service}`).digest('base64url');

/** The accounts of the embedded MongoDB: an unrestricted one, and one per service. `prefix` is the prefix of database names. */
export function mongoAccounts(secrets: LocalSecrets, prefix: string): Account[] {
  const services = Object.entries(SERVICE_RIGHTS).map(([user, rights]) => {
    const prefixed = Object.entries(rights).map(([database, right]) => [`${prefix}${database}`, right] as const);
    return { user, password: mongoPasswordOf(secrets, user), rights: Object.fromEntries(prefixed) };
  });
  return [{ user: ADMINISTRATOR, password: secrets.mongoPassword, rights: { '*': 'all' } }, ...services];
}

/** @param address `host:port` */
export function ownMongoUri({ mongoPassword }: LocalSecrets, address: string): string {
  return `mongodb://${ADMINISTRATOR}:${mongoPassword}@${address}`;
}

/** Replaces the administrator's account in the URI by the service's; other servers' URIs stay unchanged. */
export function mongoUriOf(service: string, uri: string, secrets: LocalSecrets): string {
  return uri.replace(
    `//${ADMINISTRATOR}:${secrets.mongoPassword}@`,
    `//${service}:${mongoPasswordOf(secrets, service)}@`,
  );
}
