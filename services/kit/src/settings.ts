import { tmpdir } from 'node:os';
import { deliverableEmail, newPassword } from '@interview-prep/contracts/api/fields';
import { Role } from '@interview-prep/contracts/auth/users';
import { z } from 'zod';
import {
  bucketName,
  commaSeparated,
  count,
  days,
  demoLogins,
  domain,
  httpUrl,
  lifetime,
  mongoUri,
  oidcIssuer,
  oidcOptions,
  redisUrl,
  s3Endpoint,
  sharedSecret,
  tcpAddress,
  text,
  tokenPrices,
} from './setting-types.ts';

/** The processes of the product; `start` is the launcher, `npm start`. */
export type ProcessName = 'start' | 'auth' | 'catalog' | 'recording' | 'worker' | 'history' | 'gateway';

/** A row of the table of settings. */
export interface Setting {
  type: z.ZodType;
  /** As it would stand in the environment. */
  default?: string;
  /** Services don't start without it. The launcher finds or makes it if it isn't set. */
  required?: true;
  /** Describes the default in the README if it is not a plain value. */
  shownDefault?: string;
  /** For the README and .env.example. */
  meaning: string;
  /** The processes that read it. */
  processes: readonly ProcessName[];
  /** Never printed. */
  secret?: true;
  /** Its value in .env.example, '' if missing. `false`: docker-compose.yml sets it itself. */
  compose?: string | false;
}

const services = ['auth', 'catalog', 'recording', 'history'] as const;
const databaseUsers = ['auth', 'catalog', 'recording', 'worker', 'history'] as const;
const everyProcess = ['start', ...databaseUsers, 'gateway'] as const;
const recorders = ['recording', 'worker'] as const;

/** For operators, in the order of the README. */
export const operatorSettings = {
  PORT: {
    type: z.coerce.number('must be a port number').int().min(0).max(65_535),
    default: '8080',
    meaning: 'the port of the product',
    processes: everyProcess,
    compose: '8080',
  },
  HOST: {
    type: text,
    default: '127.0.0.1',
    meaning: 'the address that the product listens on; `0.0.0.0` lets other machines connect',
    processes: everyProcess,
    compose: '127.0.0.1',
  },
  PUBLIC_URL: {
    type: httpUrl.transform((url) => url.replace(/\/+$/, '')),
    default: 'http://localhost:8080',
    shownDefault: '`http://localhost:PORT`',
    meaning:
      'the public URL of the product, used in links in emails. With `https:`, recordings play only over TLS, because their cookies are secure',
    processes: ['start', 'auth', 'recording', 'history', 'gateway'],
    compose: 'http://localhost:8080',
  },
  TRUST_PROXY: {
    type: count.max(10),
    default: '0',
    meaning:
      "number of trusted reverse proxies in front (Express's `trust proxy`). Set it if you use a proxy; otherwise all users share the proxy's IP address and its limits, which are then ten times as high",
    processes: ['start', 'gateway'],
    compose: '0',
  },
  TLS_CERT_FILE: {
    type: text,
    meaning:
      'path of a certificate with its chain; with `TLS_KEY_FILE`, the gateway accepts TLS only. Renewed files are picked up within a minute',
    processes: everyProcess,
    compose: false,
  },
  TLS_KEY_FILE: {
    type: text,
    meaning: "path of the certificate's private key",
    processes: everyProcess,
    secret: true,
    compose: false,
  },
  DATA_DIR: {
    type: text,
    default: '.data',
    meaning: 'folder for the data of `npm start`',
    processes: ['start'],
    compose: false,
  },
  SEED: {
    type: z.enum(['demo', 'none']),
    shownDefault: '`demo`; with compose `none`',
    meaning:
      "`demo` adds demonstration users and sets; `none` starts empty and prints a link for setting the first admin's password. Later starts keep the first choice",
    processes: ['start', 'auth', 'catalog'],
    compose: 'none',
  },
  DEMO_PASSWORD: {
    type: newPassword(),
    shownDefault: 'generated once',
    meaning: 'password of the demonstration users',
    processes: ['start', 'auth'],
    secret: true,
  },
  ADMIN_EMAIL: {
    type: deliverableEmail(),
    shownDefault: '`admin@example.com` with `SEED=none`',
    meaning: 'the first admin, created if there is none',
    processes: ['start', 'auth'],
    compose: 'admin@example.com',
  },
  ADMIN_PASSWORD: {
    type: newPassword(),
    meaning: "the first admin's password; without it a one-time link is printed",
    processes: ['auth'],
    secret: true,
  },
  MONGODB_URI: {
    type: mongoUri,
    required: true,
    shownDefault: '`mongod` on the PATH, or embedded',
    meaning: 'your MongoDB, 7 or newer',
    processes: ['start', ...databaseUsers],
    secret: true,
    compose: false,
  },
  REDIS_URL: {
    type: redisUrl,
    required: true,
    shownDefault: '`valkey-server` or `redis-server`',
    meaning:
      'your Valkey or Redis, 7 or newer, with `noeviction`; all processes use the account in this URL. `rediss://` uses TLS, and `redis+sentinel://` connects through [Sentinels](docs/backing-stores.md)',
    processes: ['start', ...databaseUsers],
    secret: true,
    compose: false,
  },
  S3_ENDPOINT: {
    type: s3Endpoint,
    required: true,
    shownDefault: '`minio` on the PATH, or embedded',
    meaning:
      'your S3 server, a URL without a path; use `https://{bucket}.s3.example.com` if the bucket is part of the host name',
    processes: ['start', ...recorders],
    compose: false,
  },
  S3_ACCESS_KEY: {
    type: text,
    required: true,
    meaning: "the S3 server's access key",
    processes: ['start', ...recorders],
    secret: true,
    compose: false,
  },
  S3_SECRET_KEY: {
    type: text,
    required: true,
    meaning: "the S3 server's secret key",
    processes: ['start', ...recorders],
    secret: true,
    compose: false,
  },
  S3_BUCKET: {
    type: bucketName,
    default: 'recordings',
    meaning: 'the bucket for recordings',
    processes: ['start', ...recorders],
    compose: false,
  },
  S3_REGION: {
    type: text,
    default: 'us-east-1',
    meaning: 'the region of the bucket',
    processes: ['start', ...recorders],
    compose: false,
  },
  SMTP_URL: {
    type: text.regex(/^smtps?:\/\//, 'must begin with smtp:// or smtps://'),
    shownDefault: 'caught and shown on a local page',
    meaning:
      'your mail server, `smtp://user:password@host:port`. Without one, emails are caught: `npm start` prints the secret address of their page, and with compose it needs `MAILPIT_PASSWORD`',
    processes: ['start', 'auth'],
    secret: true,
  },
  MAIL_FROM: {
    type: text,
    default: 'Interview Preparation Platform <no-reply@localhost>',
    meaning: 'sender of emails',
    processes: ['auth'],
  },
  SPEECH_ENGINE: {
    type: z.enum(['whisper', 'whisper-cli', 'pocketsphinx', 'openai']),
    default: 'whisper',
    meaning:
      "`whisper`, `whisper-cli` (whisper.cpp's program on the PATH), `pocketsphinx` (smallest, English only) or `openai` (a server). If `whisper` can't run, the next engine in this list is used",
    processes: ['worker'],
  },
  SPEECH_MODEL: {
    type: text,
    shownDefault: 'Whisper base; `whisper-1` for `openai`',
    meaning: 'path of another ggml file for `whisper`, or the name of a model for `openai`',
    processes: ['worker'],
  },
  SPEECH_LANGUAGE: {
    type: text.regex(/^[a-z]{2}$/, 'must be a language code of two letters, e.g. en'),
    default: 'en',
    meaning: 'language of answers to sets that do not specify one',
    processes: ['worker'],
  },
  SPEECH_URL: {
    type: httpUrl,
    meaning: 'base URL of the OpenAI-compatible server for `SPEECH_ENGINE=openai`',
    processes: ['worker'],
  },
  SPEECH_API_KEY: { type: text, meaning: "that server's API key", processes: ['worker'], secret: true },
  ASSESS_ENGINE: {
    type: z.enum(['reference', 'openai']),
    default: 'reference',
    meaning: '`reference` (the built-in judge) or `openai` (a server)',
    processes: ['worker'],
  },
  ASSESS_MODEL: { type: text, meaning: 'name of the model for `ASSESS_ENGINE=openai`', processes: ['worker'] },
  ASSESS_URL: {
    type: httpUrl,
    meaning: 'base URL of the OpenAI-compatible server for `ASSESS_ENGINE=openai`',
    processes: ['worker'],
  },
  ASSESS_API_KEY: { type: text, meaning: "that server's API key", processes: ['worker'], secret: true },
  ASSESS_PRICES: {
    type: tokenPrices,
    meaning: 'US dollars per million input and output tokens, such as `0.15/0.6`; verdicts then show their cost',
    processes: ['worker'],
  },
  UPLOADS_PER_HOUR: {
    type: count,
    default: '600',
    meaning: 'answers that a user can send per hour, and a tenth of that per minute; `0` for no limit',
    processes: ['recording'],
  },
  STORED_MB_PER_USER: {
    type: count,
    default: '5000',
    meaning: 'megabytes of media that a user can store; `0` for no limit',
    processes: ['recording'],
  },
  CLAMAV_ADDRESS: {
    type: tcpAddress,
    meaning:
      '`host:port` of a clamd, or `tls://host:port` through a TLS proxy: scans each upload for viruses. While clamd is down, uploads are rejected with 503 and browsers retry them',
    processes: ['recording'],
  },
  SHARE_LINKS: {
    type: z.enum(['on', 'off']),
    default: 'on',
    meaning: '`off` disables share links, including existing ones',
    processes: ['recording'],
  },
  HISTORY_VISIBILITY: {
    type: z.enum(['own', 'all']),
    default: 'own',
    meaning:
      '`all` shows all sessions to every signed-in user; with `own`, only admins see the sessions of other users',
    processes: ['history'],
  },
  RETENTION_DAYS: {
    type: days,
    default: '0',
    meaning: 'sessions are deleted with their answers this many days after they began; `0` keeps them',
    processes: ['recording'],
  },
  RETENTION_MEDIA_DAYS: {
    type: days,
    default: '0',
    meaning: 'media is deleted this many days after it was recorded; transcripts and verdicts stay. `0` keeps it',
    processes: ['recording'],
  },
  RETENTION_DRY_RUN: {
    type: z.stringbool(),
    default: 'false',
    meaning: "`true` only logs what would be deleted, in the recording service's log",
    processes: ['recording'],
  },
  GOOGLE_CLIENT_ID: {
    type: commaSeparated.pipe(z.tuple([text], domain)).transform(([clientId, ...domains]) => ({ clientId, domains })),
    meaning:
      'enables sign-in with Google. Domains after it, as in `ID,example.com`, allow only the accounts of these Google Workspaces',
    processes: ['auth', 'gateway'],
  },
  OIDC_ISSUER: {
    type: oidcIssuer,
    meaning: 'enables sign-in with an OpenID provider: [how to set it up](docs/sign-in-providers.md)',
    processes: ['auth', 'gateway'],
  },
  OIDC_CLIENT_ID: { type: text.max(500), meaning: 'the client id registered with the provider', processes: ['auth'] },
  OIDC_CLIENT_SECRET: { type: text.max(2000), meaning: "that client's secret", processes: ['auth'], secret: true },
  OIDC_OPTIONS: {
    type: oidcOptions,
    default: 'name=single sign-on',
    meaning:
      'options for that provider, separated by semicolons: `name` on its button, `domains` whose users may sign in, `admins` and `devs` assigned by a claim, `scopes`, `tenant` for Entra ID: [what each does](docs/sign-in-providers.md)',
    processes: ['auth', 'gateway'],
  },
  MFA_REQUIRED_ROLES: {
    type: commaSeparated.pipe(
      z.array(z.enum(Role.options, `must be some of ${Role.options.join(', ')}, with commas between them`)),
    ),
    default: '',
    meaning:
      'roles that require a second factor: any of `admin`, `dev`, `others`, separated by commas. Users without one set up an authenticator app at their next sign-in; a passkey counts',
    processes: ['auth'],
  },
  PASSWORD_BREACH_URL: {
    type: httpUrl,
    meaning:
      'breached-password server, such as `https://api.pwnedpasswords.com/range`. It receives the first five characters of the SHA-1 hash of a new password; while it is down, passwords are accepted without this check',
    processes: ['auth'],
  },
  LOGIN_ATTEMPTS: {
    type: count,
    default: '10',
    meaning:
      'failed sign-ins allowed in 15 minutes per email and IP address, and wrong codes per user; ten times as many per IP address. `0` turns off all limits on sign-ins and password emails',
    processes: ['auth'],
  },
  TOKEN_LIFETIME: { type: lifetime, default: '12h', meaning: 'the maximum lifetime of a sign-in', processes: ['auth'] },
  SIGN_IN_IDLE_MINUTES: {
    // Uses are recorded every half minute, so shorter times couldn't be measured.
    type: count.max(30 * 24 * 60).refine((minutes) => minutes === 0 || minutes >= 5, 'must be 0 or at least 5'),
    default: '60',
    meaning:
      'minutes without activity after which a sign-in ends: at least `5`, or `0` for no limit. Input, playback and answering count as activity; background requests do not',
    processes: ['auth'],
  },
  KEY_ENCRYPTION_KEY: {
    type: sharedSecret,
    meaning:
      'encrypts the stored signing key, authenticator secrets, webhook secrets and keys for unsent answers; at least 32 characters. Do not lose it, and do not keep it with the backups',
    processes: ['auth'],
    secret: true,
  },
  KEY_ENCRYPTION_KEY_PREVIOUS: {
    type: sharedSecret,
    meaning:
      'the previous key after a change of `KEY_ENCRYPTION_KEY`; auth reencrypts everything at startup, and logs it',
    processes: ['auth'],
    secret: true,
  },
  AUDIT_LOG: {
    type: text,
    meaning: '`stdout` or a path: each new audit log entry is also written there as a JSON line',
    processes: ['auth'],
  },
  METRICS_TOKEN: {
    type: text.min(16, 'must have 16 characters or more'),
    shownDefault: 'generated once, in `secrets.json`',
    meaning: 'bearer token for `/metrics` of the gateway and of each service',
    processes: everyProcess,
    secret: true,
  },
  AVATAR_URL: {
    type: text.regex(/^https?:\/\/.*\{seed\}/, 'must be an http(s) URL with {seed} in it'),
    shownDefault: 'drawn locally',
    meaning: 'avatar service for set icons, with `{seed}` in its URL',
    processes: ['gateway'],
  },
  LOG_LEVEL: {
    type: z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    default: 'info',
    meaning: '`error`, `warn`, `info` or `debug`',
    processes: everyProcess,
  },
} as const satisfies Readonly<Record<string, Setting>>;

/** Set by the launcher or by docker-compose.yml for their processes, and by tests; not documented for operators. */
const processSettings = {
  WORKERS: {
    type: z.coerce.number().int().min(1).max(64),
    default: '1',
    meaning: 'workers that share this machine, each with its part of the processor cores',
    processes: ['worker'],
  },
  NODE_ENV: {
    type: text,
    default: 'production',
    meaning: '`production`, or `development` for more detail in errors',
    processes: everyProcess,
  },
  MONGODB_PREFIX: {
    type: text,
    default: '',
    meaning: 'prefix of the names of databases',
    processes: ['start', ...databaseUsers],
  },
  REDIS_PREFIX: {
    type: text,
    default: 'interview-prep',
    meaning: 'prefix of every key in Redis',
    processes: ['start', ...databaseUsers],
  },
  SPOOL_DIR: {
    type: text,
    default: tmpdir(),
    meaning: 'folder for uploads in progress and media being processed',
    processes: ['start', ...recorders],
  },
  JOB_LOCK_MS: {
    type: z.coerce.number().int().min(1000).max(600_000),
    default: '15000',
    meaning: "time after a killed worker's last heartbeat until another worker takes over its job",
    processes: ['worker'],
  },
  WEBHOOK_NETWORKS: {
    type: z.enum(['public', 'any']),
    default: 'public',
    meaning: '`any` lets webhooks be sent to private networks, and without TLS, and learning platforms be there',
    processes: ['start', 'auth'],
  },
  GOOGLE_TOKENINFO_URL: {
    type: z.url(),
    default: 'https://oauth2.googleapis.com/tokeninfo',
    meaning: "verifies Google's access tokens",
    processes: ['auth'],
  },
  GOOGLE_USERINFO_URL: {
    type: z.url(),
    default: 'https://openidconnect.googleapis.com/v1/userinfo',
    meaning: "serves a Google user's profile",
    processes: ['auth'],
  },
  AUTH_JWKS_URL: {
    type: z.url(),
    required: true,
    meaning: 'address of the keys that verify access tokens',
    processes: ['catalog', 'recording', 'history'],
  },
  MEDIA_TOKEN_SECRET: {
    type: sharedSecret,
    required: true,
    meaning: 'signs links to media',
    processes: ['recording', 'history'],
    secret: true,
  },
  GATEWAY_SECRET: {
    type: sharedSecret,
    meaning: 'shared with the gateway; with it, the service answers only the gateway',
    processes: services,
    secret: true,
  },
  GATEWAY_AUTH_SECRET: {
    type: sharedSecret,
    meaning: 'the GATEWAY_SECRET of auth',
    processes: ['gateway'],
    secret: true,
  },
  GATEWAY_CATALOG_SECRET: {
    type: sharedSecret,
    meaning: 'the GATEWAY_SECRET of catalog',
    processes: ['gateway'],
    secret: true,
  },
  GATEWAY_RECORDING_SECRET: {
    type: sharedSecret,
    meaning: 'the GATEWAY_SECRET of recording',
    processes: ['gateway'],
    secret: true,
  },
  GATEWAY_HISTORY_SECRET: {
    type: sharedSecret,
    meaning: 'the GATEWAY_SECRET of history',
    processes: ['gateway'],
    secret: true,
  },
  AUTH_URL: { type: z.url(), required: true, meaning: 'address of auth', processes: ['gateway'] },
  CATALOG_URL: { type: z.url(), required: true, meaning: 'address of catalog', processes: ['gateway'] },
  RECORDING_URL: { type: z.url(), required: true, meaning: 'address of recording', processes: ['gateway'] },
  HISTORY_URL: { type: z.url(), required: true, meaning: 'address of history', processes: ['gateway'] },
  WEB_ROOT: { type: text, required: true, meaning: 'folder of the built web app', processes: ['gateway'] },
  WEB_DEV_URL: { type: z.url(), meaning: 'development server that serves the web app instead', processes: ['gateway'] },
  DEMO_LOGINS: {
    type: demoLogins,
    default: '[]',
    meaning: 'logins that the login page offers, as JSON; only for a product on this machine alone',
    processes: ['gateway'],
  },
} as const satisfies Readonly<Record<string, Setting>>;

/** Every setting of the product. */
export const settings = { ...operatorSettings, ...processSettings };

export type SettingName = keyof typeof settings;

/** Settings of earlier releases, each with its replacement. */
export const removedSettings: Readonly<Record<string, string>> = {
  SPOOL_MB: 'the limit is 1000 MB',
  SPEECH_WINDOW_TIMEOUT_MS: 'the limit is 4 minutes',
  SPEECH_THREADS: 'all cores are used',
  SPEECH_TIMEOUT_MS: 'the limit is 10 minutes',
  ASSESS_TIMEOUT_MS: 'the limit is 10 minutes',
  ASSESS_PRICE_IN: 'set ASSESS_PRICES',
  ASSESS_PRICE_OUT: 'set ASSESS_PRICES',
  WORKER_CONCURRENCY: 'it follows the number of cores',
  UPLOADS_PER_MINUTE: 'it is a tenth of UPLOADS_PER_HOUR',
  STREAMS_PER_USER: 'the limit is 20',
  EXPORTS_PER_HOUR: 'the limit is 10',
  RETENTION_INTERVIEW_DAYS: 'set RETENTION_DAYS for all sessions',
  RETENTION_PRACTICE_DAYS: 'set RETENTION_DAYS for all sessions',
  RETENTION_MEDIA_INTERVIEW_DAYS: 'set RETENTION_MEDIA_DAYS for all sessions',
  RETENTION_MEDIA_PRACTICE_DAYS: 'set RETENTION_MEDIA_DAYS for all sessions',
  AUDIT_DAYS: 'entries are kept for 365 days',
  STEP_UP_MINUTES: 'the limit is 10 minutes',
  OIDC_SCOPES: 'set scopes in OIDC_OPTIONS',
  OIDC_NAME: 'set name in OIDC_OPTIONS',
  ADDRESS_ATTEMPTS: 'it is ten times LOGIN_ATTEMPTS',
  RESET_MAILS: 'the limit is 5 in an hour',
  KEY_ROTATION_DAYS: 'keys are replaced after 90 days, or by npm run keys:rotate',
};
