import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { routes } from '@interview-prep/contracts/api/routes';
import type { SignedInUser } from '@interview-prep/contracts/auth/users';
import type { InterviewDetail } from '@interview-prep/contracts/history/history';
import { openReplicaFront } from '@interview-prep/kit/testing/replica-front';
import { removeFolder } from '@interview-prep/local/data-folder';
import { REPOSITORY } from '@interview-prep/local/settings';
import { MongoClient } from 'mongodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { projectionVersion } from '../../../../services/history/src/projection/rebuild.ts';
import { openStream, sendInParts, speak } from './answers.ts';
import { type Product, startProduct, uploadForm } from './running-product.ts';

/** The last release's sources: see upgrade/README.md. */
const sources = fileURLToPath(new URL('../upgrade/last-release.tgz', import.meta.url));
/** Routes removed in this release. Pages of the last one show a failure there until they are reloaded. */
const gone = ['listAppeals'];

interface Route {
  method: string;
  path: string;
  body?: z.ZodType;
  query?: z.ZodType;
  result?: z.ZodType;
}

let older: string;
let product: Product;
let candidate: SignedInUser;
let admin: SignedInUser;
let setId: string;
const sent: { _id: string; interviewId: string }[] = [];

/** Unpacks the last release, with this checkout's dependencies and models. */
async function unpackRelease(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'interview-prep-release-'));
  await promisify(execFile)('tar', ['-xzf', sources, '-C', folder]);
  const link = (path: string, name: string) => symlinkSync(join(REPOSITORY, path, name), join(folder, path, name));
  mkdirSync(join(folder, 'node_modules/@interview-prep'), { recursive: true });
  for (const name of readdirSync(join(REPOSITORY, 'node_modules'))) {
    if (name !== '@interview-prep') link('node_modules', name);
  }
  for (const part of ['gateway', ...readdirSync(join(folder, 'services')).map((name) => `services/${name}`)]) {
    symlinkSync(join(folder, part), join(folder, 'node_modules/@interview-prep', part.replace('services/', '')));
    const own = `${part}/node_modules`;
    if (existsSync(join(REPOSITORY, own))) symlinkSync(join(REPOSITORY, own), join(folder, own));
  }
  for (const models of ['services/recording/models', 'services/recording/models/point-judge']) {
    for (const name of readdirSync(join(REPOSITORY, models))) {
      if (!existsSync(join(folder, models, name))) link(models, name);
    }
  }
  return folder;
}

/** The product's processes that run a file in this folder. */
function processesIn(folder: string, file = ''): { pid: number; environment: string }[] {
  return readdirSync('/proc').flatMap((pid) => {
    try {
      if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(join(folder, file))) return [];
      return [{ pid: Number(pid), environment: readFileSync(`/proc/${pid}/environ`, 'latin1') }];
    } catch {
      return [];
    }
  });
}

/** Waits until both releases show each answer exactly once, with its verdict. */
async function expectAllJudged(): Promise<void> {
  for (const { _id, interviewId } of sent) {
    const read = () =>
      product
        .ask<InterviewDetail>({ method: 'get', path: `/api/interviews/${interviewId}` }, candidate.token)
        .then(({ recordings }) => recordings.map((recording) => [recording._id, recording.assessment.status]), String);
    await expect
      .poll(async () => [await read(), await read()], { timeout: 120_000, interval: 500 })
      .toEqual([[[_id, expect.not.stringMatching('pending')]], [[_id, expect.not.stringMatching('pending')]]]);
  }
}

const releases = ['older', 'newer'] as const;
type Release = (typeof releases)[number];

/** The release whose gateway accepted an answer, by recording id. */
const gateways = new Map<string, Release>();

/** Sends an answer in one request to a release's gateway. */
async function sendWhole(release: Release): Promise<void> {
  const root = release === 'older' ? older : REPOSITORY;
  // Another product may be running on this machine.
  const secret = product.stack.gatewaySecrets.recording;
  const gateway = processesIn(root, 'gateway/src/main.ts').find(({ environment }) => environment.includes(secret));
  const [, port] = /\0PORT=(\d+)/.exec(gateway?.environment ?? '') ?? [];
  const fields = { sessionId: crypto.randomUUID(), questionId: '1', interviewSetId: setId };
  const response = await fetch(`http://127.0.0.1:${port}/api/interviews/recordings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${candidate.token}` },
    body: uploadForm('audio', product.recording(), fields),
  });
  expect(response.status).toBe(201);
  const { recording } = (await response.json()) as { recording: (typeof sent)[0] };
  sent.push(recording);
  gateways.set(recording._id, release);
}

/** The combinations of releases whose gateway, recording service and worker handled an answer, from their logs. */
function findWays(): Set<string> {
  const linesOf = (name: string) =>
    releases.flatMap((release, index) => {
      const lines = readFileSync(join(product.folder, `data/logs/${name}-${index + 1}.log`), 'utf8').split('\n');
      return lines.flatMap((line) => {
        const [, requestId] = /"requestId":"([^"]+)"/.exec(line) ?? [];
        return requestId ? [{ release, line, requestId }] : [];
      });
    });
  const recordings = new Map(linesOf('recording').map(({ requestId, release }) => [requestId, release]));
  const transcribed = linesOf('worker').filter(({ line }) => /"queue":"transcription".*job completed/.test(line));
  return new Set(
    transcribed.flatMap(({ line, requestId, release }) => {
      const [, gateway] = [...gateways].find(([recordingId]) => line.includes(recordingId)) ?? [];
      return gateway ? [`${gateway} gateway, ${recordings.get(requestId)} recording, ${release} worker`] : [];
    }),
  );
}

beforeAll(async () => {
  older = await unpackRelease();
  product = await startProduct(
    { SPEECH_ENGINE: 'pocketsphinx', UPLOADS_PER_HOUR: '0' },
    { replicas: { roots: [older, REPOSITORY], inTurn: true, openFront: openReplicaFront } },
  );
  [admin, candidate] = [await product.signIn('admin@example.com'), await product.newCandidate()];
  setId = (await product.interviewSet())._id;
}, 240_000);
afterAll(async () => {
  await product?.stop();
  await removeFolder(older);
});

it('while the last release and this one run side by side, no answer is lost or duplicated, and open pages hear of each', async () => {
  const streams = await Promise.all([1, 2, 3, 4].map(() => openStream(product, candidate)));
  const media = await speak('A closure is a function that remembers its variables.');
  for (const number of [0, 1, 2, 3]) {
    // A trailing void element makes the bytes unique.
    const own = Buffer.concat([media, Buffer.from([0xec, 0x81, number])]);
    const recordings = await sendInParts(product, candidate, setId, own);
    expect(recordings).toHaveLength(1);
    sent.push(...recordings);
    await sendWhole(number % 2 === 0 ? 'older' : 'newer');
  }
  await expectAllJudged();
  for (const stream of streams) {
    for (const { _id } of sent) expect(stream.received()).toContain(`"recordingId":"${_id}","stage":"assessment"`);
    await stream.close();
  }
}, 240_000);

it('gateway, services and worker of either release work with those of the other', async () => {
  const all = releases.flatMap((gateway) =>
    releases.flatMap((recording) =>
      releases.map((worker) => `${gateway} gateway, ${recording} recording, ${worker} worker`),
    ),
  );
  // The assignment is random.
  for (let round = 0; round < 10 && all.some((way) => !findWays().has(way)); round += 1) {
    await Promise.all([...releases, ...releases, ...releases].map(sendWhole));
    await expectAllJudged();
  }
  expect([...findWays()].toSorted()).toEqual(expect.arrayContaining(all));
}, 600_000);

it('pages of the last release find the routes that they call, and understand the responses', async () => {
  const contracts = pathToFileURL(join(older, 'services/contracts/src/api/routes.ts')).href;
  const { routes: olderRoutes } = (await import(contracts)) as { routes: Record<string, Route> };
  const current = Object.values(routes as Record<string, Route>);
  const requiredOf = (schema: z.ZodType | undefined) =>
    schema ? (z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }).required ?? []) : [];
  const [{ interviewId, _id: recordingId } = { interviewId: '', _id: '' }] = sent;
  const understood = new Set<string>();
  for (const [name, { method, path, body, query, result }] of Object.entries(olderRoutes)) {
    if (gone.includes(name)) continue;
    const now = current.find((route) => route.method === method && route.path === path);
    expect(now, name).toBeDefined();
    expect(requiredOf(body), name).toEqual(expect.arrayContaining(requiredOf(now?.body)));
    expect(requiredOf(query), name).toEqual(expect.arrayContaining(requiredOf(now?.query)));

    const asked = path
      .replace('/api/interviews/:id', `/api/interviews/${interviewId}`)
      .replace(':recordingId', recordingId);
    if (method !== 'get' || !result?.safeParse || asked.includes(':')) continue;
    // Consecutive responses come from different releases.
    for (const user of [admin, admin, candidate, candidate]) {
      const answer = await product.call({ method, path: asked }, user.token);
      const isJson = answer.headers.get('content-type')?.startsWith('application/json');
      if (answer.status === 200 && isJson) {
        expect(result.safeParse(await answer.json()).error, name).toBeUndefined();
        understood.add(name);
      } else await answer.body?.cancel();
    }
  }
  expect(understood.size).toBeGreaterThan(15);
}, 120_000);

it('once the last release is stopped, the rest continues, and its entries are as this release writes them', async () => {
  const processes = processesIn(older);
  expect(processes.length).toBeGreaterThanOrEqual(6);
  // The old release can't be restarted.
  for (const part of ['gateway', 'services']) await removeFolder(join(older, part));
  for (const { pid } of processes) process.kill(pid, 'SIGKILL');
  const sound = await speak('Hoisting moves declarations up.');
  const send = () => sendInParts(product, candidate, setId, sound);
  await expect
    .poll(() => send().then((recordings) => sent.push(...recordings), String), { timeout: 60_000 })
    .toBe(sent.length + 1);
  await expectAllJudged();

  const mongo = await MongoClient.connect(process.env.MONGODB_URI ?? '');
  const entries = mongo.db(`${product.names.MONGODB_PREFIX}history`).collection('recordings');
  const outdated = { projectionVersion: { $not: { $gte: projectionVersion } } };
  await expect.poll(() => entries.countDocuments(outdated), { timeout: 200_000, interval: 1000 }).toBe(0);
  await mongo.close();
}, 400_000);
