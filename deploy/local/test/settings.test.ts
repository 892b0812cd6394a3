import { writeFile } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { expect, test } from 'vitest';
import { isForThisMachineAlone, isLoopback, publicUrl, readSettings, withSettingFiles } from '../src/settings.ts';
import { temporaryFolder } from './temporary-folder.ts';

test('the default is a demonstration on loopback at 8080', () => {
  const settings = readSettings({ PORT: '', SMTP_URL: '' });
  expect(settings).toMatchObject({ PORT: 8080, HOST: '127.0.0.1' });
  expect(settings.SEED).toBeUndefined();
  expect(settings.SMTP_URL).toBeUndefined();
  expect(isAbsolute(settings.DATA_DIR)).toBe(true);
  expect(publicUrl(settings)).toBe('http://127.0.0.1:8080');
});

test.each([
  [{ PORT: '70000' }, /PORT=70000/],
  [{ PORT: 'http' }, /PORT=http: must be a port number/],
  [{ SEED: 'some' }, /SEED=some/],
  [{ DEMO_PASSWORD: 'short' }, /with DEMO_PASSWORD: Password must be at least 8 characters long/],
  [{ MONGODB_URI: 'localhost' }, /with MONGODB_URI: must begin with mongodb:\/\//],
  [{ REDIS_URL: 'http://x' }, /REDIS_URL/],
  [{ S3_ENDPOINT: 's3.example.com' }, /S3_ENDPOINT=s3\.example\.com: must begin with http/],
  [{ PORT: '-1', SMTP_URL: 'x' }, /PORT=-1.*; SMTP_URL: must/],
])('%j is rejected', (env, message) => {
  expect(() => readSettings(env)).toThrow(message);
});

test('secrets can come from files; a missing file, or a secret given twice, is rejected', async () => {
  const path = join(await temporaryFolder(), 'secret');
  await writeFile(path, 'redis://:secret@redis:6379\n');
  expect(withSettingFiles({ REDIS_URL_FILE: path, PORT: '1' })).toMatchObject({
    REDIS_URL: 'redis://:secret@redis:6379',
    PORT: '1',
  });
  expect(() => withSettingFiles({ REDIS_URL_FILE: path, REDIS_URL: 'redis://r' })).toThrow(
    'Cannot start with REDIS_URL_FILE: REDIS_URL is set as well: set one of them.',
  );
  expect(() => withSettingFiles({ SMTP_URL_FILE: '/nowhere' })).toThrow(/^Cannot start with SMTP_URL_FILE: ENOENT/);
});

test.each([
  [{}, true],
  [{ HOST: '::1', TRUST_PROXY: '0' }, true],
  [{ PUBLIC_URL: 'http://localhost:9000', TRUST_PROXY: '' }, true],
  [{ PUBLIC_URL: 'http://[::1]:9000' }, true],
  [{ HOST: '0.0.0.0' }, false],
  [{ HOST: '0.0.0.0', PUBLIC_URL: 'http://localhost:9000' }, false],
  [{ PUBLIC_URL: 'https://prep.example' }, false],
  [{ TRUST_PROXY: '1' }, false],
])('%j is reachable only from this machine: %s', (env, isAlone) => {
  expect(isForThisMachineAlone(readSettings(env))).toBe(isAlone);
});

test('an address that others can reach is not loopback', () => {
  expect(['127.0.0.1', '127.9.9.9', 'localhost', '::1'].map(isLoopback)).toEqual([true, true, true, true]);
  expect(['0.0.0.0', '::', '192.168.1.2', '1270.0.0.1', 'localhost.example.com'].some(isLoopback)).toBe(false);
  expect(publicUrl({ HOST: '0.0.0.0', PORT: 80, PUBLIC_URL: undefined })).toBe('http://localhost:80');
  expect(publicUrl({ HOST: '::1', PORT: 80, PUBLIC_URL: undefined })).toBe('http://[::1]:80');
  expect(publicUrl({ HOST: '0.0.0.0', PORT: 80, PUBLIC_URL: 'https://prep.example' })).toBe('https://prep.example');
  expect(readSettings({ PUBLIC_URL: 'https://prep.example/' }).PUBLIC_URL).toBe('https://prep.example');
});
