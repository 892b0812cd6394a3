import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, copyFile, cp, mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type ChainedEntry, checkChain } from '@interview-prep/kit/audit/audit-chain';
import { unfinishedRestore } from '@interview-prep/kit/mongo/migrations';
import { childEnvironment } from '@interview-prep/local/child-environment';
import { removeFolder } from '@interview-prep/local/data-folder';
import { type Stack, startStack } from '@interview-prep/local/stack';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { backUp } from '../backup/back-up.ts';
import { checkBackup } from '../backup/check-backup.ts';
import { openInstallation } from '../backup/installation.ts';
import type { Manifest, ObjectLine } from '../backup/manifest.ts';
import { readLines } from '../backup/part-files.ts';
import { type Client, type Detail, type Resource, signIn } from './upgrade/client.ts';

const scripts = fileURLToPath(new URL('../backup/', import.meta.url));
const TIMEOUT = { timeout: 60_000, interval: 100 };

/** An answer whose upload was acknowledged. */
type Answer = { file: string; entryId: string; recordingId: string };

let folder: string;
let stack: Stack;
let candidate: Client;
let backup: string;
/** Acknowledged answers: before the backup began, and in total. */
let before: Answer[];
const answers: Answer[] = [];

const dataDir = (name: string) => join(folder, name);
const product = (name: string) =>
  startStack({ env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir(name), SPEECH_ENGINE: 'pocketsphinx' } });

/** Runs a backup command on a data folder until it exits. */
async function run(script: 'run-backup' | 'run-restore', name: string, ...args: string[]) {
  const env = childEnvironment({ DATA_DIR: dataDir(name) });
  const child = spawn(process.execPath, [`${scripts}${script}.ts`, ...args], {
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [output, errors, [status]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { output, errors: errors.trim(), status: status as number | null };
}

/** A one-second tone with unique bytes, which no engine needs to transcribe. */
async function tone(): Promise<string> {
  const file = join(folder, `${answers.length}.webm`);
  await copyFile(join(folder, 'tone.webm'), file);
  // A trailing void element, which readers skip.
  await appendFile(file, new Uint8Array([0xec, 0x82, answers.length >> 8, answers.length & 0xff]));
  return file;
}

async function answer(set: Resource): Promise<void> {
  const file = await tone();
  const { _id, interviewId } = await candidate.upload('interview', set, { questionId: 0, file });
  answers.push({ file, entryId: interviewId, recordingId: _id });
}

const detailOf = (client: Client, { entryId }: Answer) =>
  client.ask<Detail>('GET', `/api/interviews/${entryId}`).catch(() => undefined);

/** The detail of an answer once it is processed. */
function ended(client: Client, of: Answer): Promise<Detail> {
  return vi.waitUntil(async () => {
    const detail = await detailOf(client, of);
    const isEnded = detail?.recordings.every(
      ({ transcription, assessment }) => transcription.status !== 'pending' && assessment?.status !== 'pending',
    );
    return isEnded ? detail : undefined;
  }, TIMEOUT);
}

/** Removes fields that differ each time: links, and the time of a repeated transcription. */
const lasting = (detail: unknown): unknown =>
  JSON.parse(JSON.stringify(detail, (key, value) => (['audioUrl', 'completedAt'].includes(key) ? undefined : value)));

async function mediaOf(detail: Detail, url: string): Promise<Buffer> {
  const response = await fetch(new URL(detail.recordings[0]?.audioUrl ?? '', url));
  expect(response.status).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

const readManifest = async (path: string) =>
  JSON.parse(await readFile(join(path, 'manifest.json'), 'utf8')) as Manifest;

async function readObjects(path: string): Promise<ObjectLine[]> {
  const lines: ObjectLine[] = [];
  for await (const line of readLines(path, 'objects.jsonl.gz')) lines.push(JSON.parse(line) as ObjectLine);
  return lines;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'backup-test-'));
  const sine = ['-f', 'lavfi', '-i', 'sine=frequency=300:duration=1', '-c:a', 'libopus', join(folder, 'tone.webm')];
  await promisify(execFile)('ffmpeg', ['-nostdin', '-loglevel', 'error', ...sine]);
  stack = await product('first');
  candidate = await signIn(stack.url, 'candidate@example.com', stack.demo.password);
  const { interviewSets } = await candidate.ask<{ interviewSets: Resource[] }>('GET', '/api/interviews/sets');
  const set = interviewSets[0] as Resource;
  for (let uploads = 0; uploads < 3; uploads += 1) await answer(set);
  before = [...answers];

  // Uploads continue during the backup.
  let backingUp = true;
  const uploading = (async () => {
    while (backingUp) {
      await answer(set);
      // Each is processed twice: here, and after the restore.
      await pause(300);
    }
  })();
  const { output, errors, status } = await run('run-backup', 'first', '--to', join(folder, 'backups'));
  backingUp = false;
  await uploading;
  expect({ errors, status }).toEqual({ errors: '', status: 0 });
  expect(output).toMatch(/^Backed up 3 users, \d+ sessions, \d+ recordings and \d+ media files/);
  expect(answers.length).toBeGreaterThan(before.length);
  const names = await readdir(join(folder, 'backups'));
  expect(names).toEqual([expect.stringMatching(/^interview-prep-\d{4}-\d\d-\d\dT[\d-]+Z$/)]);
  backup = join(folder, 'backups', names[0] ?? '');
}, 120_000);
afterAll(async () => {
  await stack?.stop();
  await removeFolder(folder);
});

describe('a backup taken during uploads', () => {
  test('contains everything acknowledged before it, and each object that its recordings refer to', async () => {
    const { collections, objects, schemaVersions } = await readManifest(backup);
    const recordings = collections.find(({ collection }) => collection === 'recordings')?.documents ?? 0;
    expect(recordings).toBeGreaterThanOrEqual(before.length);
    // The judge's calibration.
    expect(collections).toContainEqual(expect.objectContaining({ collection: 'calibrations', documents: 1 }));
    expect(objects).toMatchObject({ missing: [] });
    expect(objects.count).toBeGreaterThanOrEqual(recordings);
    expect(schemaVersions).toEqual({ auth: 3, catalog: 2, recording: 5 });
    expect(collections.map(({ collection }) => collection)).not.toContain('signing_keys');
  });

  test('restores logins, media and history into an empty installation, where pending work completes', async () => {
    const expected = new Map<Answer, { detail: unknown; media: Buffer }>();
    for (const each of before) {
      const detail = await ended(candidate, each);
      expected.set(each, { detail: lasting(detail), media: await mediaOf(detail, stack.url) });
    }
    await stack.stop();

    const restored = await run('run-restore', 'second', backup);
    expect(restored).toMatchObject({ errors: '', status: 0 });
    stack = await product('second');
    // The old token's key was not restored.
    const signedIn = await signIn(stack.url, 'candidate@example.com', stack.demo.password);
    expect(stack.demo.emails).toContain('admin@example.com');
    for (const [each, { detail, media }] of expected) {
      const found = await ended(signedIn, each);
      expect(lasting(found)).toEqual(detail);
      expect((await mediaOf(found, stack.url)).equals(media)).toBe(true);
    }
    // History has as many entries as there are recordings, each in its own session.
    const { collections } = await readManifest(backup);
    const recordings = collections.find(({ collection }) => collection === 'recordings')?.documents ?? 0;
    await vi.waitUntil(async () => {
      const { total } = await signedIn.ask<{ total: number }>('GET', '/api/interviews/history');
      return total === recordings;
    }, TIMEOUT);
    for (const each of answers) if (await detailOf(signedIn, each)) await ended(signedIn, each);
    // Deleted after the backup was made.
    await signedIn.ask('DELETE', `/api/sessions/${before[0]?.entryId}`);
  }, 120_000);

  test('is not restored over a running product, or over existing data unless forced', async () => {
    expect(await run('run-restore', 'second', backup)).toMatchObject({
      errors: expect.stringMatching(/^The product runs on .*: stop it first\.$/),
      status: 1,
    });
    await stack.stop();
    expect(await run('run-restore', 'second', backup)).toMatchObject({
      errors: expect.stringMatching(/^There is data in this installation .* Add --replace /),
      status: 1,
    });
    expect(await run('run-restore', 'second', backup, '--replace')).toMatchObject({ errors: '', status: 0 });
  });

  test('is rejected if a byte has changed, a file is missing, or a newer release wrote it', async () => {
    const damage: Record<string, (copy: string) => Promise<void>> = {
      'objects/.* has other bytes than were written': async (copy) => {
        const [line] = await readObjects(copy);
        const file = await open(join(copy, line?.part?.path ?? ''), 'r+');
        await file.write('other', 500);
        await file.close();
      },
      'mongo/auth/users.bson.gz cannot be read': (copy) => rm(join(copy, 'mongo/auth/users.bson.gz')),
      'manifest.json is not as it was written': async (copy) => {
        const manifest = await readFile(join(copy, 'manifest.json'), 'utf8');
        await writeFile(join(copy, 'manifest.json'), manifest.replace('"documents": 3', '"documents": 4'));
      },
      'A newer release \\(0.2.0\\) wrote this backup': async (copy) => {
        const manifest = await readFile(join(copy, 'manifest.json'), 'utf8');
        await writeFile(join(copy, 'manifest.json'), manifest.replace('"formatVersion": 2', '"formatVersion": 3'));
      },
    };
    for (const [message, harm] of Object.entries(damage)) {
      const copy = join(folder, 'damaged');
      await cp(backup, copy, { recursive: true });
      await harm(copy);
      await expect(checkBackup(copy)).rejects.toThrow(new RegExp(message));
      await removeFolder(copy);
    }
    await expect(checkBackup(backup)).resolves.toMatchObject({
      formatVersion: 2,
      auditMark: expect.stringMatching(/^\d+:[0-9a-f]{64}$/),
    });
  });
});

describe('a stopped product', () => {
  test('can be backed up too, and an interrupted restore can be repeated', async () => {
    const env = { PATH: process.env.PATH, DATA_DIR: dataDir('second') };
    const installation = await openInstallation(env, { needsRedis: false, whileRunning: true });
    try {
      const manifest = await backUp(installation, join(folder, 'again'));
      const first = await readManifest(backup);
      const counts = ({ collections }: Manifest) =>
        Object.fromEntries(
          collections
            .filter(({ database, documents }) => database !== 'audit' && documents > 0)
            .map(({ collection, documents }) => [collection, documents]),
        );
      expect(counts(manifest)).toMatchObject(counts(first));
      expect(manifest.objects.count).toBe(first.objects.count);
      // The restored audit log continues where the backup ended.
      const log = installation.mongo.db('audit').collection<ChainedEntry>('entries').find().sort({ _id: 1 });
      expect(first.auditMark).toBeDefined();
      expect(await checkChain(log, first.auditMark)).toMatchObject({ problems: [], mark: manifest.auditMark });
      // The restore kept the replaced installation's deletions, to be carried out again.
      const deletions = await installation.mongo.db('recording').collection('deletions').find().toArray();
      expect(deletions).toMatchObject([
        { target: { kind: 'session' }, passes: 0, unpublished: true, nextPassAt: expect.any(Date) },
      ]);
      expect(await readFile(join(folder, 'backups/deletions.jsonl'), 'utf8')).toContain(String(deletions[0]?._id));
      // The state after an interrupted restore: a retry needs no --replace.
      const migrations = installation.mongo.db('recording').collection<{ _id: string }>('migrations');
      await migrations.insertOne({ _id: unfinishedRestore });
    } finally {
      await installation.close();
    }
    expect(await run('run-restore', 'second', backup)).toMatchObject({ errors: '', status: 0 });
  });
});
