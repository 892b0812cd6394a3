import { join, resolve } from 'node:path';
import { settingsOf } from '@interview-prep/kit/process/config';
import type { SettingName } from '@interview-prep/kit/settings';
import type { BackingSettings } from './backing-services.ts';
import { childEnvironment } from './child-environment.ts';
import type { LocalSecrets, Seed } from './data-folder.ts';
import { answersHttp } from './readiness.ts';
import { type Environment, isForThisMachineAlone, publicUrl, REPOSITORY, type Settings } from './settings.ts';
import { mongoUriOf, redisUrlOf } from './store-accounts.ts';
import type { ProcessSpec } from './supervised-process.ts';
import type { Phase } from './supervisor.ts';

/** The first admin's email; ADMIN_EMAIL overrides it. */
export const FIRST_ADMIN_EMAIL = 'admin@example.com';

/** Input for the environments of all processes. */
export interface ProductContext {
  settings: Settings;
  /** The user's environment, for settings that a service parses itself. */
  env: Environment;
  secrets: LocalSecrets;
  backing: BackingSettings;
  seed: Seed;
  /** Undefined without demonstration data. */
  demoPassword: string | undefined;
  /** The demonstration users who can sign in with that password, as reported by auth. The gateway shows them. */
  demoEmails: readonly string[];
  smtpUrl: string;
  ports: Readonly<Record<ProcessName, number>>;
  /** The gateway signs its tokens for each service with these. Regenerated at each start. */
  gatewaySecrets: GatewaySecrets;
  /** For temporary files. */
  spoolDir: string;
  /** The URL of a development server for the web app, which the gateway proxies. */
  webDevUrl: string | undefined;
}

/** The product's processes, without the backing services. */
export type ProcessName = 'auth' | 'catalog' | 'recording' | 'worker' | 'history' | 'gateway';

/** The services behind the gateway, each with a secret that it shares only with the gateway. */
export type GatewaySecrets = Readonly<Record<'auth' | 'catalog' | 'recording' | 'history', string>>;

const entries: Readonly<Record<ProcessName, string>> = {
  auth: 'services/auth/src/main.ts',
  catalog: 'services/catalog/src/main.ts',
  recording: 'services/recording/src/main.ts',
  worker: 'services/recording/src/worker.ts',
  history: 'services/history/src/main.ts',
  gateway: 'gateway/src/main.ts',
};

const loopback = (port: number): string => `http://127.0.0.1:${port}`;

/** The logins that the login page offers to fill in. None if the page is reachable from other machines. */
const demoLogins = ({ settings, demoPassword, demoEmails }: ProductContext): string | undefined =>
  isForThisMachineAlone(settings)
    ? JSON.stringify(demoEmails.map((email) => ({ email, password: demoPassword })))
    : undefined;

/** Settings that the launcher determines itself, for one process; those of other processes are ignored. */
function ownSettings(name: ProcessName, context: ProductContext): Partial<Record<SettingName, string | undefined>> {
  const { settings, env, secrets, backing, ports, gatewaySecrets } = context;
  const isGateway = name === 'gateway';
  return {
    NODE_ENV: 'production',
    HOST: isGateway ? settings.HOST : '127.0.0.1',
    PORT: String(ports[name]),
    // The services listen on loopback, so only the gateway needs the certificate.
    TLS_CERT_FILE: isGateway && settings.TLS_CERT_FILE ? resolve(REPOSITORY, settings.TLS_CERT_FILE) : undefined,
    TLS_KEY_FILE: isGateway && settings.TLS_KEY_FILE ? resolve(REPOSITORY, settings.TLS_KEY_FILE) : undefined,
    PUBLIC_URL: publicUrl(settings),
    METRICS_TOKEN: settings.METRICS_TOKEN ?? secrets.metricsToken,
    // The worker shares recording's database.
    MONGODB_URI: mongoUriOf(name === 'worker' ? 'recording' : name, backing.MONGODB_URI, secrets),
    REDIS_URL: isGateway ? undefined : redisUrlOf(name, backing.REDIS_URL, secrets),
    S3_ENDPOINT: backing.S3_ENDPOINT,
    S3_ACCESS_KEY: backing.S3_ACCESS_KEY,
    S3_SECRET_KEY: backing.S3_SECRET_KEY,
    S3_REGION: backing.S3_REGION,
    MEDIA_TOKEN_SECRET: secrets.mediaTokenSecret,
    SPOOL_DIR: env.SPOOL_DIR || context.spoolDir,
    SEED: context.seed,
    DEMO_PASSWORD: context.demoPassword,
    // An empty installation needs a first user.
    ADMIN_EMAIL: env.ADMIN_EMAIL || (context.seed === 'none' ? FIRST_ADMIN_EMAIL : undefined),
    SMTP_URL: context.smtpUrl,
    AUTH_JWKS_URL: `${loopback(ports.auth)}/api/auth/.well-known/jwks.json`,
    AUTH_URL: loopback(ports.auth),
    CATALOG_URL: loopback(ports.catalog),
    RECORDING_URL: loopback(ports.recording),
    HISTORY_URL: loopback(ports.history),
    GATEWAY_SECRET: name in gatewaySecrets ? gatewaySecrets[name as keyof GatewaySecrets] : undefined,
    GATEWAY_AUTH_SECRET: gatewaySecrets.auth,
    GATEWAY_CATALOG_SECRET: gatewaySecrets.catalog,
    GATEWAY_RECORDING_SECRET: gatewaySecrets.recording,
    GATEWAY_HISTORY_SECRET: gatewaySecrets.history,
    WEB_ROOT: join(REPOSITORY, 'web/dist'),
    WEB_DEV_URL: context.webDevUrl,
    DEMO_LOGINS: demoLogins(context),
  };
}

/** The environment of a process: the settings that it reads, from the launcher or from the user. */
function environmentOf(name: ProcessName, context: ProductContext): Record<string, string | undefined> {
  const own = ownSettings(name, context);
  const variables = Object.fromEntries(
    settingsOf(name).flatMap((setting) =>
      setting in own
        ? [[setting, own[setting]]]
        : [setting, `${setting}_FILE`].map((variable) => [variable, context.env[variable] || undefined]),
    ),
  );
  if (name !== 'recording') return variables;
  // Frees upload buffers sooner, which halves the memory for many large concurrent uploads.
  const NODE_OPTIONS = [process.env.NODE_OPTIONS, '--max-semi-space-size=1'].filter(Boolean).join(' ');
  return { ...variables, NODE_OPTIONS };
}

/** The host for reaching a local server that listens on the given one. */
const ownHost = (host: string): string => (['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host);

/** A process with its phase. `watch` restarts it when its sources change. `root`: the checkout to run. */
export function productProcess(
  name: ProcessName,
  context: ProductContext,
  watch: boolean,
  root: string = REPOSITORY,
): { phase: Phase; spec: ProcessSpec } {
  const env = environmentOf(name, context);
  const host = ownHost(env.HOST ?? '');
  const url = `${env.TLS_CERT_FILE ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${env.PORT}`;
  return {
    phase: name === 'gateway' ? 'gateway' : 'services',
    spec: {
      name,
      command: process.execPath,
      args: [...(watch ? ['--watch', '--watch-preserve-output'] : []), join(root, entries[name])],
      env: childEnvironment(env),
      isReady: () => answersHttp(`${url}/readyz`),
      // During development a process may be paused in a debugger.
      isAnswering: watch ? undefined : () => answersHttp(`${url}/healthz`, true),
    },
  };
}
