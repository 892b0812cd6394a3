import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type GivenSettings, readGivenSettings, type SettingsOf, settingsOf } from '@interview-prep/kit/process/config';
import { type Setting, type SettingName, settings as table } from '@interview-prep/kit/settings';

/** A failed start that the user can fix. The message is one sentence that says how. */
export class StartupError extends Error {}

export const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings of `npm start`. Services parse all others themselves. PORT 0 chooses a free port. */
export type Settings = Omit<GivenSettings<SettingsOf<'start'>>, 'PUBLIC_URL'> & { PUBLIC_URL?: string | undefined };

const isOwn = (name: SettingName) => (table[name] as Setting).processes.includes('start');

/**
 * Parses the user's settings. Empty variables count as unset.
 * @throws StartupError that lists every invalid setting
 */
export function readSettings(environment: Environment): Settings {
  const { values, problems } = readGivenSettings(settingsOf('start'), withSettingFiles(environment));
  if (problems.length === 0) {
    // The default is derived from HOST and PORT.
    const PUBLIC_URL = environment.PUBLIC_URL ? values.PUBLIC_URL : undefined;
    return { ...values, PUBLIC_URL, DATA_DIR: resolve(REPOSITORY, values.DATA_DIR) };
  }
  const texts = problems.map(({ name, message }) => {
    const isSecret = (table[name as SettingName] as Setting).secret;
    return `${isSecret ? name : `${name}=${environment[name]}`}: ${message.replace(/\.$/, '')}`;
  });
  throw new StartupError(`Cannot start with ${texts.join('; ')}.`);
}

/**
 * Replaces `NAME_FILE` settings of `npm start` by the file's contents, without a trailing line break, and makes the
 * paths for the services absolute. Paths are relative to the repository.
 * @throws StartupError that lists unreadable files and settings given twice
 */
export function withSettingFiles(environment: Environment): Environment {
  const changed: Record<string, string | undefined> = {};
  const problems: string[] = [];
  for (const name of Object.keys(table) as SettingName[]) {
    const path = environment[`${name}_FILE`];
    if (!path) continue;
    const absolute = resolve(REPOSITORY, path);
    changed[`${name}_FILE`] = isOwn(name) ? undefined : absolute;
    if (!isOwn(name)) continue;
    try {
      if (environment[name]) throw new Error(`${name} is set as well: set one of them`);
      changed[name] = readFileSync(absolute, 'utf8').replace(/\r?\n$/, '');
    } catch (error) {
      problems.push(`${name}_FILE: ${(error as Error).message}`);
    }
  }
  if (problems.length > 0) throw new StartupError(`Cannot start with ${problems.join('; ')}.`);
  return { ...environment, ...changed };
}

/** Whether the address is only reachable from this machine. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host);
}

/** Whether the product is only reachable from this machine: it listens on loopback, and no proxy publishes it. */
export function isForThisMachineAlone(settings: Settings): boolean {
  const { hostname } = new URL(publicUrl(settings));
  return isLoopback(settings.HOST) && isLoopback(hostname.replace(/^\[|\]$/g, '')) && settings.TRUST_PROXY === 0;
}

/** The URL to open on this machine. */
export function publicUrl(settings: Pick<Settings, 'HOST' | 'PORT' | 'PUBLIC_URL' | 'TLS_CERT_FILE'>): string {
  if (settings.PUBLIC_URL) return settings.PUBLIC_URL;
  const host = ['0.0.0.0', '::'].includes(settings.HOST) ? 'localhost' : settings.HOST;
  return `${settings.TLS_CERT_FILE ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${settings.PORT}`;
}
