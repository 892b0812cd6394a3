import { execFile } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { SignedInUser } from '@interview-prep/contracts/auth/users';
import type { InterviewDetail } from '@interview-prep/contracts/history/history';
import { openReplicaFront } from '@interview-prep/kit/testing/replica-front';
import { removeFolder } from '@interview-prep/local/data-folder';
import { REPOSITORY } from '@interview-prep/local/settings';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { z } from 'zod';
import { projectionVersion } from '../../../../services/history/src/projection/rebuild.ts';
import { openStream, sendInParts, speak } from './answers.ts';
import { type Product, startProduct, uploadForm } from './running-product.ts';

const run = promisify(execFile);
const git = async (...args: string[]) => (await run('git', args, { cwd: REPOSITORY })).stdout.trim();
let older: string;
let product: Product;
let candidate: SignedInUser;
let admin: SignedInUser;
let setId: string;
const sent: { _id: string; interviewId: string }[] = [];

/** Checks the last release out, with the libraries of this checkout. */
async function checkOutRelease(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'interview-prep-release-'));
  const release = await git('log', '-1', '--format=%H', '-G"version":', '--', 'package.json');
  const archive = join(folder, 'release.tar');
  await git('archive', '--output', archive, release);
  await run('tar', ['-xf', archive, '-C', folder]);
  const [from, to] = [join(REPOSITORY, 'node_modules'), join(folder, 'node_modules')];
  mkdirSync(join(to, '@interview-prep'), { recursive: true });
  for (const name of readdirSync(from)) if (name !== '@interview-prep') symlinkSync(join(from, name), join(to, name));
  for (const part of ['auth', 'catalog', 'recording', 'history', 'kit', 'contracts'])
    symlinkSync(join(folder, 'services', part), join(to, '@interview-prep', part));
  symlinkSync(join(folder, 'gateway'), join(to, '@interview-prep/gateway'));
  return folder;
}

/** The processes of the last release. */
const olderProcesses = () =>
  readdirSync('/proc').flatMap((pid) => {
    try {
      return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(`${older}/`) ? [Number(pid)] : [];
    } catch {
      return [];
    }
  });

const detailOf = (interviewId: string) =>
  product.ask<InterviewDetail>({ method: 'get', path: `/api/interviews/${interviewId}` }, candidate.token);

/** Waits until each answer has its verdict, whichever release is asked. */
async function expectAllJudged(): Promise<void> {
  for (const { _id, interviewId } of sent) {
    await expect
      .poll(
        async () => {
          const read = async () => (await detailOf(interviewId).catch(() => null))?.recordings ?? [];
          return (await Promise.all([read(), read()])).map((recordings) =>
            recordings.map((recording) => [recording._id, recording.assessment?.status]),
          );
        },
        { timeout: 120_000, interval: 500 },
      )
      .toEqual([[[_id, 'completed']], [[_id, 'completed']]]);
  }
}

beforeAll(async () => {
  older = await checkOutRelease();
  product = await startProduct(
    { SPEECH_ENGINE: 'pocketsphinx' },
    { replicas: { roots: [older, REPOSITORY], inTurn: true, openFront: openReplicaFront } },
  );
  [admin, candidate] = [await product.signIn('admin@example.com'), await product.newCandidate()];
  setId = (await product.interviewSet())._id;
}, 240_000);
afterAll(async () => {
  await product?.stop();
  await removeFolder(older);
});

it('while the last release and this one run side by side, no answer is lost or doubled', async () => {
  const streams = await Promise.all([1, 2, 3, 4].map(() => openStream(product, candidate)));
  const media = await speak('A closure is a function that remembers its variables.');
  for (let number = 0; number < 4; number += 1) {
    const recordings = await sendInParts(
      product,
      candidate,
      setId,
      Buffer.concat([media, Buffer.from([0xec, 0x81, number])]),
    );
    expect(recordings).toHaveLength(1);
    sent.push(...recordings);
    const fields = { sessionId: crypto.randomUUID(), questionId: '1', interviewSetId: setId };
    const body = uploadForm('audio', product.recording(), fields);
    const whole = { method: 'post', path: '/api/interviews/recordings', body };
    sent.push((await product.ask<{ recording: (typeof sent)[0] }>(whole, candidate.token)).recording);
  }
  await expectAllJudged();
  for (const stream of streams) {
    for (const { _id } of sent)
      expect(stream.received()).toContain(`"recordingId":"${_id}","stage":"assessment","status":"completed"`);
    await stream.close();
  }
});

it('once the last release has gone, the rest goes on, and its entries are as this one writes them', async () => {
  expect(olderProcesses().length).toBeGreaterThanOrEqual(6);
  for (const pid of olderProcesses()) process.kill(pid, 'SIGKILL');
  const send = () => sendInParts(product, candidate, setId, Buffer.concat([sound, Buffer.from([0xec, 0x81, 9])]));
  const sound = await speak('Hoisting moves declarations up.');
  await expect.poll(() => send().then(({ length }) => length, String), { timeout: 60_000 }).toBe(1);
  await expectAllJudged();

  const mongo = await MongoClient.connect(process.env.MONGODB_URI ?? '');
  const entries = mongo.db(`${product.names.MONGODB_PREFIX}history`).collection('recordings');
  const outdated = { projectionVersion: { $not: { $gte: projectionVersion } } };
  await expect.poll(() => entries.countDocuments(outdated), { timeout: 200_000, interval: 1000 }).toBe(0);
  await mongo.close();
});

it('pages of the last release understand what this one answers', async () => {
  type Route = { method: string; path: string; result?: z.ZodType };
  const contracts = pathToFileURL(join(older, 'services/contracts/src/api/routes.ts')).href;
  const { routes } = (await import(contracts)) as { routes: Record<string, Route> };
  const [{ interviewId, _id: recordingId } = { interviewId: '', _id: '' }] = sent;
  const understood: string[] = [];
  for (const [name, { method, path, result }] of Object.entries(routes)) {
    if (method !== 'get' || !result?.safeParse) continue;
    const asked = path
      .replace('/api/interviews/:id', `/api/interviews/${interviewId}`)
      .replace(':recordingId', recordingId);
    if (asked.includes(':')) continue;
    for (const user of [admin, candidate]) {
      const answer = await product.call({ method, path: asked }, user.token);
      const isJson = answer.headers.get('content-type')?.startsWith('application/json');
      if (answer.status !== 200 || !isJson) {
        await answer.body?.cancel();
        continue;
      }
      expect(result.safeParse(await answer.json()).error, name).toBeUndefined();
      understood.push(name);
    }
  }
  expect(new Set(understood).size).toBeGreaterThan(15);
});
