import { createHmac } from 'node:crypto';
import type { Account } from '@interview-prep/embedded-mongo/authentication/accounts';
import type { LocalSecrets } from './data-folder.ts';

/** The databases that a service's account reaches, without prefix. Nobody but MongoDB deletes from the audit log. */
const SERVICE_RIGHTS: Readonly<Record<string, Account['rights']>> = {
  auth: { auth: 'all', audit: 'append' },
  catalog: { catalog: 'all' },
  recording: { recording: 'all' },
  history: { history: 'all' },
};

/** Whoever sets up, backs up and restores. */
const ADMINISTRATOR = 'root';

type Secret = Pick<LocalSecrets, 'mongoPassword'>;

const passwordOf = ({ mongoPassword }: Secret, service: string): string =>
  createHmac('sha256', mongoPassword).update(`mongo account ${service}`).digest('base64url');

/** The accounts of the embedded MongoDB: one that may do everything, and one for each service. `prefix` begins the names of databases. */
export function mongoAccounts(secrets: Secret, prefix: string): Account[] {
  const services = Object.entries(SERVICE_RIGHTS).map(([user, rights]) => {
    const prefixed = Object.entries(rights).map(([database, right]) => [`${prefix}${database}`, right] as const);
    return { user, password: passwordOf(secrets, user), rights: Object.fromEntries(prefixed) };
  });
  return [{ user: ADMINISTRATOR, password: secrets.mongoPassword, rights: { '*': 'all' } }, ...services];
}

/** @param address `host:port` */
export function ownMongoUri({ mongoPassword }: Secret, address: string): string {
  return `mongodb://${ADMINISTRATOR}:${mongoPassword}@${address}`;
}

/** The URI with the service's account instead of the administrator's; another server's URI as it is. */
export function mongoUriOf(service: string, uri: string, secrets: Secret): string {
  return uri.replace(`//${ADMINISTRATOR}:${secrets.mongoPassword}@`, `//${service}:${passwordOf(secrets, service)}@`);
}
