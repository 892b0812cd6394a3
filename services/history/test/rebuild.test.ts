import type { JobPayload } from '@interview-prep/contracts/events/jobs';
import { buildIndexes } from '@interview-prep/kit/mongo/mongo';
import { createJobProducer, type JobProducer } from '@interview-prep/kit/redis/job-queues';
import { connectWorker } from '@interview-prep/kit/redis/redis';
import { createTestBacking, type TestBacking } from '@interview-prep/kit/testing/backing';
import { createTestIdentity, type TestUser } from '@interview-prep/kit/testing/identity';
import { createMediaCookie, createMediaTokens } from '@interview-prep/kit/tokens/media-tokens';
import { createTokenDenylist } from '@interview-prep/kit/tokens/token-denylist';
import type { Worker } from 'bullmq';
import type { Express } from 'express';
import type { Redis } from 'ioredis';
import { Types } from 'mongoose';
import request from 'supertest';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createApp } from '../src/app.ts';
import { consumeEvents } from '../src/consume-events.ts';
import { type HistoryModels, historyModels } from '../src/projection/model.ts';
import { projectionVersion, startRebuild } from '../src/projection/rebuild.ts';

let backing: TestBacking;
let models: HistoryModels;
let jobs: JobProducer;
let allJobs: JobProducer;
let connection: Redis;
let worker: Worker;
let app: Express;
let candidate: TestUser;
let stopRebuild: () => void;

beforeAll(async () => {
  backing = await createTestBacking('history');
  const { mongo, redis, settings, log } = backing;
  models = historyModels(mongo);
  await buildIndexes(mongo);
  jobs = createJobProducer(redis, settings.REDIS_PREFIX);
  allJobs = createJobProducer(backing.redisAdministrator, settings.REDIS_PREFIX);
  connection = connectWorker(settings.REDIS_URL, log);
  const identity = await createTestIdentity(createTokenDenylist(backing.redisAdministrator, settings.REDIS_PREFIX));
  const secret = 'a secret for the tests of thirty-two characters';
  const mediaTokens = createMediaTokens(secret);
  const mediaCookie = createMediaCookie(secret, 'https://prep.example.com');
  app = createApp({ log, models, mediaTokens, mediaCookie, visibility: 'own', verify: identity.verify, checks: {} });
  candidate = await identity.user('others');
});
beforeEach(async () => {
  const { groups: _groups, ...collections } = models;
  for (const model of Object.values(collections as object)) await model.deleteMany({});
  await allJobs.queue('recording').obliterate({ force: true });
  const { redis, settings, log } = backing;
  worker = consumeEvents({ models, connection, redis, prefix: settings.REDIS_PREFIX, log });
  stopRebuild = () => {};
});
afterEach(async () => {
  stopRebuild();
  await worker.close();
});
afterAll(async () => {
  await Promise.all([jobs.close(), allJobs.close()]);
  connection.disconnect();
  await backing.close();
});

const entryId = new Types.ObjectId('665000000000000000000001');
const at = '2026-11-20T10:00:00.000Z';

/** A recording's snapshot as published and stored by release 0.1.0. */
const snapshot = (recordingId: string, questionId: number) =>
  ({
    recordingId,
    questionId,
    take: 1,
    createdAt: at,
    mediaType: 'audio/webm',
    durationMs: 4000,
    peaks: [0.5],
    stage: 'assessment',
    stageStatus: 'completed',
    isCorrect: true,
    correctnessPercentage: 80,
    revision: 7,
    transcription: {
      status: 'completed',
      text: 'a function',
      completedAt: at,
      engine: 'pocketsphinx',
      words: [{ word: 'a', startMs: 0, endMs: 100, confidence: 0.9 }],
    },
    chatGPTResponse: 'A function with its scope.',
    assessment: {
      status: 'completed',
      engine: 'reference',
      points: [{ text: 'A function with its scope.', covered: true, evidence: 'a function' }],
    },
  }) as const;
const snapshots = [snapshot('665000000000000000000010', 0), snapshot('665000000000000000000011', 1)] as const;
const head = {
  kind: 'interview',
  sessionId: 'a0000000-0000-4000-8000-000000000000',
  setId: '665000000000000000000099',
  title: 'Closures',
  technology: 'JavaScript',
  questions: ['1. What is a closure?', 'Question 2: Why?'],
  expertAnswers: ['A function with its scope.', ''],
  revision: 1,
} as const;

/** Stores a session with two answers as release 0.1.0 did. */
async function storeAsFirstRelease() {
  await models.sessions.collection.insertOne({
    ...head,
    _id: entryId,
    listKind: 'interview',
    userId: candidate.id,
    createdAt: new Date(at),
    user: { email: candidate.email, role: 'others', lastLogin: null },
    answeredCount: 2,
    pendingCount: 0,
    averageCorrectness: 80,
    countsRevision: 14,
  } as never);
  await models.recordings.collection.insertMany(
    snapshots.map(({ recordingId, questionId, take, revision }, index) => ({
      _id: new Types.ObjectId(recordingId),
      entryId,
      questionId,
      take,
      revision,
      snapshot: snapshots[index],
    })) as never[],
  );
  await models.totals.collection.insertOne({
    _id: `interview ${candidate.id} JavaScript`,
    listKind: 'interview',
    userId: candidate.id,
    email: candidate.email,
    technology: 'JavaScript',
    count: 1,
    latest: new Date(at),
  } as never);
}

/** The event of one of the two, as republished by recording. */
const eventOf = (index: 0 | 1, title = 'Closures'): JobPayload<'history', 'recording-changed'> => ({
  session: {
    ...head,
    title,
    questions: [...head.questions],
    expertAnswers: [...head.expertAnswers],
    entryId: entryId.toHexString(),
    userId: candidate.id,
    createdAt: at,
    user: { email: candidate.email, role: 'others', lastLogin: null },
  },
  recording: structuredClone(snapshots[index]) as never,
});

const get = (path: string) => request(app).get(path).set('Authorization', candidate.authorization).expect(200);
async function start(everyMs?: number) {
  stopRebuild = await startRebuild({ models, jobs, log: backing.log }, everyMs === undefined ? {} : { everyMs });
}
const requests = async () =>
  (await allJobs.queue('recording').getJobs(['waiting'])).map(({ name, data }) => ({ name, data }));
const builtVersion = async () => (await models.projections.findOne().lean())?.version;

test('data written by release 0.1.0 is shown unchanged', async () => {
  await storeAsFirstRelease();
  const { body: detail } = await get(`/api/interviews/${entryId.toHexString()}`);
  expect(detail).toMatchObject({
    title: 'Closures',
    questions: ['What is a closure?', 'Why?'],
    recordings: snapshots.map(({ recordingId, stage, stageStatus, revision, ...shown }) => ({
      ...shown,
      _id: recordingId,
    })),
  });
  const { body: list } = await get('/api/interviews/history');
  expect(list).toMatchObject({ total: 1, recordings: [{ answeredCount: 2, averageCorrectness: 80 }] });
});

test('an entry without optional fields is shown without them', async () => {
  await storeAsFirstRelease();
  const { peaks, transcription, ...rest } = snapshots[0];
  const older = { ...rest, transcription: { status: 'pending', text: '', completedAt: null } };
  await models.recordings.collection.updateMany({ questionId: 0 }, { $set: { snapshot: older } });
  await models.sessions.collection.updateMany({}, { $unset: { user: 1, expertAnswers: 1 } });
  const { body } = await get(`/api/interviews/${entryId.toHexString()}`);
  expect(body.userDetails).toEqual({ email: null, role: null, lastLogin: null });
  expect(body.recordings[0]).not.toHaveProperty('peaks');
});

test('an outdated projection is rebuilt from events of the same revision, and shown during the rebuild', async () => {
  await storeAsFirstRelease();
  await start();
  expect(await requests()).toEqual([{ name: 'republish', data: { since: null } }]);
  expect((await get(`/api/interviews/${entryId.toHexString()}`)).body.title).toBe('Closures');

  // The session's changes show that the event was applied again.
  await jobs.add('history', 'recording-changed', eventOf(0, 'Closures and scopes'));
  await jobs.add('history', 'republished', { published: 2 });
  await expect
    .poll(async () => (await get('/api/interviews/history')).body.recordings[0].title)
    .toBe('Closures and scopes');
  expect(await builtVersion()).toBeUndefined();

  await jobs.add('history', 'recording-changed', eventOf(1, 'Closures and scopes'));
  await expect.poll(builtVersion).toBe(projectionVersion);
  const [session] = await models.sessions.find().lean();
  expect(session).toMatchObject({ answeredCount: 2, averageCorrectness: 80, projectionVersion });
  expect(await models.recordings.countDocuments({ projectionVersion })).toBe(2);
  expect((await get('/api/interviews/history')).body.total).toBe(1);
});

test('the request for events is repeated until the projection is built', async () => {
  await start(50);
  await allJobs.queue('recording').obliterate({ force: true });
  await expect.poll(async () => (await requests()).length).toBe(1);
  await jobs.add('history', 'republished', { published: 0 });
  await expect.poll(builtVersion).toBe(projectionVersion);
  await new Promise((resolve) => setTimeout(resolve, 100));
  await allJobs.queue('recording').obliterate({ force: true });
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(await requests()).toEqual([]);
});

test('what an older process writes after the projection is built is requested again', async () => {
  await start(300);
  await jobs.add('history', 'republished', { published: 0 });
  await expect.poll(builtVersion).toBe(projectionVersion);
  await allJobs.queue('recording').obliterate({ force: true });
  await storeAsFirstRelease();
  await expect.poll(requests).toEqual([{ name: 'republish', data: { since: expect.any(String) } }]);
});

test('a built projection requests nothing, even if it is empty', async () => {
  await models.projections.create({ _id: 'history', version: projectionVersion });
  await start();
  expect(await requests()).toEqual([]);
});

test('a projection built by a newer release is rejected', async () => {
  await models.projections.create({ _id: 'history', version: projectionVersion + 1 });
  await expect(start()).rejects.toThrow(
    `The history projection is at version ${projectionVersion + 1}, but this release knows versions up to ${projectionVersion}.`,
  );
});
