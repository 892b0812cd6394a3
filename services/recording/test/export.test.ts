import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import request, { type Response } from 'supertest';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { createAccountDataSource } from '../src/export/account-data-source.ts';
import { cookiesOf, type RecordingUnderTest, startRecording, upload } from './setup/recording-under-test.ts';
import { tone } from './setup/spoken.ts';
import { accountOf } from './setup/stand-in-auth.ts';

let service: RecordingUnderTest;
let owner: TestUser;
let answer: Buffer;

beforeAll(async () => {
  service = await startRecording();
  owner = await service.identity.user('others');
  answer = await tone(440);
});
afterAll(() => service.close());

const ask = (user: TestUser, body: object = {}) =>
  request(service.server).post('/api/recordings/export').set('Authorization', user.authorization).send(body);

/** Downloads like a browser: with a response's link and cookie. @returns the zip file's files by path */
async function unpack(allowed: Response): Promise<Map<string, Buffer>> {
  const { port } = service.server.address() as AddressInfo;
  const response = await fetch(`http://127.0.0.1:${port}${allowed.body.url}`, {
    headers: { cookie: cookiesOf(allowed) },
  });
  expect(response.status).toBe(200);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/zip',
    'content-disposition': expect.stringMatching(/^attachment; filename="interview-data-[\d-]+\.zip"$/),
    'cache-control': 'no-store',
  });
  const zip = await fromBufferPromise(Buffer.from(await response.arrayBuffer()));
  const files = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    files.set(entry.fileName, await buffer(await zip.openReadStreamPromise(entry)));
  }
  return files;
}

test("the zip file has the user's media, transcripts, verdicts and pages, and no one else's", async () => {
  const { setId } = await service.addSet({ title: 'Closures <b>& scope</b>' });
  const sessionId = randomUUID();
  await upload(service.server, owner, answer, { setId, sessionId });
  await upload(service.server, owner, await tone(500), { setId, sessionId, questionId: '1' });
  await upload(service.server, await service.identity.user('dev'), answer, { setId });
  const words = [
    { word: 'It', startMs: 0, endMs: 200, confidence: null },
    { word: 'keeps', startMs: 210, endMs: 500, confidence: 0.9 },
    { word: '<script>', startMs: 3_661_000, endMs: 3_662_000, confidence: null },
  ];
  await service.models.recordings.updateOne(
    { sessionId, questionId: 0 },
    {
      $set: {
        transcription: { status: 'completed', text: 'It keeps <script>', words, completedAt: new Date() },
        correctnessPercentage: 80,
        assessment: { status: 'completed', points: [{ text: 'Scope', covered: true, evidence: 'It keeps' }] },
      },
    },
  );
  const files = await unpack(await ask(owner).expect(200));
  const directory = [...files.keys()].find((path) => path.endsWith('/session.json'))?.split('/')[1];
  expect(directory).toMatch(/^\d{4}-\d\d-\d\d-Closures-b-scope-b-[0-9a-f]{8}$/);
  const base = `sessions/${directory}`;
  const ofAnswers = ['question-1-take-1', 'question-2-take-1'].flatMap((name) =>
    ['json', 'txt', 'vtt', 'webm'].map((end) => `${base}/${name}.${end}`),
  );
  expect([...files.keys()].sort()).toEqual(
    [
      'index.html',
      'account/account.json',
      'account/index.html',
      ...ofAnswers,
      `${base}/index.html`,
      `${base}/session.json`,
    ].sort(),
  );

  const read = (path: string) => files.get(path)?.toString();
  expect(files.get(`${base}/question-1-take-1.webm`)?.equals(answer)).toBe(true);
  expect(read(`${base}/question-1-take-1.txt`)).toBe('It keeps <script>\n');
  expect(read(`${base}/question-1-take-1.vtt`)).toBe(
    'WEBVTT\n\n00:00:00.000 --> 00:00:00.500\nIt keeps\n\n01:01:01.000 --> 01:01:02.000\n&lt;script&gt;\n',
  );
  expect(JSON.parse(read(`${base}/question-1-take-1.json`) ?? '')).toMatchObject({ correctnessPercentage: 80 });
  const page = read(`${base}/index.html`);
  expect(page).toContain('<audio controls preload="none" src="question-1-take-1.webm">');
  expect(page).toContain('It keeps &lt;script&gt;');
  expect(page).toContain('80%');
  expect(page).not.toMatch(/<script>|<b>/);
  expect(read('index.html')).toContain(`<a href="${base}/index.html">`);
});

test('the zip file has the account: profile, sign-ins, factors and events, as returned by auth', async () => {
  const files = await unpack(await ask(owner).expect(200));
  const read = (path: string) => files.get(path)?.toString() ?? '';
  expect(JSON.parse(read('account/account.json'))).toEqual(accountOf(owner.id));
  const page = read('account/index.html');
  for (const text of ['ada@example.com', 'password; authenticator app, with 9 recovery codes left', '203.0.113.7']) {
    expect(page).toContain(text);
  }
  expect(page).toContain('<td>Firefox &lt;b&gt; on Linux</td>');
  expect(page).toContain('<td>2026-11-20 10:15 UTC</td><td>sign-in</td><td>success</td>');
  expect(read('index.html')).toContain('<a href="account/index.html">');
  expect(read('index.html')).toContain('ada@example.com');
});

test('while auth is down, an export is refused rather than created without the account', async () => {
  const nowhere = 'http://127.0.0.1:1/jwks.json';
  const { redis, settings } = service.backing;
  const accountData = createAccountDataSource(nowhere, redis, settings.REDIS_PREFIX);
  const server = await service.listen({ accountData, exportLimits: [] });
  const { body } = await request(server)
    .post('/api/recordings/export')
    .set('Authorization', owner.authorization)
    .expect(503);
  expect(body.message).toBe('Your data cannot be put together right now. Please try again.');
});

test('missing media is left out, and the rest is included', async () => {
  const user = await service.identity.user('others');
  const { setId } = await service.addSet();
  const sessionId = randomUUID();
  await upload(service.server, user, answer, { setId, sessionId });
  await service.store.removeAll(`recordings/${sessionId}/`);
  const files = await unpack(await ask(user).expect(200));
  const names = [...files.keys()];
  expect(names.filter((name) => name.endsWith('.webm'))).toEqual([]);
  expect(names.filter((name) => name.endsWith('.json'))).toHaveLength(3);
});

test('media deleted by retention is left out, and the page says after how many days', async () => {
  const user = await service.identity.user('others');
  const { setId } = await service.addSet();
  await upload(service.server, user, answer, { setId });
  const mediaDeletion = { at: new Date().toISOString(), afterDays: 30 };
  await service.models.recordings.updateOne({ userId: user.id }, { $set: { mediaDeletion } });
  const files = await unpack(await ask(user).expect(200));
  const read = (ending: string) =>
    [...files].find(([path]) => path.startsWith('sessions/') && path.endsWith(ending))?.[1];
  expect(read('.webm')).toBeUndefined();
  expect(String(read('index.html'))).toContain(
    'This recording was deleted after 30 days. Its transcript and scores are kept.',
  );
  expect(JSON.parse(String(read('question-1-take-1.json')))).toMatchObject({ mediaDeletion });
});

test("only admins can request another user's export, and a link is bound to one user", async () => {
  const [admin, stranger] = await Promise.all([service.identity.user('admin'), service.identity.user('dev')]);
  await ask(stranger, { userId: owner.id }).expect(403);
  await request(service.server).post('/api/recordings/export').expect(401);
  const allowed = await ask(admin, { userId: owner.id }).expect(200);
  expect((await unpack(allowed)).size).toBeGreaterThan(1);
  const get = (path: string, cookie: string) => request(service.server).get(path).set('Cookie', cookie);
  const { url } = allowed.body;
  await get(url.replace(owner.id, stranger.id), cookiesOf(allowed)).expect(403);
  await request(service.server).get(url).expect(401);
  await get(url, '__Host-export=x').expect(401);
  await get(`${url}?token=${cookiesOf(allowed).replace(/^.*?=/, '')}`, '').expect(401);
  // A media link has the same secret, but is another kind of token.
  const mediaToken = service.mediaTokens
    .urlOf(owner.id, await service.identity.verify(owner.authorization.slice('Bearer '.length)))
    .replace(/.*token=/, '');
  await get(url, `__Host-export=${mediaToken}`).expect(401);
});

test("an admin whose sign-in is not fresh cannot export other users' data, and gets auth's step-up response", async () => {
  const auth = createServer((_req, res) =>
    res.writeHead(403).end(JSON.stringify({ code: 'step_up_required', message: "Confirm it's you." })),
  );
  await new Promise<void>((resolve) => auth.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void auth.close());
  const url = `http://127.0.0.1:${(auth.address() as AddressInfo).port}/jwks.json`;
  const { redis, settings } = service.backing;
  const accountData = createAccountDataSource(url, redis, settings.REDIS_PREFIX);
  const server = await service.listen({ accountData, exportLimits: [] });
  const admin = await service.identity.user('admin');
  const refused = await request(server)
    .post('/api/recordings/export')
    .set('Authorization', admin.authorization)
    .send({ userId: owner.id })
    .expect(403);
  expect(refused.body).toMatchObject({ code: 'step_up_required', message: "Confirm it's you." });
  expect(refused.headers).not.toHaveProperty('set-cookie');
});

test('the download cookie is limited to TLS, this host and one minute, and is hidden from scripts', async () => {
  const { body, headers } = await ask(await service.identity.user('others')).expect(200);
  expect(headers['set-cookie']).toEqual([
    expect.stringMatching(
      /^__Host-export=[\w.-]+; Max-Age=60; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/,
    ),
  ]);
  expect(body.url).toMatch(/^\/api\/recordings\/export\/[\da-f]{24}$/);
});

test('a link ends with the sign-in that requested it', async () => {
  const user = await service.identity.user('others');
  const allowed = await ask(user).expect(200);
  const cookie = cookiesOf(allowed);
  await request(service.server).head(allowed.body.url).set('Cookie', cookie).expect(200);
  const { jti } = await service.identity.verify(user.token);
  await service.denylist.revokeSignIn({ jti }, 60_000);
  const { body } = await request(service.server).get(allowed.body.url).set('Cookie', cookie).expect(401);
  expect(body.message).toBe('This link has expired. Request a new link.');
});

test('the number of exports per user and hour is limited', async () => {
  const user = await service.identity.user('others');
  for (let n = 0; n < 3; n += 1) await ask(user).expect(200);
  const { body, headers } = await ask(user).expect(429);
  expect(body.message).toMatch(
    /^You have asked for many downloads in a short time\. Please try again in \d+ minutes\.$/,
  );
  expect(Number(headers['retry-after'])).toBeGreaterThan(3000);
  await ask(await service.identity.user('others')).expect(200);
});
