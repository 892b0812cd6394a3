import { connectWorker } from '@interview-prep/kit/redis/redis';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import { Types } from 'mongoose';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Assessor } from '../src/engines/assessor.ts';
import { createAssessor, parseEngineSettings } from '../src/engines/registry.ts';
import { consumeTrials } from '../src/trials/consume-trials.ts';
import { createTrialQueue } from '../src/trials/trial-queue.ts';
import { addAnswer, addSession } from './setup/add-answer.ts';
import { type RecordingUnderTest, startRecording } from './setup/recording-under-test.ts';

let service: RecordingUnderTest;
let assessor: Assessor;
let admin: TestUser;
let candidate: TestUser;

beforeAll(async () => {
  service = await startRecording();
  assessor = await createAssessor(parseEngineSettings({}));
  [admin, candidate] = await Promise.all([service.identity.user('admin'), service.identity.user('others')]);
});
afterAll(async () => {
  assessor.close?.();
  await service.close();
});

const question = 'What is a closure?';
const points = [
  { text: 'A closure is a function that keeps the variables of the scope it was made in.', weight: 3 },
  { text: 'Captured variables use memory for as long as the closure is reachable.', weight: 1 },
];
const said = 'a closure is a function that keeps the variables of the scope it was made in';
const path = '/api/recordings/trials';

/** Starts trials with the worker's own Redis account. @returns a function that stops them */
async function startTrials(judge: Assessor): Promise<() => Promise<void>> {
  const { settings, log, redisUrlOf, redisAs } = service.backing;
  const connection = connectWorker(redisUrlOf('worker'), log);
  const worker = consumeTrials(
    {
      models: service.models,
      assessor: judge,
      redis: await redisAs('worker'),
      prefix: settings.REDIS_PREFIX,
      log,
    },
    { connection, lockMs: 5000 },
  );
  return async () => {
    await worker.close();
    connection.disconnect();
  };
}
async function withTrials(judge: Assessor = assessor): Promise<void> {
  onTestFinished(await startTrials(judge));
}

/** The app with a shorter timeout. */
function impatient() {
  const { jobs, backing } = service;
  const trials = createTrialQueue({ jobs, redis: backing.redis, prefix: backing.settings.REDIS_PREFIX, waitMs: 600 });
  return service.listen({ trials });
}
const post = (to: string, body: object, user = admin, server = service.server) =>
  request(server).post(to).set('Authorization', user.authorization).send(body);

/** The queue's keys in Redis, except BullMQ's own bookkeeping. */
async function left(): Promise<string[]> {
  const keys = await service.backing.redisAdministrator.keys(`${service.backing.settings.REDIS_PREFIX}:trials:*`);
  return keys.filter((key) => /:outcome:|:[\da-f]{8}-[\da-f-]{27}(?::|$)/.test(key));
}
async function answered(text: string, questions = [question], setId = new Types.ObjectId().toHexString()) {
  const session = await addSession(service, candidate, { questions, setId });
  const words = text
    .split(' ')
    .map((word, at) => ({ word, startMs: at * 500, endMs: at * 500 + 400, confidence: 0.9 }));
  const recording = await addAnswer(service, session, {
    transcription: { status: 'completed', text, words, completedAt: new Date() },
    correctnessPercentage: 75,
    assessment: { status: 'completed' },
  });
  return { id: recording._id.toHexString(), setId };
}

describe('a trial', () => {
  it('judges a typed answer by unsaved points, and leaves nothing in Redis', async () => {
    await withTrials();
    const { status, body } = await post(path, { question, points, answer: said });
    expect(status).toBe(200);
    expect(body.points.map(({ text }: { text: string }) => text)).toEqual(points.map(({ text }) => text));
    expect(body.points).toMatchObject([{ state: 'covered', weight: 75 }, { weight: 25 }]);
    expect(body.points[0].evidence).toContain('keeps the variables');
    expect(body.correctnessPercentage).toBe(body.points[0].credit + body.points[1].credit);
    expect(body).not.toHaveProperty('expertAnswer');
    await expect.poll(left).toEqual([]);
  });

  it('judges the transcript of a recording, with the times of its words', async () => {
    await withTrials();
    const { id } = await answered(said);
    const { status, body } = await post(path, { question, points, recordingId: id });
    expect(status).toBe(200);
    expect(body.points[0]).toMatchObject({ state: 'covered', startMs: expect.any(Number), endMs: expect.any(Number) });
    const { assessment } = await service.models.recordings.findById(id).orFail().lean();
    expect(assessment.points).toBeUndefined();
  });

  it('rejects a recording that does not exist, or has no transcript', async () => {
    const missing = await post(path, { question, points, recordingId: new Types.ObjectId().toHexString() });
    expect(missing.status).toBe(404);
    const session = await addSession(service, candidate);
    const pending = await addAnswer(service, session, {
      transcription: { status: 'pending', text: '', completedAt: null },
      assessment: { status: 'pending' },
    });
    const { status, body } = await post(path, { question, points, recordingId: pending._id.toHexString() });
    expect([status, body.message]).toEqual([404, 'This recording has no transcript']);
  });

  it.each<[string, object]>([
    ['no answer', {}],
    ['a blank answer', { answer: ' ' }],
    ['an answer that is too long', { answer: 'x'.repeat(5001) }],
    ['an answer and a recording', { answer: 'x', recordingId: '0123456789abcdef01234567' }],
    ['no points', { answer: 'x', points: [] }],
    ['a weight of zero', { answer: 'x', points: [{ text: 'So.', weight: 0 }] }],
  ])('rejects %s', async (_name, changes) => {
    expect((await post(path, { question, points, ...changes })).status).toBe(400);
  });

  it('is only for admins', async () => {
    for (const to of [path, `${path}/question-check`, `${path}/earlier-answers`]) {
      expect(
        (await post(to, { question, points, answer: said, setId: '0123456789abcdef01234567' }, candidate)).status,
      ).toBe(403);
      expect((await request(service.server).post(to).send({})).status).toBe(401);
    }
  });

  it('is refused if there is no worker, and not judged later', async () => {
    const server = await impatient();
    const { status, body, headers } = await post(path, { question, points, answer: said }, admin, server);
    expect(status).toBe(503);
    expect(headers['retry-after']).toMatch(/^\d+$/);
    expect(body).toMatchObject({ code: 'unavailable', message: expect.stringContaining('in time') });
    expect(await service.allJobs.queue('trials').getJobCounts('waiting', 'active', 'delayed', 'failed')).toEqual({
      waiting: 0,
      active: 0,
      delayed: 0,
      failed: 0,
    });
    expect(await left()).toEqual([]);
  });

  it('is aborted when the request is canceled', async () => {
    let reason: unknown;
    const slow: Assessor = {
      ...assessor,
      assess: ({ signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => {
            reason = signal.reason;
            reject(signal.reason);
          });
        }),
    };
    await withTrials(slow);
    expect((await post(path, { question, points, answer: said }, admin, await impatient())).status).toBe(503);
    await expect.poll(() => (reason as Error | undefined)?.name).toBe('TimeoutError');
    await expect.poll(left).toEqual([]);
  });

  it('reports a failed judge immediately', async () => {
    await withTrials({ ...assessor, assess: () => Promise.reject(new Error('a bug at 10.0.0.1')) });
    const { status, body } = await post(path, { question, points, answer: said });
    expect([status, body.message]).toEqual([503, 'The judge could not score this answer. Please try again.']);
  });

  it('is limited per admin', async () => {
    const busy = await service.identity.user('admin');
    const invalid = { question, points: [], answer: said };
    for (let count = 0; count < 30; count++) expect((await post(path, invalid, busy)).status).toBe(400);
    const { status, headers } = await post(path, invalid, busy);
    expect([status, headers['retry-after']]).toEqual([429, expect.stringMatching(/^\d+$/)]);
    expect((await post(path, { question, points: [], answer: said })).status).toBe(400);
  });
});

it.each([
  ['A closure keeps the variables of its scope alive. What does it cost?', true],
  ['How does a garbage collector find what to free?', false],
])('finds the points that the question gives away: %s', async (asked, inQuestion) => {
  await withTrials();
  const point = { text: 'A closure keeps the variables of its scope alive.' };
  const { status, body } = await post(`${path}/question-check`, { question: asked, points: [point] });
  expect([status, body]).toEqual([200, { inQuestion: [inQuestion] }]);
});

describe('earlier answers', () => {
  it('are the newest to the same question of the set that have a transcript', async () => {
    const { id, setId } = await answered(`${said} and that is all`, ['Warm up?', `2. ${question.toUpperCase()}`]);
    await service.models.recordings.updateOne({ _id: id }, { questionId: 1 });
    const newer = await answered('it keeps variables', [question], setId);
    // Answers to another question, of another set, and without words.
    await answered('something else', ['What is hoisting?'], setId);
    await answered(said);
    const silent = await addSession(service, candidate, { questions: [question], setId });
    await addAnswer(service, silent, {
      transcription: { status: 'completed', text: '', completedAt: new Date() },
      assessment: { status: 'completed' },
    });
    const { status, body } = await post(`${path}/earlier-answers`, { setId, question });
    expect(status).toBe(200);
    expect(body.answers).toEqual([
      {
        recordingId: newer.id,
        createdAt: expect.any(String),
        correctnessPercentage: 75,
        firstWords: 'it keeps variables',
      },
      {
        recordingId: id,
        createdAt: expect.any(String),
        correctnessPercentage: 75,
        firstWords: 'a closure is a function that keeps the variables of the scope…',
      },
    ]);
  });

  it('are empty if no one has answered', async () => {
    const { body } = await post(`${path}/earlier-answers`, { setId: '0123456789abcdef01234567', question });
    expect(body).toEqual({ answers: [] });
  });
});
