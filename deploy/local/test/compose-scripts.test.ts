import { execFileSync, spawnSync } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { REPOSITORY } from '../src/settings.ts';
import { temporaryFolder } from './temporary-folder.ts';

describe('restore.sh', () => {
  /** Runs the script with a fake docker that records its calls. @returns the calls and the status */
  async function restore(args: string[], restoreStatus = 0) {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'deploy/docker'), { recursive: true });
    await copyFile(join(REPOSITORY, 'deploy/docker/restore.sh'), join(folder, 'deploy/docker/restore.sh'));
    const docker = `#!/bin/sh\necho "$*" >>'${folder}/calls'\ncase "$*" in *run-restore*) exit ${restoreStatus} ;; esac\n`;
    await writeFile(join(folder, 'docker'), docker, { mode: 0o755 });
    const env = { PATH: `${folder}:${process.env.PATH}` };
    const { status } = spawnSync('sh', [join(folder, 'deploy/docker/restore.sh'), ...args], { env });
    const calls = (await readFile(join(folder, 'calls'), 'utf8')).trim().split('\n');
    return { calls: calls.map((call) => call.replace(/ --rm -T --user \d+:\d+/, '')), status };
  }
  const run = 'compose run backup node deploy/tools/backup/run-restore.ts /backups/one';

  test('stops the product, restores, and starts it again, also after a rejected backup', async () => {
    const stop = 'compose stop gateway auth catalog recording worker history';
    expect(await restore(['backups/one', '--replace'])).toEqual({
      calls: [stop, `${run} --replace`, 'compose up -d'],
      status: 0,
    });
    expect(await restore(['backups/one'], 1)).toEqual({ calls: [stop, run, 'compose up -d'], status: 1 });
  });

  test('only verifies the backup with --check', async () => {
    expect(await restore(['backups/one', '--check'])).toEqual({ calls: [`${run} --check`], status: 0 });
  });
});

describe('make-env.sh', () => {
  const secrets = [
    'MONGODB_PASSWORD',
    ...['AUTH', 'CATALOG', 'RECORDING', 'HISTORY'].map((service) => `MONGODB_${service}_PASSWORD`),
    'REDIS_PASSWORD',
    ...['AUTH', 'CATALOG', 'RECORDING', 'WORKER', 'HISTORY'].map((name) => `REDIS_${name}_PASSWORD`),
    ...['AUTH', 'CATALOG', 'RECORDING', 'HISTORY'].map((name) => `GATEWAY_${name}_SECRET`),
    'MINIO_ROOT_PASSWORD',
    'S3_SECRET_KEY',
    'MEDIA_TOKEN_SECRET',
    'METRICS_TOKEN',
    'MAILPIT_PASSWORD',
  ];

  const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;

  /**
   * Runs the script in its own folder, with this .env and a docker whose registry responds as given.
   * @returns the resulting settings and the script's output
   */
  async function makeEnv(before?: string, registry = 'exit 1', ...args: string[]) {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'deploy/docker'), { recursive: true });
    for (const path of ['.env.example', 'deploy/docker/make-env.sh', 'deploy/docker/pin-images.sh'])
      await copyFile(join(REPOSITORY, path), join(folder, path));
    if (before !== undefined) await writeFile(join(folder, '.env'), before);
    await writeFile(join(folder, 'docker'), `#!/bin/sh\n${registry}\n`, { mode: 0o755 });
    const output = execFileSync('sh', [join(folder, 'deploy/docker/make-env.sh'), ...args], {
      encoding: 'utf8',
      env: { ...process.env, PATH: `${folder}:${process.env.PATH}` },
      stdio: 'pipe',
    });
    return { output, settings: parseEnv(await readFile(join(folder, '.env'), 'utf8')) };
  }

  test('pins third-party images by their current digests, and updates them when run again', async () => {
    const answer = `[ "$1 $2 $3" = 'buildx imagetools inspect' ] && printf 'Name: docker.io/%s\\nDigest:    ${digest}\\n\\nManifests:\\n' "$4"`;
    const { settings } = await makeEnv(undefined, answer);
    expect(settings.MONGODB_IMAGE).toBe(`mongo:8.0@${digest}`);
    const names = Object.keys(settings).filter((name) => name.endsWith('_IMAGE'));
    expect(names.sort()).toEqual(['MAILPIT_IMAGE', 'MINIO_IMAGE', 'MONGODB_IMAGE', 'NODE_IMAGE', 'VALKEY_IMAGE']);
    const old = `MONGODB_IMAGE=mongo:8.0@sha256:${'0'.repeat(64)}\n`;
    expect((await makeEnv(old, answer)).settings.MONGODB_IMAGE).toBe(`mongo:8.0@${digest}`);
  });

  test('keeps the tags if no registry responds', async () => {
    const { settings } = await makeEnv();
    expect(Object.keys(settings).filter((name) => name.endsWith('_IMAGE'))).toEqual([]);
  });

  test('generates every secret, each a different one', async () => {
    const { settings, output } = await makeEnv();
    const made = secrets.map((name) => settings[name]);
    for (const secret of made) expect(secret).toMatch(/^[0-9a-f]{48}$/);
    expect(new Set(made).size).toBe(secrets.length);
    expect(output).toContain(settings.ADMIN_PASSWORD);
    expect(output).toContain(settings.DEMO_PASSWORD);
  });

  test('adds the secrets that a newer release needs to an existing .env, and changes nothing else', async () => {
    const kept = Object.fromEntries(secrets.filter((name) => name !== 'METRICS_TOKEN').map((name) => [name, 'kept']));
    const before = Object.entries({ ...kept, PORT: '9090' }).map(([name, value]) => `${name}=${value}`);
    const { settings, output } = await makeEnv(before.join('\n'));
    expect(settings).toEqual({ ...kept, PORT: '9090', METRICS_TOKEN: expect.stringMatching(/^[0-9a-f]{48}$/) });
    expect(output.trim()).toBe('Added to .env: METRICS_TOKEN');
  });

  test("--rotate replaces every secret, keeps the other settings, and remembers MongoDB's previous administrator password", async () => {
    const kept = Object.fromEntries(secrets.map((name) => [name, `old-${name}`]));
    const write = (settings: NodeJS.Dict<string>) =>
      Object.entries(settings)
        .map(([name, value]) => `${name}=${value}`)
        .join('\n');
    const { settings: first } = await makeEnv(write({ PORT: '9090', ...kept, SEED: 'none' }), 'exit 1', '--rotate');
    for (const name of secrets) expect(first[name], name).toMatch(/^[0-9a-f]{48}$/);
    expect(new Set(secrets.map((name) => first[name])).size).toBe(secrets.length);
    expect(first).toMatchObject({ PORT: '9090', SEED: 'none', MONGODB_PASSWORD_PREVIOUS: 'old-MONGODB_PASSWORD' });
    // Again, before the first one was applied.
    const { settings: twice } = await makeEnv(write(first), 'exit 1', '--rotate');
    for (const name of secrets) expect(twice[name], name).not.toBe(first[name]);
    expect(twice.MONGODB_PASSWORD_PREVIOUS).toBe(`${first.MONGODB_PASSWORD} old-MONGODB_PASSWORD`);
    // From a release with a single Redis password.
    const { REDIS_AUTH_PASSWORD: _, ...older } = kept;
    expect((await makeEnv(write(older), 'exit 1', '--rotate')).settings.REDIS_AUTH_PASSWORD).toMatch(/^[0-9a-f]{48}$/);
  });
});
