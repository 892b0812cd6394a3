import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runFixture } from './run-fixture.ts';

const script = new URL('./fixtures/read-settings.ts', import.meta.url);

const good = { PORT: '8081', MONGODB_URI: 'mongodb://localhost', REDIS_URL: 'redis://localhost' };

test('settings are read with their types and defaults; an empty variable counts as absent', async () => {
  const fixture = runFixture(script, { ...good, HOST: '', LOG_LEVEL: '', SECRET: '' });
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
  });
});

test('all invalid settings are listed by name, and the process exits', async () => {
  const fixture = runFixture(script, {
    PORT: '70000',
    MONGODB_URI: 'postgres://x',
    LOG_LEVEL: 'loud',
    SECRET: 'x',
  });
  expect(await fixture.ended).toBe(1);
  const [title, ...problems] = fixture.errors().trim().split('\n');
  expect(title).toBe('Invalid settings:');
  expect(problems.map((line) => line.trim().split(':')[0])).toEqual([
    'PORT',
    'LOG_LEVEL',
    'MONGODB_URI',
    'REDIS_URL',
    'SECRET',
  ]);
  expect(fixture.errors()).toContain('MONGODB_URI: must begin with mongodb://');
  expect(fixture.output()).toBe('');
});

test('a broken rule between settings is listed too', async () => {
  const fixture = runFixture(script, { ...good, PORT: '1' });
  expect(await fixture.ended).toBe(1);
  expect(fixture.errors()).toBe('Invalid settings:\n  SECRET: is required on port 1\n');
});

test('a setting may be the content of a file, which its name with _FILE names', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'interview-prep-settings-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'secret');
  await writeFile(file, 'from the vault\n');
  const fixture = runFixture(script, { ...good, SECRET_FILE: file });
  expect(await fixture.ended).toBe(0);
  expect(JSON.parse(fixture.output())).toMatchObject({ SECRET: 'from the vault' });

  const wrong = runFixture(script, { ...good, SECRET: 'long enough', SECRET_FILE: file, REDIS_URL_FILE: `${file}s` });
  expect(await wrong.ended).toBe(1);
  expect(wrong.errors()).toContain('  SECRET_FILE: SECRET is set as well: set one of them\n');
  expect(wrong.errors()).toContain('  REDIS_URL_FILE: REDIS_URL is set as well: set one of them\n');
  const missing = runFixture(script, { ...good, SECRET_FILE: `${file}s` });
  expect(await missing.ended).toBe(1);
  expect(missing.errors()).toMatch(/^Invalid settings:\n {2}SECRET_FILE: ENOENT: /);
});
