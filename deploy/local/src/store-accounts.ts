import { execFile } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Account } from '@interview-prep/embedded-mongo/authentication/accounts';
import type { LocalSecrets } from './data-folder.ts';
import { REPOSITORY } from './settings.ts';

const execute = promisify(execFile);

/** The processes that use Redis, each with an account of its own. */
export const REDIS_SERVICES = ['auth', 'catalog', 'recording', 'worker', 'history'] as const;
export type RedisService = (typeof REDIS_SERVICES)[number];

/** Whoever backs up, restores and checks. It may not configure the server. */
const MAINTENANCE = 'maintenance';

/** May do everything. Only tests and measurements have it. */
const ADMINISTRATOR = 'root';

type Secret = Pick<LocalSecrets, 'redisPassword'>;

const passwordOf = ({ redisPassword }: Secret, user: string): string =>
  createHmac('sha256', redisPassword).update(`redis account ${user}`).digest('base64url');

/**
 * The lines of Redis's configuration that make the accounts.
 * @param prefix begins the names of all keys
 * @param hasAdministrator adds an account that may do everything
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
 * The address of Redis for commands that work beside the product.
 * @param address `host:port`
 */
export function ownRedisUrl(secrets: Secret, address: string, hasAdministrator: boolean): string {
  const user = hasAdministrator ? ADMINISTRATOR : MAINTENANCE;
  return `redis://${user}:${passwordOf(secrets, user)}@${address}`;
}

/** The address with the service's account instead of the one of `ownRedisUrl`; another server's address as it is. */
export function redisUrlOf(service: RedisService, url: string, secrets: Secret): string {
  const account = `//${service}:${passwordOf(secrets, service)}@`;
  return [MAINTENANCE, ADMINISTRATOR].reduce(
    (changed, user) => changed.replace(`//${user}:${passwordOf(secrets, user)}@`, account),
    url,
  );
}

/** The databases that a service's account reaches, without prefix. Only MongoDB itself deletes from the audit log. */
const SERVICE_RIGHTS: Readonly<Record<string, Account['rights']>> = {
  auth: { auth: 'all', audit: 'append' },
  catalog: { catalog: 'all' },
  recording: { recording: 'all' },
  history: { history: 'all' },
};

const mongoPasswordOf = ({ mongoPassword }: LocalSecrets, service: string): string =>
  createHmac('sha256', mongoPassword).update(`mongo account ${service}`).digest('base64url');

/** The accounts of the embedded MongoDB: one that may do everything, and one for each service. `prefix` begins the names of databases. */
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

/** The URI with the service's account instead of the administrator's; another server's URI as it is. */
export function mongoUriOf(service: string, uri: string, secrets: LocalSecrets): string {
  return uri.replace(
    `//${ADMINISTRATOR}:${secrets.mongoPassword}@`,
    `//${service}:${mongoPasswordOf(secrets, service)}@`,
  );
}
