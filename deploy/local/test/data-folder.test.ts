import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ensureDemoPassword, keepSecrets, prepareDataFolder, resolveSeed } from '../src/data-folder.ts';
import { temporaryFolder } from './temporary-folder.ts';

test('secrets are generated once, kept, and readable only by their owner', async () => {
  const folder = await temporaryFolder();
  const secrets = await keepSecrets(folder);
  expect(await keepSecrets(folder)).toEqual(secrets);
  expect(await keepSecrets(await temporaryFolder())).not.toEqual(secrets);
  expect((await stat(join(folder, 'secrets.json'))).mode & 0o777).toBe(0o600);
  expect(secrets.mediaTokenSecret.length).toBeGreaterThanOrEqual(32);
});

test('the demonstration password is the first one given, or generated once', async () => {
  const folder = await temporaryFolder();
  const made = await ensureDemoPassword(folder, undefined);
  expect(made).toMatch(/^([a-z2-9]{4}-){3}[a-z2-9]{4}$/);
  expect(await ensureDemoPassword(folder, 'given later')).toBe(made);
  expect((await stat(join(folder, 'demo-password'))).mode & 0o777).toBe(0o600);
  const other = await temporaryFolder();
  expect(await ensureDemoPassword(other, 'given first')).toBe('given first');
  expect(await ensureDemoPassword(other, undefined)).toBe('given first');
});

test('the seed is kept until another one is chosen', async () => {
  const folder = await temporaryFolder();
  expect(await resolveSeed(folder, undefined)).toEqual({ seed: 'demo', before: undefined });
  expect(await resolveSeed(folder, 'none')).toEqual({ seed: 'none', before: 'demo' });
  expect(await resolveSeed(folder, undefined)).toEqual({ seed: 'none', before: 'none' });
  await writeFile(join(folder, 'seed'), 'no');
  await expect(resolveSeed(folder, undefined)).rejects.toThrow(
    /seed is damaged: write "demo" into it, or "none" if this/,
  );
});

test('a secret that an older release did not have is added', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'secrets.json'), JSON.stringify({ s3AccessKey: 'kept' }));
  const secrets = await keepSecrets(folder);
  expect(secrets.s3AccessKey).toBe('kept');
  expect(secrets.s3SecretKey).not.toBe('');
});

test.each(['', '{"s3AccessKey": "cut o', '[1]', '{"s3AccessKey": 5}', 'null'])(
  'damaged secrets (%j) are rejected',
  async (text) => {
    const folder = await temporaryFolder();
    await writeFile(join(folder, 'secrets.json'), text);
    await expect(keepSecrets(folder)).rejects.toThrow(
      /secrets\.json is damaged: restore it from a backup, or delete it/,
    );
    expect(await readFile(join(folder, 'secrets.json'), 'utf8')).toBe(text);
  },
);

test('an unusable data folder is rejected', async () => {
  const folder = await temporaryFolder();
  await writeFile(join(folder, 'file'), '');
  await expect(prepareDataFolder(join(folder, 'file'))).rejects.toThrow(/The data folder .* cannot be written to/);
  await expect(prepareDataFolder(join(folder, 'file/deeper'))).rejects.toThrow(/set DATA_DIR to another/);
  await mkdir(join(folder, 'logs-is-a-file'));
  await writeFile(join(folder, 'logs-is-a-file/logs'), '');
  await expect(prepareDataFolder(join(folder, 'logs-is-a-file'))).rejects.toThrow(/cannot be written to/);
});

test('a data folder is closed to other users, and so is everything written later', async () => {
  const folder = join(await temporaryFolder(), 'data');
  await mkdir(folder, { mode: 0o755 });
  await chmod(folder, 0o755);
  await prepareDataFolder(folder);
  await writeFile(join(folder, 'file'), '');
  await mkdir(join(folder, 'folder'));
  const modes = await Promise.all(
    ['.', 'logs', 'folder', 'file'].map(async (name) => (await stat(join(folder, name))).mode & 0o777),
  );
  expect(modes).toEqual([0o700, 0o700, 0o700, 0o600]);
});
