import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { removeFolder } from '@interview-prep/local/data-folder';
import { type Stack, startStack } from '@interview-prep/local/stack';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Client, type Detail, type Resource, signIn } from './upgrade/client.ts';
import type { Expected } from './upgrade/expected.ts';

const archives = fileURLToPath(new URL('./upgrade/', import.meta.url));
const releases = readdirSync(archives).filter((name) => name.endsWith('.tar.gz'));
const PENDING_TIMEOUT = { timeout: 120_000, interval: 200 };

/** Data as read from a release, without media links, which carry a fresh token each time. */
const withoutLinks = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value, (key, inner) => (key === 'audioUrl' ? undefined : inner)));

/** Verdicts as marked by a migration. */
const withMarkedEngines = <Value>(value: Value): Value =>
  JSON.parse(JSON.stringify(value).replaceAll('"engine":"reference"', '"engine":"reference 0.1 (word rules)"'));

const isDone = ({ recordings }: Detail): boolean =>
  recordings.every(
    ({ transcription, assessment }) => transcription.status !== 'pending' && assessment?.status !== 'pending',
  );

describe.each(releases)('the data folder of %s', (release) => {
  let dataDir: string;
  let stack: Stack;
  let expected: Expected;
  let admin: Client;
  let candidate: Client;

  beforeAll(async () => {
    dataDir = await mkdtemp(join(tmpdir(), 'upgrade-test-'));
    await promisify(execFile)('tar', ['-C', dataDir, '-xzf', join(archives, release)]);
    expected = JSON.parse(await readFile(join(dataDir, 'expected.json'), 'utf8'));
    const env = { PATH: process.env.PATH, PORT: '0', DATA_DIR: dataDir, SPEECH_ENGINE: 'pocketsphinx' };
    stack = await startStack({ env });
    admin = await signIn(stack.url, 'admin@example.com', expected.password);
    candidate = await signIn(stack.url, 'candidate@example.com', expected.password);
  }, 120_000);
  afterAll(async () => {
    await stack?.stop();
    await removeFolder(dataDir);
  });

  const read = <Result>(path: string, client = admin) => client.ask<Result>('GET', path);

  test('users keep their passwords, roles and technologies', async () => {
    const { users } = await read<Pick<Expected, 'users'>>('/api/users');
    expect(users).toHaveLength(expected.users.length);
    for (const { lastLogin: _newerNow, ...user } of expected.users) {
      expect(users).toContainEqual(expect.objectContaining(user));
    }
    for (const [email, password] of Object.entries(expected.passwords)) await signIn(stack.url, email, password);
    await expect(signIn(stack.url, 'ada@example.com', 'first-password')).rejects.toThrow('401');
    await expect(signIn(stack.url, 'leaver@example.com', 'leaver-password')).rejects.toThrow('401');
  });

  test('technologies and sets are unchanged', async () => {
    const { technologies } = await read<Pick<Expected, 'technologies'>>('/api/technologies');
    expect(technologies).toEqual(
      expect.arrayContaining(expected.technologies.map((known) => expect.objectContaining(known))),
    );
    const { interviewSets } = await read<Pick<Expected, 'interviewSets'>>('/api/interviews/sets');
    const { practiceSets } = await read<Pick<Expected, 'practiceSets'>>('/api/practice');
    for (const set of expected.interviewSets)
      expect(interviewSets.find(({ _id }) => _id === set._id)).toMatchObject(set);
    for (const set of expected.practiceSets) expect(practiceSets.find(({ _id }) => _id === set._id)).toMatchObject(set);
    expect(interviewSets.map(({ title }) => title)).toContain(expected.unpublished.setTitle);
  });

  test('pending answers are transcribed and assessed, including one whose event was never published', async () => {
    for (const path of [expected.pending, expected.unpublished.interview]) {
      const detail = await vi.waitUntil(async () => {
        const found = await read<Detail>(path).catch(() => undefined);
        return found && isDone(found) ? found : undefined;
      }, PENDING_TIMEOUT);
      expect(detail.recordings).toEqual([
        expect.objectContaining({ transcription: expect.objectContaining({ status: 'completed' }) }),
      ]);
    }
  });

  test('histories list every session', async () => {
    const lists = [
      ['/api/interviews/history', expected.interviews],
      ['/api/practice/history', expected.practices],
    ] as const;
    for (const [path, entries] of lists) {
      const { recordings } = await read<{ recordings: Resource[] }>(path);
      const ids = recordings.map(({ _id }) => _id);
      expect(ids).toEqual(expect.arrayContaining(entries.map(({ _id }) => _id)));
    }
  });

  test('details are shown as before, and every recording plays', async () => {
    for (const [path, detail] of Object.entries(expected.details)) {
      const found = await read<Detail>(path);
      // History shows its old entries until it is rebuilt.
      if (path !== expected.pending) {
        const asBefore = withMarkedEngines(withoutLinks(detail));
        await vi.waitFor(async () => expect(await read<Detail>(path)).toMatchObject(asBefore), PENDING_TIMEOUT);
      }
      expect(found.recordings).toHaveLength(detail.recordings.length);
      for (const { audioUrl } of found.recordings) {
        const media = await fetch(new URL(audioUrl, stack.url));
        expect(media.status).toBe(200);
        expect((await media.arrayBuffer()).byteLength).toBeGreaterThan(1000);
      }
    }
  });

  test('a failed answer can be processed again', async () => {
    const [recording] = (await read<Detail>(expected.failed)).recordings;
    await candidate.ask('POST', `/api/recordings/${recording?._id}/reprocess`);
  });

  test('a set whose event was never published can be answered', async () => {
    const { interviewSets } = await read<Pick<Expected, 'interviewSets'>>('/api/interviews/sets', candidate);
    const set = interviewSets.find(({ title }) => title === expected.unpublished.setTitle);
    if (!set) throw new Error('The set is not listed');
    const file = join(dataDir, 'answer.webm');
    const tone = ['-f', 'lavfi', '-i', 'sine=frequency=300:duration=1', '-c:a', 'libopus', file];
    await promisify(execFile)('ffmpeg', ['-nostdin', '-loglevel', 'error', ...tone]);
    const { interviewId } = await candidate.upload('interview', set, { questionId: 0, file });
    await vi.waitUntil(() => read(`/api/interviews/${interviewId}`).catch(() => undefined), PENDING_TIMEOUT);
  });
});
