import { join, resolve } from 'node:path';
import type { BackingSettings } from './backing-plan.ts';
import { childEnvironment } from './child-environment.ts';
import type { LocalSecrets, Seed } from './data-folder.ts';
import { mongoUriOf } from './mongo-accounts.ts';
import { answersHttp } from './readiness.ts';
import { type RedisService, redisUrlOf } from './redis-accounts.ts';
import { type Environment, isForThisMachineAlone, publicUrl, REPOSITORY, type Settings } from './settings.ts';
import type { ProcessSpec } from './supervised-process.ts';
import type { Phase } from './supervisor.ts';

/** The first admin's email unless ADMIN_EMAIL names another. */
export const FIRST_ADMIN_EMAIL = 'admin@example.com';

/** Everything that the environments of the processes are made from. */
export interface ProductContext {
  settings: Settings;
  /** The user's environment, for settings that a service parses itself. */
  env: Environment;
  secrets: LocalSecrets;
  backing: BackingSettings;
  seed: Seed;
  /** Undefined without demonstration data. */
  demoPassword: string | undefined;
  /** The demonstration users who sign in with that password, as auth reported. The gateway shows them. */
  demoEmails: readonly string[];
  smtpUrl: string;
  ports: Readonly<Record<ProcessName, number>>;
  /** The gateway signs its tokens for each service with them. New at each start. */
  gatewaySecrets: GatewaySecrets;
  /** For unfinished files. */
  spoolDir: string;
  /** A development server for the web app, which the gateway proxies. */
  webDevUrl: string | undefined;
}

/** The product's processes, without the backing services. */
export type ProcessName = 'auth' | 'catalog' | 'recording' | 'worker' | 'history' | 'gateway';

/** The services behind the gateway, each with a secret that only it and the gateway have. */
export type GatewaySecrets = Readonly<Record<'auth' | 'catalog' | 'recording' | 'history', string>>;

type Row = {
  name: ProcessName;
  entry: string;
  /** Options of Node that NODE_OPTIONS does not take. */
  options?: readonly string[];
  phase: Phase;
  settings: (context: ProductContext) => Record<string, string | undefined>;
};

/** The user's settings with these names, or the files that hold them (`NAME_FILE`). An empty one counts as not set. */
const pick = (env: Environment, names: RegExp): Record<string, string | undefined> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) => {
      if (value === '' || value === undefined) return [];
      const isFile = name.endsWith('_FILE') && names.test(name.slice(0, -'_FILE'.length));
      if (isFile) return [[name, resolve(REPOSITORY, value)]];
      return names.test(name) ? [[name, value]] : [];
    }),
  );

const loopback = (port: number): string => `http://127.0.0.1:${port}`;

/** Settings of a process that uses the database of `service`; the worker shares that of recording. */
const shared = (
  service: string,
  { seed, env, secrets, backing, ports }: ProductContext,
  redisAccount = service as RedisService,
) => ({
  MONGODB_URI: mongoUriOf(service, backing.MONGODB_URI, secrets),
  REDIS_URL: redisUrlOf(redisAccount, backing.REDIS_URL, secrets),
  AUTH_JWKS_URL: `${loopback(ports.auth)}/api/auth/.well-known/jwks.json`,
  SEED: seed,
  ...pick(env, /^(MONGODB|REDIS)_PREFIX$/),
});

/** How Node runs the worker. */
export const WORKER = {
  entry: 'services/recording/src/worker.ts',
  // Functions that ran a few times stay bytecode, and the heap grows in smaller steps: 6 MB less, and no slower.
  options: ['--no-sparkplug', '--optimize-for-size'],
} as const;

/**
 * NODE_OPTIONS of recording and worker, after the user's own. Buffers are freed sooner: fifty large uploads at once, and the
 * worker, need half the memory. The worker collects garbage while idle.
 */
export function recordingNodeOptions(env: Environment): string {
  return [env.NODE_OPTIONS, '--max-semi-space-size=1', '--expose-gc'].filter(Boolean).join(' ');
}

const recordingSettings = (context: ProductContext, redisAccount: RedisService) => ({
  ...shared('recording', context, redisAccount),
  S3_ENDPOINT: context.backing.S3_ENDPOINT,
  S3_ACCESS_KEY: context.backing.S3_ACCESS_KEY,
  S3_SECRET_KEY: context.backing.S3_SECRET_KEY,
  S3_REGION: context.backing.S3_REGION,
  S3_BUCKET: context.env.S3_BUCKET || 'recordings',
  MEDIA_TOKEN_SECRET: context.secrets.mediaTokenSecret,
  SPOOL_DIR: context.env.SPOOL_DIR || context.spoolDir,
  ...pick(context.env, /^(SPEECH_|ASSESS_|SPOOL_MB$)/),
  NODE_OPTIONS: recordingNodeOptions(context.env),
  MALLOC_ARENA_MAX: context.env.MALLOC_ARENA_MAX || '1',
  // Half of glibc's default; set, it no longer grows with the largest block that was freed.
  MALLOC_TRIM_THRESHOLD_: context.env.MALLOC_TRIM_THRESHOLD_ || '65536',
});

/** The certificate that the gateway alone needs: the services listen on loopback. */
const tlsFiles = ({ TLS_CERT_FILE, TLS_KEY_FILE }: Settings) => ({
  TLS_CERT_FILE: TLS_CERT_FILE && resolve(REPOSITORY, TLS_CERT_FILE),
  TLS_KEY_FILE: TLS_KEY_FILE && resolve(REPOSITORY, TLS_KEY_FILE),
});

/** The logins that the login page offers to fill in. None where other machines reach the page. */
const demoLogins = ({ settings, env, demoPassword, demoEmails }: ProductContext): string | undefined =>
  isForThisMachineAlone(settings, env)
    ? JSON.stringify(demoEmails.map((email) => ({ email, password: demoPassword })))
    : undefined;

/** The product's six processes and their settings. PORT, HOST and LOG_LEVEL are added to each. */
const PROCESSES: readonly Row[] = [
  {
    name: 'auth',
    entry: 'services/auth/src/main.ts',
    phase: 'services',
    settings: (context) => ({
      ...shared('auth', context),
      GATEWAY_SECRET: context.gatewaySecrets.auth,
      DEMO_PASSWORD: context.demoPassword,
      SMTP_URL: context.smtpUrl,
      PUBLIC_URL: publicUrl(context.settings),
      // An empty installation needs a first user.
      ADMIN_EMAIL: context.seed === 'none' ? FIRST_ADMIN_EMAIL : undefined,
      MAIL_FROM: context.env.MAIL_FROM || 'Interview Prep <no-reply@example.com>',
      ...pick(
        context.env,
        /^(GOOGLE_.+|OIDC_.+|ADMIN_(EMAIL|PASSWORD)|TOKEN_LIFETIME|SIGN_IN_IDLE_MINUTES|(LOGIN|ADDRESS)_ATTEMPTS|RESET_MAILS|PASSWORD_BREACH_URL|MFA_REQUIRED_ROLES|STEP_UP_MINUTES|KEY_(ENCRYPTION_KEY(_PREVIOUS)?|ROTATION_DAYS)|AUDIT_(DAYS|LOG))$/,
      ),
    }),
  },
  {
    name: 'catalog',
    entry: 'services/catalog/src/main.ts',
    phase: 'services',
    settings: (context) => ({ ...shared('catalog', context), GATEWAY_SECRET: context.gatewaySecrets.catalog }),
  },
  {
    name: 'recording',
    entry: 'services/recording/src/main.ts',
    phase: 'services',
    settings: (context) => ({
      ...recordingSettings(context, 'recording'),
      GATEWAY_SECRET: context.gatewaySecrets.recording,
      PUBLIC_URL: publicUrl(context.settings),
      ...pick(
        context.env,
        /^(UPLOADS_PER_(MINUTE|HOUR)|STORED_MB_PER_USER|STREAMS_PER_USER|EXPORTS_PER_HOUR|SHARE_LINKS|CLAMAV_ADDRESS|RETENTION_.+)$/,
      ),
    }),
  },
  {
    name: 'worker',
    ...WORKER,
    phase: 'services',
    settings: (context) => ({
      ...recordingSettings(context, 'worker'),
      ...pick(context.env, /^(WORKER_CONCURRENCY|JOB_LOCK_MS)$/),
    }),
  },
  {
    name: 'history',
    entry: 'services/history/src/main.ts',
    phase: 'services',
    settings: (context) => ({
      ...shared('history', context),
      GATEWAY_SECRET: context.gatewaySecrets.history,
      PUBLIC_URL: publicUrl(context.settings),
      MEDIA_TOKEN_SECRET: context.secrets.mediaTokenSecret,
      ...pick(context.env, /^HISTORY_VISIBILITY$/),
    }),
  },
  {
    name: 'gateway',
    entry: 'gateway/src/main.ts',
    phase: 'gateway',
    settings: (context) => ({
      AUTH_URL: loopback(context.ports.auth),
      CATALOG_URL: loopback(context.ports.catalog),
      RECORDING_URL: loopback(context.ports.recording),
      HISTORY_URL: loopback(context.ports.history),
      GATEWAY_AUTH_SECRET: context.gatewaySecrets.auth,
      GATEWAY_CATALOG_SECRET: context.gatewaySecrets.catalog,
      GATEWAY_RECORDING_SECRET: context.gatewaySecrets.recording,
      GATEWAY_HISTORY_SECRET: context.gatewaySecrets.history,
      WEB_ROOT: join(REPOSITORY, 'web/dist'),
      WEB_DEV_URL: context.webDevUrl,
      HOST: context.settings.HOST,
      ...tlsFiles(context.settings),
      DEMO_LOGINS: demoLogins(context),
      PUBLIC_URL: publicUrl(context.settings),
      ...pick(context.env, /^(GOOGLE_CLIENT_ID|OIDC_(ISSUER|NAME)|AVATAR_URL|TRUST_PROXY)$/),
    }),
  },
];

/** The host at which this machine reaches a server that listens there. */
const ownHost = (host: string): string => (['0.0.0.0', '::'].includes(host) ? '127.0.0.1' : host);

/** The processes with these names, with their phases. `watch` restarts each when its sources change. */
export function productProcesses(
  names: readonly ProcessName[],
  context: ProductContext,
  watch: boolean,
): { phase: Phase; spec: ProcessSpec }[] {
  return PROCESSES.filter(({ name }) => names.includes(name)).map(({ name, entry, options = [], phase, settings }) => {
    const own: Record<string, string | undefined> = settings(context);
    const port = String(context.ports[name]);
    const host = ownHost(own.HOST ?? '127.0.0.1');
    const url = `${own.TLS_CERT_FILE ? 'https' : 'http'}://${host.includes(':') ? `[${host}]` : host}:${port}`;
    const common = { NODE_ENV: 'production', HOST: '127.0.0.1', PORT: port, LOG_LEVEL: context.settings.LOG_LEVEL };
    const METRICS_TOKEN = context.env.METRICS_TOKEN || context.secrets.metricsToken;
    const spec: ProcessSpec = {
      name,
      command: process.execPath,
      args: [...(watch ? ['--watch', '--watch-preserve-output'] : []), ...options, join(REPOSITORY, entry)],
      env: childEnvironment({ ...common, METRICS_TOKEN, ...own }),
      isReady: () => answersHttp(`${url}/readyz`),
      // In development a process may be halted in a debugger.
      isAnswering: watch ? undefined : () => answersHttp(`${url}/healthz`, true),
    };
    return { phase, spec };
  });
}
