import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SignedInUser } from '@interview-prep/contracts/auth/users';
import type { InterviewDetail } from '@interview-prep/contracts/history/history';
import { startOpenIdProvider } from '@interview-prep/kit/testing/openid-provider';
import { openReplicaFront } from '@interview-prep/kit/testing/replica-front';
import { REPOSITORY } from '@interview-prep/local/settings';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStream, sendInParts, speak } from './answers.ts';
import { matrix } from './role-matrix.ts';
import { callers, makeWorld, tryRow } from './role-world.ts';
import { type Product, startProduct, uploadForm } from './running-product.ts';

const attempts = 20;
const uploadsPerMinute = 20;
let product: Product;
/** Signed in before failed attempts exhaust the limit of this address. */
let people: SignedInUser[];
let world: Awaited<ReturnType<typeof makeWorld>>;

/** Mails per person and hour are limited, and each caller of the matrix requests one. */
const mailed = new Set(['forgotPassword', 'requestInvitation']);
let provider: Awaited<ReturnType<typeof startOpenIdProvider>>;

beforeAll(async () => {
  provider = await startOpenIdProvider();
  product = await startProduct(
    {
      TRUST_PROXY: '1',
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: provider.client.id,
      OIDC_CLIENT_SECRET: provider.client.secret,
      OIDC_OPTIONS: 'name=Acme',
      SPEECH_ENGINE: 'pocketsphinx',
      LOGIN_ATTEMPTS: String(attempts),
      UPLOADS_PER_HOUR: String(uploadsPerMinute * 10),
    },
    { replicas: { roots: [REPOSITORY, REPOSITORY], inTurn: false, openFront: openReplicaFront } },
  );
  people = [await product.newCandidate(), await product.newCandidate(), await product.newCandidate()];
}, 240_000);
afterAll(async () => {
  await product?.stop();
  await provider?.stop();
});

it('one copy migrates each database', () => {
  const folder = join(product.folder, 'data/logs');
  const logs = readdirSync(folder).map((name) => [name.replace(/(-\d)?\.log.*/, ''), join(folder, name)] as const);
  const ran = logs.flatMap(([service, path]) =>
    [...readFileSync(path, 'utf8').matchAll(/"migration":"([^"]+)"/g)].map(
      ([, name]) =>
        // The worker uses recording's database.
        `${service === 'worker' ? 'recording' : service} ${name}`,
    ),
  );
  expect(ran.length).toBeGreaterThan(3);
  expect(ran.toSorted()).toEqual([...new Set(ran)].toSorted());
});

it('an answer in parts reaches every open page, the history and a shared link', async () => {
  const candidate = await product.newCandidate();
  const { ask } = product;
  const admin = await product.signIn('admin@example.com');
  const set = {
    title: 'Closures',
    technology: 'javascript',
    questions: ['What is a closure?'],
    expertAnswers: ['A closure is a function that remembers the variables of its scope.'],
    tags: [],
  };
  const { interviewSet } = await ask<{ interviewSet: { _id: string } }>(
    { method: 'post', path: '/api/interviews/sets', body: set },
    admin.token,
  );
  const streams = await Promise.all(Array.from({ length: 4 }, () => openStream(product, candidate)));
  const media = await speak('A closure is a function that remembers the variables of its scope.');
  const recordings = await sendInParts(product, candidate, interviewSet._id, media);
  expect(recordings).toHaveLength(1);
  const [{ _id: recordingId, interviewId } = { _id: '', interviewId: '' }] = recordings;

  for (const stream of streams) {
    await expect
      .poll(stream.received, { timeout: 120_000 })
      .toMatch(new RegExp(`"recordingId":"${recordingId}","stage":"assessment","status":"completed"`));
    await stream.close();
  }
  // From either replica.
  for (const _ of [1, 2, 3, 4]) {
    const { recordings } = await ask<InterviewDetail>(
      { method: 'get', path: `/api/interviews/${interviewId}` },
      candidate.token,
    );
    expect(recordings).toHaveLength(1);
    expect(recordings[0]?.assessment?.status).toBe('completed');
    expect(recordings[0]?.transcription.text).toContain('function');
  }
  const { token } = await ask<{ token: string }>(
    { method: 'post', path: `/api/sessions/${interviewId}/shares`, body: { role: 'read', days: 1 } },
    candidate.token,
  );
  for (const _ of [1, 2]) {
    const shared = await product.call({ method: 'post', path: '/api/shared', body: { token } });
    expect(shared.status).toBe(200);
    expect(await shared.text()).toContain(recordingId);
  }
}, 240_000);

describe('the role matrix', () => {
  beforeAll(async () => {
    world = await makeWorld(product);
  }, 120_000);
  it.each(Object.entries(matrix))('%s', async (name, row) => {
    const statuses = row[0].split(' ');
    const wanted = callers.flatMap((caller, index) =>
      statuses[index] === '-'
        ? []
        : [expect.stringMatching(`^${caller}: (${statuses[index]}${mailed.has(name) ? '|429' : ''})$`)],
    );
    expect(await tryRow(world, name, row)).toEqual(wanted);
  });
});

describe('limits are shared between both copies', () => {
  const statusesOf = async (count: number, send: (number: number) => Promise<Response>) => {
    const answers = await Promise.all(Array.from({ length: count }, (_, number) => send(number)));
    for (const answer of answers) await answer.body?.cancel();
    return Map.groupBy(answers, ({ status }) => status);
  };

  it('for uploads', async () => {
    const { _id: interviewSetId } = await product.interviewSet();
    const answers = await statusesOf(uploadsPerMinute * 2, () => {
      const fields = { sessionId: randomUUID(), questionId: '0', interviewSetId };
      const body = uploadForm('audio', product.recording(), fields);
      return product.call({ method: 'post', path: '/api/interviews/recordings', body }, people[0]?.token);
    });
    expect(answers.get(201)).toHaveLength(uploadsPerMinute);
    expect(answers.get(429)).toHaveLength(uploadsPerMinute);
  });

  it('for password attempts', async () => {
    const email = people[1]?.email;
    const answers = await statusesOf(attempts * 3, () =>
      product.call({ method: 'post', path: '/api/auth/login', body: { email, password: 'not this one' } }),
    );
    expect(answers.get(401)).toHaveLength(attempts);
    expect(answers.get(429)).toHaveLength(attempts * 2);
  });

  // Per address, including attempts by other tests.
  it('for join code attempts', async () => {
    const answers = await statusesOf(attempts * 25, (number) =>
      fetch(`${product.stack.url}/api/groups/join`, {
        method: 'POST',
        headers: { authorization: `Bearer ${people[2]?.token}`, 'content-type': 'application/json' },
        body: JSON.stringify({ code: `WRONG-${number}` }),
      }),
    );
    const refused = answers.get(429)?.length ?? 0;
    expect((answers.get(400)?.length ?? 0) + refused).toBe(attempts * 25);
    expect(refused).toBeGreaterThanOrEqual(attempts * 15);
  });
});
