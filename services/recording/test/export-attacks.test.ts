import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import request, { type Response } from 'supertest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { cookiesOf, type RecordingUnderTest, startRecording, upload } from './setup/recording-under-test.ts';
import { tone } from './setup/spoken.ts';

let service: RecordingUnderTest;
let answer: Buffer;

beforeAll(async () => {
  service = await startRecording();
  answer = await tone(440);
});
afterAll(() => service.close());

const ask = (user: TestUser, body: object = {}) =>
  request(service.server).post('/api/recordings/export').set('Authorization', user.authorization).send(body);

function download(allowed: Response): Promise<globalThis.Response> {
  const { port } = service.server.address() as AddressInfo;
  return fetch(`http://127.0.0.1:${port}${allowed.body.url}`, { headers: { cookie: cookiesOf(allowed) } });
}

/** All text in a user's export. */
async function exportedText(user: TestUser): Promise<string> {
  const response = await download(await ask(user).expect(200));
  const zip = await fromBufferPromise(Buffer.from(await response.arrayBuffer()));
  const texts: string[] = [];
  for await (const entry of zip.eachEntry()) {
    texts.push(String(await buffer(await zip.openReadStreamPromise(entry))));
  }
  return texts.join('\n');
}

const expertAnswers = ['Expert on closures.', 'Expert on hoisting.', 'Expert on scopes.'];
const questions = ['What is a closure?', 'What is hoisting?', 'What is a scope?'];

test('an export has expert answers only for answered questions', async () => {
  const user = await service.identity.user('others');
  const { setId } = await service.addSet({ questions, expertAnswers });
  await upload(service.server, user, answer, { setId, questionId: '1' }).expect(201);
  const text = await exportedText(user);
  expect(text).toContain(expertAnswers[1]);
  expect(text).not.toContain(expertAnswers[0]);
  expect(text).not.toContain(expertAnswers[2]);
});

test('an export has every answer of a practice set, which practice shows anyway', async () => {
  const user = await service.identity.user('others');
  const { setId } = await service.addSet({ kind: 'practice', questions, expertAnswers });
  await upload(service.server, user, answer, { setId, questionId: '1' }, 'practice').expect(201);
  const text = await exportedText(user);
  for (const expert of expertAnswers) expect(text).toContain(expert);
});

test('a link allows one download, even with two at the same time', async () => {
  const user = await service.identity.user('others');
  const allowed = await ask(user).expect(200);
  const { url } = allowed.body;
  await request(service.server).head(url).set('Cookie', cookiesOf(allowed)).expect(200);
  const get = () => request(service.server).get(url).set('Cookie', cookiesOf(allowed));
  const answers = await Promise.all([get(), get(), get()]);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  for (const { status } of answers) expect([200, 401, 409]).toContain(status);
  await get().expect(401);
  await request(service.server).head(url).set('Cookie', cookiesOf(allowed)).expect(401);
});

test('a user can run one download at a time, and request another once it has ended', async () => {
  const user = await service.identity.user('others');
  const { setId } = await service.addSet();
  const sessionId = randomUUID();
  // More than a connection can buffer: the download stays unfinished until it is read.
  const media = Buffer.concat([answer, Buffer.alloc(9_500_000)]);
  for (const questionId of ['0', '1'])
    await upload(service.server, user, Buffer.concat([media, Buffer.from(questionId)]), {
      setId,
      sessionId,
      questionId,
    }).expect(201);
  const [one, two] = [await ask(user).expect(200), await ask(user).expect(200)];
  const running = await download(one);
  expect(running.status).toBe(200);
  expect((await download(two)).status).toBe(409);
  expect((await ask(user).expect(409)).body.message).toMatch(/still running/);
  // Other users are not blocked.
  await exportedText(await service.identity.user('others'));
  await running.body?.cancel();
  await expect.poll(async () => (await download(two)).status).toBe(200);
});
