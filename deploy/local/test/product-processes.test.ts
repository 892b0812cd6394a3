import { settingsOf } from '@interview-prep/kit/process/config';
import { operatorSettings } from '@interview-prep/kit/settings';
import { expect, test } from 'vitest';
import { type ProcessName, type ProductContext, productProcess } from '../src/product-processes.ts';
import { readSettings } from '../src/settings.ts';
import { mongoAccounts, ownMongoUri, ownRedisUrl, REDIS_SERVICES, redisUrlOf } from '../src/store-accounts.ts';

const NAMES: readonly ProcessName[] = ['auth', 'catalog', 'recording', 'worker', 'history', 'gateway'];

const contextOf = (env: Record<string, string>): ProductContext => ({
  settings: readSettings(env),
  env,
  secrets: {
    mongoPassword: 'p',
    redisPassword: 'r',
    s3AccessKey: 'a',
    s3SecretKey: 's',
    mediaTokenSecret: 'm',
    metricsToken: 't',
    mailPath: 'mail-path',
  },
  backing: {
    MONGODB_URI: 'mongodb://m',
    REDIS_URL: 'redis://r',
    S3_ENDPOINT: 'http://s',
    S3_ACCESS_KEY: 'a',
    S3_SECRET_KEY: 's',
    S3_REGION: 'r',
  },
  seed: 'none',
  demoPassword: 'a password',
  demoEmails: ['dev@example.com'],
  smtpUrl: 'smtp://s',
  ports: { auth: 1, catalog: 2, recording: 3, worker: 4, history: 5, gateway: 6 },
  gatewaySecrets: { auth: 'ga', catalog: 'gc', recording: 'gr', history: 'gh' },
  spoolDir: '/spool',
  webDevUrl: undefined,
});

const environmentsOf = (env: Record<string, string>) =>
  Object.fromEntries(
    NAMES.map((name) => productProcess(name, contextOf(env), false)).map(({ spec }) => [spec.name, spec.env]),
  ) as Record<ProcessName, Record<string, string>>;

/** Settings that the launcher determines itself or reads before it starts a process. */
const own = new Set(['SPOOL_DIR', 'METRICS_TOKEN', 'ADMIN_EMAIL', ...settingsOf('start')]);

/** Settings that are passed to a process as the user set them. */
const passedOn = NAMES.flatMap((process) =>
  settingsOf(process)
    .filter((name) => !own.has(name) && name in operatorSettings)
    .map((name) => [process, name] as const),
);

test('settings are passed on according to the table', () => {
  expect(passedOn).toContainEqual(['worker', 'SPEECH_MODEL']);
  expect(passedOn).toContainEqual(['auth', 'TOKEN_LIFETIME']);
  expect(passedOn).not.toContainEqual(['catalog', 'TOKEN_LIFETIME']);
  expect(environmentsOf({ TOKEN_LIFETIME: '1h', SHELL_HISTORY: 'x' }).catalog).not.toHaveProperty('TOKEN_LIFETIME');
});

test.each(passedOn)('%s gets %s', (process, name) => {
  expect(environmentsOf({ [name]: 'as given' })[process]).toHaveProperty(name, 'as given');
});

test('each service signs in to the embedded MongoDB with its own account', () => {
  const context = contextOf({});
  context.backing.MONGODB_URI = ownMongoUri(context.secrets, '127.0.0.1:27017');
  const uris = NAMES.map((name) => productProcess(name, context, false)).map(
    ({ spec }) => [spec.name, spec.env.MONGODB_URI] as const,
  );
  const accountOf = new Map(mongoAccounts(context.secrets, '').map(({ user, password }) => [user, password]));
  for (const [name, uri] of uris.filter(([name]) => name !== 'gateway')) {
    const user = name === 'worker' ? 'recording' : name;
    expect(uri).toBe(`mongodb://${user}:${accountOf.get(user)}@127.0.0.1:27017`);
  }
  expect(new Set(accountOf.values()).size).toBe(5);
});

test('each process signs in to the Redis of `npm start` with its own account, and to an external one as in REDIS_URL', () => {
  const context = contextOf({});
  context.backing.REDIS_URL = ownRedisUrl(context.secrets, '127.0.0.1:6379', false);
  const urls = () =>
    Object.fromEntries(
      NAMES.map((name) => productProcess(name, context, false)).map(({ spec }) => [spec.name, spec.env.REDIS_URL]),
    );
  const own = REDIS_SERVICES.map((name) => [name, redisUrlOf(name, context.backing.REDIS_URL, context.secrets)]);
  expect(urls()).toEqual({ ...Object.fromEntries(own), gateway: undefined });
  for (const [name, url] of own) expect(new URL(url ?? '').username).toBe(name);
  expect(new Set(own.map(([, url]) => url)).size).toBe(REDIS_SERVICES.length);
  context.backing.REDIS_URL = 'rediss://me:secret@cache.example:6380/2';
  expect(new Set(Object.values(urls()))).toEqual(new Set([context.backing.REDIS_URL, undefined]));
});

test('each service shares a secret only with the gateway, and the worker, which serves no requests, has none', () => {
  const environments = environmentsOf({});
  const { auth, catalog, recording, worker, history, gateway } = environments;
  expect([auth, catalog, recording, history, worker].map((env) => env.GATEWAY_SECRET)).toEqual([
    'ga',
    'gc',
    'gr',
    'gh',
    undefined,
  ]);
  expect(gateway).toMatchObject({
    GATEWAY_AUTH_SECRET: 'ga',
    GATEWAY_CATALOG_SECRET: 'gc',
    GATEWAY_RECORDING_SECRET: 'gr',
    GATEWAY_HISTORY_SECRET: 'gh',
  });
});

test.each(passedOn)('%s gets the path of the file that holds %s', (process, name) => {
  const given = { [`${name}_FILE`]: '/run/secrets/one' };
  const env = environmentsOf(given)[process];
  expect(env).toHaveProperty(`${name}_FILE`, '/run/secrets/one');
});

test('only the gateway gets the certificate, and its readiness is checked over TLS', () => {
  const environments = environmentsOf({ TLS_CERT_FILE: '/tls/cert.pem', TLS_KEY_FILE: '/tls/key.pem' });
  const tls = { TLS_CERT_FILE: '/tls/cert.pem', TLS_KEY_FILE: '/tls/key.pem' };
  expect(environments.gateway).toMatchObject(tls);
  expect(environments.recording).not.toHaveProperty('TLS_CERT_FILE');
  for (const name of ['auth', 'recording', 'history'] as const)
    expect([name, environments[name].PUBLIC_URL]).toEqual([name, expect.stringMatching(/^https:/)]);
});

test('an empty setting counts as unset', () => {
  expect(environmentsOf({ ADMIN_EMAIL: '', TOKEN_LIFETIME: '' }).auth).toMatchObject({
    ADMIN_EMAIL: 'admin@example.com',
  });
  expect(environmentsOf({ TOKEN_LIFETIME: '' }).auth).not.toHaveProperty('TOKEN_LIFETIME');
});

test('logins are shown only on this machine', () => {
  const logins = JSON.stringify([{ email: 'dev@example.com', password: 'a password' }]);
  expect(environmentsOf({}).gateway).toHaveProperty('DEMO_LOGINS', logins);
  for (const env of [{ HOST: '0.0.0.0' }, { PUBLIC_URL: 'https://prep.example' }, { TRUST_PROXY: '1' }]) {
    expect(environmentsOf(env).gateway).not.toHaveProperty('DEMO_LOGINS');
  }
});
