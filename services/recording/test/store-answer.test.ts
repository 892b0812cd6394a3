import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { request as httpRequest, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { connectMongo } from '@interview-prep/kit/mongo/mongo';
import { createJobProducer } from '@interview-prep/kit/redis/job-queues';
import { connectProducer } from '@interview-prep/kit/redis/redis';
import { createFaultProxy } from '@interview-prep/kit/testing/fault-proxy';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recordingModels } from '../src/models.ts';
import { createObjectStore } from '../src/object-store/object-store.ts';
import { createRecordingOutbox } from '../src/recordings/recording-outbox.ts';
import { applySet } from '../src/sets/apply-set.ts';
import { sweep } from '../src/stages/sweep.ts';
import { type RecordingUnderTest, setOf, startRecording, upload } from './setup/recording-under-test.ts';
import { tone } from './setup/spoken.ts';

let service: RecordingUnderTest;
let candidate: TestUser;
let answer: Buffer;
let otherAnswer: Buffer;

beforeAll(async () => {
  service = await startRecording();
  candidate = await service.identity.user('others');
  [answer, otherAnswer] = await Promise.all([tone(440), tone(550)]);
});
afterAll(() => service.close());

const spooled = () => readdir(join(service.spoolDir, 'recording-uploads'));
const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString();

it('an upload for a set whose event has not been applied gets 503, and is accepted once it has', async () => {
  const set = setOf();
  await service.jobs.add('recording', 'set-changed', set);
  const early = await upload(service.server, candidate, answer, { setId: set.setId });
  expect([early.status, early.headers['retry-after']]).toEqual([503, '2']);
  expect(early.body.message).toBe('This set is not ready for answers yet. Please try again.');
  await applySet(set, service.models);
  await service.allJobs.queue('recording').drain();
  expect((await upload(service.server, candidate, answer, { setId: set.setId })).status).toBe(201);
  expect((await upload(service.server, candidate, answer, { setId: setOf().setId })).status).toBe(404);
});

describe('repeating the same upload', () => {
  it('returns 200 with the existing recording', async () => {
    const parts = { setId: (await service.addSet()).setId, sessionId: randomUUID() };
    const first = await upload(service.server, candidate, answer, parts);
    const again = await upload(service.server, candidate, answer, {
      ...parts,
      sessionId: parts.sessionId.toUpperCase(),
    });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body.recording._id).toBe(first.body.recording._id);
    const elsewhere = await upload(service.server, candidate, answer, { ...parts, questionId: '1' });
    expect(elsewhere.status).toBe(201);
  });

  it('ten times concurrently creates one recording of one session', async () => {
    const parts = { setId: (await service.addSet()).setId, sessionId: randomUUID() };
    const responses = await Promise.all(
      Array.from({ length: 10 }, () => upload(service.server, candidate, answer, parts)),
    );
    expect(responses.map(({ status }) => status).sort()).toEqual([...Array(9).fill(200), 201]);
    expect(new Set(responses.map(({ body }) => body.recording._id)).size).toBe(1);
    expect(await service.models.recordings.countDocuments({ sessionId: parts.sessionId })).toBe(1);
    expect(await service.models.sessions.countDocuments({ sessionId: parts.sessionId })).toBe(1);
  });
});

it('another answer to the same question is the next take, also with several at once', async () => {
  const parts = { setId: (await service.addSet()).setId, sessionId: randomUUID() };
  const answers = await Promise.all([600, 700, 800, 900].map((hertz) => tone(hertz)));
  const responses = await Promise.all(answers.map((each) => upload(service.server, candidate, each, parts)));
  expect(responses.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
  expect(responses.map(({ body }) => body.recording.take).sort()).toEqual([1, 2, 3, 4]);
});

it('only one of two users gets a session that both start concurrently', async () => {
  const { setId } = await service.addSet();
  const sessionId = randomUUID();
  const users = await Promise.all([service.identity.user('others'), service.identity.user('others')]);
  const responses = await Promise.all(users.map((user) => upload(service.server, user, answer, { setId, sessionId })));
  expect(responses.map(({ status }) => status).sort()).toEqual([201, 403]);
});

describe('a set', () => {
  it('deleted during an interview still accepts the remaining answers', async () => {
    const set = await service.addSet();
    const parts = { setId: set.setId, sessionId: randomUUID() };
    expect((await upload(service.server, candidate, answer, parts)).status).toBe(201);
    await service.addSet({ ...set, questions: ['Only one is left'], revision: 2, deletedAt: daysAgo(2) });
    const second = await upload(service.server, candidate, otherAnswer, { ...parts, questionId: '1' });
    expect(second.status).toBe(201);
    const session = await service.models.sessions.findOne({ sessionId: parts.sessionId }).orFail();
    expect([...session.questions]).toEqual(set.questions);
  });

  it('that was deleted accepts a first answer for a day', async () => {
    const lately = await service.addSet({ deletedAt: daysAgo(0.9) });
    expect((await upload(service.server, candidate, answer, lately)).status).toBe(201);
    const longAgo = await service.addSet({ deletedAt: daysAgo(1.1) });
    expect((await upload(service.server, candidate, answer, longAgo)).status).toBe(404);
  });

  it('created a moment ago is waited for', async () => {
    const server = await service.listen({ setPatienceMs: 10_000 });
    const set = setOf();
    const sent = upload(server, candidate, answer, set).then((response) => response);
    await expect.poll(spooled).not.toEqual([]);
    await applySet(set, service.models);
    expect((await sent).status).toBe(201);
  });
});

it('a truncated upload leaves nothing behind', async () => {
  const { setId } = await service.addSet();
  const sessionId = randomUUID();
  const { port } = service.server.address() as AddressInfo;
  const sending = httpRequest({
    port,
    host: '127.0.0.1',
    method: 'POST',
    path: '/api/interviews/recordings',
    headers: {
      authorization: candidate.authorization,
      'content-type': 'multipart/form-data; boundary=edge',
      'content-length': 5_000_000,
    },
  });
  const broken = once(sending, 'error');
  const field = (name: string, value: string) =>
    `--edge\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
  sending.write(field('sessionId', sessionId) + field('interviewSetId', setId) + field('questionId', '0'));
  sending.write('--edge\r\nContent-Disposition: form-data; name="audio"; filename="a.webm"\r\n\r\n');
  sending.write(answer);
  await expect.poll(spooled).toHaveLength(1);
  sending.destroy(new Error('the browser was closed'));
  await broken;
  await expect.poll(spooled).toEqual([]);
  expect(await service.models.sessions.countDocuments({ sessionId })).toBe(0);
});

describe('during an outage, an upload', () => {
  it('gets 503 without the object store, and succeeds when it is back', async () => {
    const link = await createFaultProxy(service.storeSettings.S3_ENDPOINT ?? '');
    const settings = { ...service.storeSettings, S3_ENDPOINT: link.url };
    const server = await service.listen({ store: createObjectStore(settings as never) });
    const parts = { setId: (await service.addSet()).setId, sessionId: randomUUID() };
    link.cut();
    const response = await upload(server, candidate, answer, parts);
    expect(response.status).toBe(503);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expect(response.body).toMatchObject({ code: 'unavailable', message: expect.stringMatching(/try again/) });
    expect(JSON.stringify(response.body)).not.toMatch(/127\.0\.0\.1|ECONN|fetch failed/);
    expect(await service.models.recordings.countDocuments({ sessionId: parts.sessionId })).toBe(0);
    expect(await spooled()).toEqual([]);
    link.mend();
    expect((await upload(server, candidate, answer, parts)).status).toBe(201);
    await link.close();
  });

  it('gets 503 within ten seconds while the object store or MongoDB hangs, and succeeds when it is back', async () => {
    const s3 = await createFaultProxy(service.storeSettings.S3_ENDPOINT ?? '');
    const settings = { ...service.storeSettings, S3_ENDPOINT: s3.url };
    const withoutStore = await service.listen({ store: createObjectStore(settings as never) });
    const database = await createFaultProxy(service.backing.settings.MONGODB_URI);
    const MONGODB_URI = database.url;
    const mongo = await connectMongo({ ...service.backing.settings, MONGODB_URI }, 'recording', service.backing.log);
    const withoutMongo = await service.listen({ models: recordingModels(mongo) });
    const { setId } = await service.addSet();
    const send = (server: Server) => upload(server, candidate, answer, { setId });
    expect((await Promise.all([withoutStore, withoutMongo].map(send))).map(({ status }) => status)).toEqual([201, 201]);

    s3.freeze();
    database.freeze();
    const startedAt = performance.now();
    for (const { status, headers } of await Promise.all([withoutStore, withoutMongo].map(send))) {
      expect([status, headers['retry-after']]).toEqual([503, '2']);
    }
    expect(performance.now() - startedAt).toBeLessThan(10_000);
    s3.mend();
    database.mend();
    for (const server of [withoutStore, withoutMongo]) {
      await expect.poll(async () => (await send(server)).status, { timeout: 15_000 }).toBe(201);
    }
    await mongo.close();
    await Promise.all([s3.close(), database.close()]);
  });

  it('gets 503 without MongoDB, and succeeds when it is back', async () => {
    const link = await createFaultProxy(service.backing.settings.MONGODB_URI);
    const direct = new URL(link.url);
    direct.searchParams.set('directConnection', 'true');
    const MONGODB_URI = direct.toString();
    const mongo = await connectMongo({ ...service.backing.settings, MONGODB_URI }, 'recording', service.backing.log);
    const server = await service.listen({ models: recordingModels(mongo) });
    const parts = { setId: (await service.addSet()).setId, sessionId: randomUUID() };
    link.cut();
    const response = await upload(server, candidate, answer, parts);
    expect(response.status).toBe(503);
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    expect(await spooled()).toEqual([]);
    link.mend();
    await expect
      .poll(async () => (await upload(server, candidate, answer, parts)).status, { timeout: 15_000 })
      .toBe(201);
    await mongo.close();
    await link.close();
  });

  it('is stored without Redis, and queued when it is back', async () => {
    const link = await createFaultProxy(service.backing.settings.REDIS_URL);
    const { log, settings } = service.backing;
    const redis = await connectProducer(link.url, log);
    const prefix = settings.REDIS_PREFIX;
    const jobs = createJobProducer(redis, prefix);
    // Use it once first, as in a process that has been running for a while.
    await jobs.queue('media').getJobCounts();
    const outbox = createRecordingOutbox({ models: service.models, jobs, redis, prefix, log, sweeps: false });
    const server = await service.listen({ jobs, outbox });
    const { setId } = await service.addSet();
    link.cut();
    const response = await upload(server, candidate, answer, { setId });
    expect(response.status).toBe(201);
    const id = response.body.recording._id;
    expect(await service.jobs.queue('media').getJob(`${id}-1`)).toBeUndefined();
    expect(await service.models.recordings.findById(id)).toMatchObject({ awaiting: 'media', unpublished: true });

    await sweep(service, 0);
    expect(await service.jobs.queue('media').getJob(`${id}-1`)).toBeDefined();
    await jobs.close();
    redis.disconnect();
    await link.close();
  });
});
