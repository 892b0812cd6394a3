import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { unknownSettings } from '../src/process/config.ts';
import { runFixture } from './run-fixture.ts';

const script = new URL('./fixtures/read-settings.ts', import.meta.url);

const good = {
  PORT: '8081',
  MONGODB_URI: 'mongodb://localhost',
  REDIS_URL: 'redis://localhost',
  AUTH_JWKS_URL: 'http://localhost/keys',
};

test('settings are read with their types and defaults; an empty variable counts as unset', async () => {
  const fixture = runFixture(script, { ...good, HOST: '', LOG_LEVEL: '', METRICS_TOKEN: '' });
  expect(await fixture.ended).toBe(0);
  expect(JSON.parse(fixture.output())).toEqual({
    NODE_ENV: 'production',
    HOST: '127.0.0.1',
    PORT: 8081,
    LOG_LEVEL: 'info',
    MONGODB_URI: 'mongodb://localhost',
    MONGODB_PREFIX: '',
    REDIS_URL: 'redis://localhost',
    REDIS_PREFIX: 'interview-prep',
    AUTH_JWKS_URL: 'http://localhost/keys',
  });
});

test('all invalid settings are listed by name, and the process exits', async () => {
  const fixture = runFixture(script, {
    PORT: '70000',
    MONGODB_URI: 'postgres://x',
    LOG_LEVEL: 'loud',
    METRICS_TOKEN: 'x',
  });
  expect(await fixture.ended).toBe(1);
  const [title, ...problems] = fixture.errors().trim().split('\n');
  expect(title).toBe('Invalid settings:');
  expect(problems.map((line) => line.trim().split(':')[0])).toEqual([
    'PORT',
    'MONGODB_URI',
    'METRICS_TOKEN',
    'LOG_LEVEL',
    'REDIS_URL',
    'AUTH_JWKS_URL',
  ]);
  expect(fixture.errors()).toContain('MONGODB_URI: must begin with mongodb://');
  expect(fixture.output()).toBe('');
});

test('a violated rule between settings is listed too', async () => {
  const fixture = runFixture(script, { ...good, PORT: '1' });
  expect(await fixture.ended).toBe(1);
  expect(fixture.errors()).toBe('Invalid settings:\n  METRICS_TOKEN: is required on port 1\n');
});

test('a setting can be read from the file named in its variable with the suffix _FILE', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'interview-prep-settings-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'secret');
  await writeFile(file, 'a token from the vault\n');
  const fixture = runFixture(script, { ...good, METRICS_TOKEN_FILE: file });
  expect(await fixture.ended).toBe(0);
  expect(JSON.parse(fixture.output())).toMatchObject({ METRICS_TOKEN: 'a token from the vault' });

  const wrong = runFixture(script, {
    ...good,
    METRICS_TOKEN: 'a token that is long enough',
    METRICS_TOKEN_FILE: file,
    REDIS_URL_FILE: `${file}s`,
  });
  expect(await wrong.ended).toBe(1);
  expect(wrong.errors()).toContain('  METRICS_TOKEN_FILE: METRICS_TOKEN is set as well: set one of them\n');
  expect(wrong.errors()).toContain('  REDIS_URL_FILE: REDIS_URL is set as well: set one of them\n');
  const missing = runFixture(script, { ...good, METRICS_TOKEN_FILE: `${file}s` });
  expect(await missing.ended).toBe(1);
  expect(missing.errors()).toMatch(/^Invalid settings:\n {2}METRICS_TOKEN_FILE: ENOENT: /);
});

test('warns about removed and misspelled settings', async () => {
  const fixture = runFixture(script, {
    ...good,
    SPOOL_MB: '5',
    RETENTION_DAY: '3',
    HOSTS: 'x',
    HOME: '/root',
    SEEDS: '',
  });
  expect(await fixture.ended).toBe(0);
  expect(fixture.errors()).toBe(
    'SPOOL_MB is no longer a setting: the limit is 1000 MB.\nRETENTION_DAY is not a setting: did you mean RETENTION_DAYS?\n',
  );
});

test.each([
  ['MONGODB_URL', 'MONGODB_URI'],
  ['SIGN_IN_IDEL_MINUTES', 'SIGN_IN_IDLE_MINUTES'],
  ['PUBLICURL', 'PUBLIC_URL'],
  ['TRUST_PROXXY', 'TRUST_PROXY'],
  ['METRICS_TOKEM_FILE', 'METRICS_TOKEN'],
  ['AUTH_URLS_LIST', undefined],
  ['METRICS_TOKEN_FILE', undefined],
])('%s is recognized as %s', (name, meant) => {
  expect(unknownSettings({ [name]: 'x' })).toEqual(meant ? [`${name} is not a setting: did you mean ${meant}?`] : []);
});
