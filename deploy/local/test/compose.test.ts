import { execFileSync, spawnSync } from 'node:child_process';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { describe, expect, test } from 'vitest';
import { REPOSITORY } from '../src/settings.ts';
import { temporaryFolder } from './temporary-folder.ts';

const read = (path: string) => readFile(join(REPOSITORY, path), 'utf8');
const compose = await read('docker-compose.yml');

/** What a key may do, as S3 writes it. */
interface Policy {
  Statement: { Action: string[]; Resource: string[] }[];
}

/** A service's part of the compose file. */
function serviceText(name: string): string {
  const found = new RegExp(`^  ${name}:\\n(?:(?: {4}.*)?\\n)+`, 'm').exec(compose);
  if (!found) throw new Error(`docker-compose.yml has no service ${name}`);
  return found[0];
}

describe('docker compose', () => {
  test('leaves no volume without a name behind: what candidates said would stay in it', async () => {
    const lists = [...compose.matchAll(/volumes: \[(.+)\]/g)].map(([, list]) => list ?? '');
    expect(lists.length).toBeGreaterThan(2);
    for (const volume of lists.join(', ').split(', ')) expect(volume).toMatch(/^'[^':]+:[^']+'$/);
    expect(await read('deploy/docker/Dockerfile')).not.toMatch(/^VOLUME/m);
    expect(compose).not.toContain('SPOOL_DIR');
    expect(compose).toContain('tmpfs: [/tmp]');
  });

  test("gives the services a key for their bucket alone, and MinIO's administrator to nobody", async () => {
    const names = [...compose.matchAll(/^ {2}([\w-]+):\n {4}/gm)].map(([, name]) => name ?? '');
    expect(names).toEqual(expect.arrayContaining(['minio', 'recording', 'worker']));
    const administrators = names.filter((name) => serviceText(name).includes('MINIO_ROOT_PASSWORD'));
    expect(administrators).toEqual(['minio', 'minio-setup']);
    for (const name of ['recording', 'worker'])
      expect(serviceText(name)).toContain('minio-setup: { condition: service_completed_successfully }');
  });

  test('makes that key, and makes it once', async () => {
    // Stands for MinIO's client: it writes down its calls, and knows a user's policy once it was attached.
    const folder = await temporaryFolder();
    const calls = join(folder, 'calls');
    const client = `#!/bin/sh\necho "$*" >>'${calls}'\ncase "$*" in *'user info'*) grep attach '${calls}' || : ;; esac\n`;
    await writeFile(join(folder, 'mc'), client, { mode: 0o755 });
    const env = {
      PATH: `${folder}:${process.env.PATH}`,
      TMPDIR: folder,
      MINIO_ROOT_PASSWORD: 'root',
      S3_SECRET_KEY: 'secret',
    };
    const script = join(REPOSITORY, 'deploy/docker/setup-minio.sh');
    for (let start = 1; start <= 2; start += 1) execFileSync('sh', [script], { env });

    const made = (await readFile(calls, 'utf8')).trim().split('\n');
    expect(made.filter((call) => call.includes('attach'))).toEqual([
      'admin policy attach store recordings-only --user recordings-service',
    ]);
    expect(made).toContain('mb --ignore-existing store/recordings');
    expect(made).toContain('admin user add store recordings-service secret');
    expect(serviceText('minio-setup')).toContain('setup-minio.sh');
    expect(compose).toContain('S3_ACCESS_KEY: recordings-service');

    const policy = JSON.parse(/'(\{\n.*?\n\})'/s.exec(await readFile(script, 'utf8'))?.[1] ?? '') as Policy;
    const rights = policy.Statement.flatMap(({ Action, Resource }) => Action.map((action) => [action, ...Resource]));
    expect(rights.sort()).toEqual([
      ['s3:DeleteObject', 'arn:aws:s3:::recordings/*'],
      ['s3:GetObject', 'arn:aws:s3:::recordings/*'],
      ['s3:ListBucket', 'arn:aws:s3:::recordings'],
      ['s3:PutObject', 'arn:aws:s3:::recordings/*'],
    ]);
  });
});

describe('restore.sh', () => {
  /** Runs the script with a stand-in for docker that writes down its calls. @returns the calls and the status */
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
  const run = 'compose run backup node deploy/local/backup/run-restore.ts /backups/one';

  test('stops the product, restores, and starts it, also after a refusal', async () => {
    const stop = 'compose stop gateway auth catalog recording worker history';
    expect(await restore(['backups/one', '--replace'])).toEqual({
      calls: [stop, `${run} --replace`, 'compose up -d'],
      status: 0,
    });
    expect(await restore(['backups/one'], 1)).toEqual({ calls: [stop, run, 'compose up -d'], status: 1 });
  });

  test('only reads the backup with --check', async () => {
    expect(await restore(['backups/one', '--check'])).toEqual({ calls: [`${run} --check`], status: 0 });
  });
});

describe('make-env.sh', () => {
  const secrets = ['MONGODB_PASSWORD', 'REDIS_PASSWORD', 'MINIO_ROOT_PASSWORD', 'S3_SECRET_KEY', 'MEDIA_TOKEN_SECRET'];

  /** Runs the script in a folder of its own, over this .env. @returns the settings after it, and what it printed */
  async function makeEnv(before?: string) {
    const folder = await temporaryFolder();
    await mkdir(join(folder, 'deploy/docker'), { recursive: true });
    for (const path of ['.env.example', 'deploy/docker/make-env.sh'])
      await copyFile(join(REPOSITORY, path), join(folder, path));
    if (before !== undefined) await writeFile(join(folder, '.env'), before);
    const output = execFileSync('sh', [join(folder, 'deploy/docker/make-env.sh')], { encoding: 'utf8' });
    return { output, settings: parseEnv(await readFile(join(folder, '.env'), 'utf8')) };
  }

  test('makes every secret, each another', async () => {
    const { settings, output } = await makeEnv();
    const made = secrets.map((name) => settings[name]);
    for (const secret of made) expect(secret).toMatch(/^[0-9a-f]{48}$/);
    expect(new Set(made).size).toBe(secrets.length);
    expect(output).toContain(settings.ADMIN_PASSWORD);
    expect(output).toContain(settings.DEMO_PASSWORD);
  });

  test('adds to an existing .env the secrets that a newer release needs, and changes nothing else', async () => {
    const kept = 'MONGODB_PASSWORD=a\nREDIS_PASSWORD=b\nS3_SECRET_KEY=c\nMEDIA_TOKEN_SECRET=d\nPORT=9090';
    const { settings, output } = await makeEnv(kept);
    expect(settings).toEqual({ ...parseEnv(kept), MINIO_ROOT_PASSWORD: expect.stringMatching(/^[0-9a-f]{48}$/) });
    expect(output.trim()).toBe('Added to .env: MINIO_ROOT_PASSWORD');
  });
});
