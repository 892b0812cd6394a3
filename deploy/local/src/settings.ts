import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { StartupError } from './startup-error.ts';

export const REPOSITORY = fileURLToPath(new URL('../../..', import.meta.url));

/** The settings of `npm start`. A service parses those that only it reads (engines, ADMIN_EMAIL…). */
const Settings = z.object({
  /** 0 chooses a free port. */
  PORT: z.coerce.number('must be a port number').int().min(0).max(65_535).default(8080),
  HOST: z.string().default('127.0.0.1'),
  DATA_DIR: z.string().default('.data'),
  /** Stored with the data, see `keepSeed`. */
  SEED: z.enum(['demo', 'none']).optional(),
  DEMO_PASSWORD: z
    .string()
    .min(8, 'must have 8 characters or more')
    .max(128, 'must have 128 characters at most')
    .optional(),
  LOG_LEVEL: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']).default('info'),
  MONGODB_URI: z
    .string()
    .regex(/^mongodb(\+srv)?:\/\//, 'must begin with mongodb:// or mongodb+srv://')
    .optional(),
  REDIS_URL: z
    .string()
    .regex(/^rediss?:\/\//, 'must begin with redis:// or rediss://')
    .optional(),
  S3_ENDPOINT: z.url({ protocol: /^https?$/, error: 'must begin with http:// or https://' }).optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://')
    .optional(),
  /** With both the gateway speaks TLS alone: paths of a certificate with its chain, and of its key. */
  TLS_CERT_FILE: z.string().optional(),
  TLS_KEY_FILE: z.string().optional(),
  /** The address that users see, where a proxy stands in front. */
  PUBLIC_URL: z.url({ protocol: /^https?$/, error: 'must begin with http:// or https://' }).optional(),
});

/** Settings that may hold a password: their values are never shown. */
const SECRET = /PASSWORD|_URI$|^(REDIS|SMTP)_URL$/;

export type Environment = Readonly<Record<string, string | undefined>>;
export type Settings = z.infer<typeof Settings>;

/**
 * Parses the user's settings. An empty variable counts as not set.
 * @throws StartupError that lists every invalid setting
 */
export function readSettings(environment: Environment): Settings {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = Settings.safeParse(given);
  if (parsed.success) return { ...parsed.data, DATA_DIR: resolve(REPOSITORY, parsed.data.DATA_DIR) };
  const problems = parsed.error.issues.map(({ path, message }) => {
    const name = String(path[0]);
    return `${SECRET.test(name) ? name : `${name}=${given[name]}`}: ${message}`;
  });
  throw new StartupError(`Cannot start with ${problems.join('; ')}.`);
}

/** Whether only this machine reaches the address. */
export function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host);
}

/** Whether only this machine reaches the product: it listens on loopback, and no proxy publishes it elsewhere. */
export function isForThisMachineAlone(settings: Settings, environment: Environment): boolean {
  const { hostname } = new URL(publicUrl(settings));
  const proxies = Number(environment.TRUST_PROXY || 0);
  return isLoopback(settings.HOST) && isLoopback(hostname.replace(/^\[|\]$/g, '')) && proxies === 0;
}

/** The address that a person on this machine opens. */
export function publicUrl(settings: Pick<Settings, 'HOST' | 'PORT' | 'PUBLIC_URL' | 'TLS_CERT_FILE'>): string {
  if (settings.PUBLIC_URL) return settings.PUBLIC_URL.replace(/\/$/, '');
  const host = ['0.0.0.0', '::'].includes(settings.HOST) ? 'localhost' : settings.HOST;
  return `${settings.TLS_CERT_FILE ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${settings.PORT}`;
}
