import { createFaultProxy } from '@interview-prep/kit/testing/fault-proxy';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import { trusted } from 'mongoose';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createObjectStore } from '../src/object-store.ts';
import type { Recording } from '../src/recordings/model.ts';
import { assessStage } from '../src/stages/assess-stage.ts';
import { prepareMediaStage } from '../src/stages/prepare-media-stage.ts';
import { runStage, type StageHandler } from '../src/stages/run-stage.ts';
import { startSweeper, sweep } from '../src/stages/sweep.ts';
import { transcribeStage } from '../src/stages/transcribe-stage.ts';
import { chatReply, failure, json, startOpenAiServer } from './engines/openai-test-server.ts';
import { type RecordingUnderTest, startRecording, upload } from './setup/recording-under-test.ts';
import { spoken, tone } from './setup/spoken.ts';
import { ended, stageDeps, startWorker } from './setup/worker-under-test.ts';

// Three pauses between tries, and speech to recognise.
vi.setConfig({ testTimeout: 300_000 });

let service: RecordingUnderTest;
let candidate: TestUser;
let answer: Buffer;

beforeAll(async () => {
  service = await startRecording();
  candidate = await service.identity.user('others');
  answer = await spoken('A closure is a function that keeps the variables of its scope.');
});
afterAll(() => service.close());

async function uploaded(kind: 'interview' | 'practice' = 'interview'): Promise<string> {
  const { setId } = await service.addSet({ kind });
  const { status, body } = await upload(service.server, candidate, answer, { setId }, kind);
  expect(status).toBe(201);
  return body.recording._id;
}

const speechAt = (url: string) => ({ SPEECH_ENGINE: 'openai', SPEECH_URL: url });
const transcript = json({ text: 'a function that keeps the variables of its scope' });

describe('a speech server', () => {
  it('that fails three times and then works only causes a delay', async () => {
    await using server = await startOpenAiServer(
      failure(500),
      failure(429, { 'retry-after': '1' }),
      failure(503),
      transcript,
    );
    const stop = await startWorker(service, speechAt(server.url));
    const recording = await ended(service, await uploaded());
    expect(server.requests).toHaveLength(4);
    expect(recording.transcription).toMatchObject({ status: 'completed', engine: 'openai whisper-1' });
    expect(recording).toMatchObject({ assessment: { status: 'completed' }, run: 1 });
    await stop();
  });

  it('that refuses is asked once, and its reason is shown', async () => {
    await using server = await startOpenAiServer(failure(401));
    const stop = await startWorker(service, speechAt(server.url));
    const recording = await ended(service, await uploaded());
    expect(server.requests).toHaveLength(1);
    expect(recording).toMatchObject({ stage: 'transcription', stageStatus: 'failed' });
    expect(recording.transcription).toMatchObject({
      status: 'failed',
      error: expect.stringMatching(/speech server.*key/),
    });
    expect(recording.assessment.status).toBe('failed');
    await stop();
  });

  it('that never works fails the recording after its last try', async () => {
    await using server = await startOpenAiServer(failure(500));
    const id = await uploaded('practice');
    const deps = await stageDeps(service, speechAt(server.url));
    await service.models.recordings.updateOne({ _id: id }, { $set: { awaiting: 'transcription' } });

    const context = { log: service.backing.log, signal: new AbortController().signal };
    const job = { recordingId: id, run: 1 };
    const attempt = (number: number) =>
      runStage(
        'transcription',
        job,
        { ...context, attempt: number, lastAttempt: number === 5 },
        transcribeStage(deps),
        deps,
      );
    await expect(attempt(4)).rejects.toThrow(/speech server/i);
    expect(await service.models.recordings.findById(id)).toMatchObject({
      awaiting: 'transcription',
      stageStatus: 'pending',
    });
    await expect(attempt(5)).rejects.toThrow(/speech server/i);
    const recording = await ended(service, id);
    expect(recording).toMatchObject({ stageStatus: 'failed', transcription: { status: 'failed' } });
    // A job that is late finds nothing to do.
    await attempt(1);
    expect((await ended(service, id)).revision).toBe(recording.revision);
  });
});

/** A try of a job; the last of them leaves nothing to the queue. */
const attempt = (lastAttempt: boolean) => ({
  log: service.backing.log,
  signal: new AbortController().signal,
  attempt: 1,
  lastAttempt,
});

describe('a judging server', () => {
  /** An answer that is transcribed, and what judges it: the server with prices. */
  async function transcribed(url: string) {
    const id = await uploaded();
    const text = 'a function that keeps the variables of the scope it was made in';
    await service.models.recordings.updateOne(
      { _id: id },
      { $set: { awaiting: 'assessment', 'transcription.status': 'completed', 'transcription.text': text } },
    );
    const prices = { ASSESS_PRICE_IN: '0.5', ASSESS_PRICE_OUT: '2' };
    const settings = { ASSESS_ENGINE: 'openai', ASSESS_URL: url, ASSESS_MODEL: 'judge', ...prices };
    const deps = await stageDeps(service, settings);
    const job = { recordingId: id, run: 1 };
    return {
      judge: (isLast: boolean) => runStage('assessment', job, attempt(isLast), assessStage(deps), deps),
      recording: () => service.models.recordings.findById(id).orFail().lean<Recording>(),
    };
  }

  it('that fails is asked again, and after the last try the built-in judge scores the answer and says so', async () => {
    await using server = await startOpenAiServer(failure(500));
    const { judge, recording } = await transcribed(server.url);
    await expect(judge(false)).rejects.toThrow(/assessment server/);
    expect(await recording()).toMatchObject({ awaiting: 'assessment', assessment: { status: 'pending' } });
    await judge(true);
    expect(server.requests).toHaveLength(2);
    const { awaiting, stageStatus, correctnessPercentage, assessment } = await recording();
    expect({ awaiting, stageStatus }).toEqual({ awaiting: undefined, stageStatus: 'completed' });
    expect(assessment).toMatchObject({
      status: 'completed',
      engine: 'reference',
      reason: expect.stringMatching(/^The assessment server .*\. The reference engine judged the answer instead\.$/),
    });
    expect(assessment).not.toHaveProperty('usage');
    expect(assessment.points?.reduce((sum, { credit = 0 }) => sum + credit, 0)).toBe(correctnessPercentage);
    expect(correctnessPercentage).toBeGreaterThan(60);
  });

  it('leaves its tokens and their cost with the verdict', async () => {
    const state = { number: 1, state: 'covered', evidence: 'a function', reason: 'Said.' };
    const usage = { prompt_tokens: 1000, completion_tokens: 200, total_tokens: 1200 };
    await using server = await startOpenAiServer(chatReply(JSON.stringify({ points: [state] }), usage));
    const { judge, recording } = await transcribed(server.url);
    await judge(false);
    expect((await recording()).assessment).toMatchObject({
      engine: 'openai judge',
      usage: { promptTokens: 1000, completionTokens: 200, costUsd: 0.0009 },
    });
  });
});

describe('an outage is waited out:', () => {
  // What is left waiting is nothing for the workers of other tests.
  afterEach(async () => {
    await service.models.recordings.updateMany({}, { $unset: { awaiting: 1 } });
  });
  const resting = (id: string) => service.models.recordings.findById(id).orFail().lean<Recording>();

  it('of a speech server for hours, and then the recording fails with a reason', async () => {
    const server = await startOpenAiServer(transcript);
    await server[Symbol.asyncDispose]();
    const id = await uploaded('practice');
    const deps = await stageDeps(service, speechAt(server.url));
    await service.models.recordings.updateOne({ _id: id }, { $set: { awaiting: 'transcription' } });
    const job = { recordingId: id, run: 1 };
    const work = transcribeStage(deps);
    const endPause = () =>
      service.models.recordings.updateOne(
        { _id: id, outage: trusted({ $ne: null }) },
        { $set: { 'outage.nextTryAt': new Date(0) } },
      );
    const probed = async () => {
      await expect(runStage('transcription', job, attempt(false), work, deps)).rejects.toThrow();
      return resting(id);
    };
    const tried = async () => {
      await endPause();
      return probed();
    };

    let before = 0;
    for (const tries of [1, 2, 3]) {
      const recording = await tried();
      expect(recording).toMatchObject({ awaiting: 'transcription', stageStatus: 'pending', interruptions: 0 });
      expect(recording.outage).toMatchObject({ what: 'engine', tries });
      const pauseMs = Number(recording.outage?.nextTryAt) - recording.updatedAt.getTime();
      expect(pauseMs).toBeGreaterThan(before * 1.5);
      before = pauseMs;
    }
    // An attempt within the pause is a probe: neither the pause nor the number of tries grows.
    const { outage } = await resting(id);
    expect((await probed()).outage).toEqual(outage);

    // Meanwhile the sweeper leaves it alone.
    await service.jobs.queue('transcription').drain(true);
    await sweep(service, 0);
    expect(await service.jobs.queue('transcription').getJob(`${id}-1`)).toBeUndefined();
    await endPause();
    await sweep(service, 0);
    expect(await service.jobs.queue('transcription').getJob(`${id}-1`)).toBeDefined();

    await service.models.recordings.updateOne({ _id: id }, { $set: { 'outage.tries': 179 } });
    const late = await tried();
    expect(late).toMatchObject({ stageStatus: 'pending', outage: { tries: 180 } });
    expect(Number(late.outage?.nextTryAt) - late.updatedAt.getTime()).toBeLessThanOrEqual(2 * 60_000);
    expect(await tried()).toMatchObject({
      stageStatus: 'failed',
      outage: null,
      transcription: { status: 'failed', error: 'The speech server cannot be reached.' },
    });
  });

  it('of a speech server that comes back only causes a delay', async () => {
    const server = await startOpenAiServer(transcript);
    await server[Symbol.asyncDispose]();
    const id = await uploaded();
    const deps = await stageDeps(service, speechAt(server.url));
    await service.models.recordings.updateOne({ _id: id }, { $set: { awaiting: 'transcription' } });
    const job = { recordingId: id, run: 1 };
    const tried = runStage('transcription', job, attempt(true), transcribeStage(deps), deps);
    await expect(tried).rejects.toThrow('The speech server cannot be reached.');

    await using back = await startOpenAiServer(transcript);
    const stopWorker = await startWorker(service, speechAt(back.url));
    const stopSweeper = startSweeper({ ...service, log: service.backing.log }, { everyMs: 200, unchangedMs: 200 });
    expect(await ended(service, id)).toMatchObject({
      stageStatus: 'completed',
      outage: null,
      run: 1,
      transcription: { status: 'completed', engine: 'openai whisper-1' },
    });
    await stopSweeper();
    await stopWorker();
  });

  it('of the object store, however often it occurs', async () => {
    const link = await createFaultProxy(service.storeSettings.S3_ENDPOINT ?? '');
    const store = createObjectStore({ ...service.storeSettings, S3_ENDPOINT: link.url } as never);
    const id = await uploaded('practice');
    const deps = { ...(await stageDeps(service)), store };
    const tried = () => runStage('media', { recordingId: id, run: 1 }, attempt(true), prepareMediaStage(deps), deps);
    link.cut();
    for (let times = 0; times < 40; times += 1) {
      await expect(tried()).rejects.toThrow(/right now/);
      await service.models.recordings.updateOne({ _id: id }, { $set: { 'outage.nextTryAt': new Date(0) } });
    }
    expect(await resting(id)).toMatchObject({
      awaiting: 'media',
      stageStatus: 'pending',
      interruptions: 0,
      outage: { what: 'data', tries: 40 },
    });
    link.mend();
    await tried();
    expect(await resting(id)).toMatchObject({ awaiting: 'transcription', stageStatus: 'completed', outage: null });
    await link.close();
  });

  it('of the object store, and what waits has ended 15 s after it works again, however long the pauses have grown', async () => {
    const link = await createFaultProxy(service.storeSettings.S3_ENDPOINT ?? '');
    const store = createObjectStore({ ...service.storeSettings, S3_ENDPOINT: link.url } as never);
    const { setId } = await service.addSet({ kind: 'practice' });
    const uploads = await Promise.all(
      [440, 550].map(async (hertz) => upload(service.server, candidate, await tone(hertz), { setId }, 'practice')),
    );
    const ids: string[] = uploads.map(({ body }) => body.recording._id);
    link.cut();
    const stopWorker = await startWorker(service, {}, { store });
    const stopSweeper = startSweeper({ ...service, log: service.backing.log });
    onTestFinished(async () => {
      await Promise.all([stopSweeper(), stopWorker(), link.close()]);
    });
    for (const id of ids) await expect.poll(async () => (await resting(id)).outage?.what).toBe('data');
    const nextTryAt = new Date(Date.now() + 2 * 60_000);
    await service.models.recordings.updateMany(
      { _id: trusted({ $in: ids }) },
      { $set: { 'outage.nextTryAt': nextTryAt } },
    );

    link.mend();
    const mendedAt = performance.now();
    for (const id of ids) expect((await ended(service, id)).transcription.status).toBe('completed');
    expect(performance.now() - mendedAt).toBeLessThan(15_000);
  });

  it('is not what a store means that refuses a recording for good', async () => {
    const id = await uploaded('practice');
    const deps = await stageDeps(service);
    await using server = await startOpenAiServer((response) =>
      response.writeHead(400).end('<Error><Code>EntityTooLarge</Code></Error>'),
    );
    const store = createObjectStore({ ...service.storeSettings, S3_ENDPOINT: server.url } as never);
    const refused = { ...deps, store };
    const tried = runStage('media', { recordingId: id, run: 1 }, attempt(false), prepareMediaStage(refused), refused);
    const error = 'The server has no way to store or fetch this recording.';
    await expect(tried).rejects.toThrow(error);
    expect(await ended(service, id)).toMatchObject({ stageStatus: 'failed', outage: null, transcription: { error } });
  });

  it('of a bucket that is gone', async () => {
    const id = await uploaded('practice');
    const deps = await stageDeps(service);
    const S3_BUCKET = `${service.storeSettings.S3_BUCKET}-gone`;
    const gone = { ...deps, store: createObjectStore({ ...service.storeSettings, S3_BUCKET } as never) };
    const tried = runStage('media', { recordingId: id, run: 1 }, attempt(true), prepareMediaStage(gone), gone);
    await expect(tried).rejects.toThrow(/right now/);
    expect(await resting(id)).toMatchObject({ awaiting: 'media', stageStatus: 'pending', outage: { what: 'data' } });
  });

  it('of the object store in the middle of a recording', async () => {
    const id = await uploaded('practice');
    const deps = await stageDeps(service);
    await using server = await startOpenAiServer((response) => {
      response.writeHead(200, { 'content-length': answer.length });
      response.write(answer.subarray(0, 1000), () => response.destroy());
    });
    const store = createObjectStore({ ...service.storeSettings, S3_ENDPOINT: server.url } as never);
    const broken = { ...deps, store };
    const tried = runStage('media', { recordingId: id, run: 1 }, attempt(true), prepareMediaStage(broken), broken);
    await expect(tried).rejects.toThrow('could not be fetched');
    expect(await resting(id)).toMatchObject({ awaiting: 'media', stageStatus: 'pending', outage: { what: 'data' } });
  });
});

it('Redis emptied with jobs waiting loses nothing', async () => {
  const ids = await Promise.all([uploaded(), uploaded(), uploaded('practice')]);
  const { redis, settings, log } = service.backing;
  const keys = await redis.keys(`${settings.REDIS_PREFIX}:*`);
  expect(keys.length).toBeGreaterThan(0);
  await redis.del(keys);
  await service.denylist.markComplete();
  expect(await service.jobs.queue('media').getJobCountByTypes('waiting')).toBe(0);

  const stopWorker = await startWorker(service);
  const stopSweeper = startSweeper({ ...service, log }, { everyMs: 200, unchangedMs: 200 });
  for (const id of ids) expect((await ended(service, id)).transcription.status).toBe('completed');
  await stopSweeper();
  await stopWorker();
});

describe('a worker', () => {
  const done = (text: string): Awaited<ReturnType<StageHandler>> => ({
    fields: { transcription: { status: 'completed', text, completedAt: new Date() } },
    status: 'completed',
    next: null,
  });
  const context = () => ({
    log: service.backing.log,
    signal: new AbortController().signal,
    attempt: 1,
    lastAttempt: false,
  });

  it('that lost its lease changes nothing', async () => {
    const id = await uploaded('practice');
    const deps = await stageDeps(service);
    const job = { recordingId: id, run: 1 };
    let finishLate = () => {};
    const late = new Promise<void>((resolve) => {
      finishLate = resolve;
    });
    let begun = () => {};
    const taken = new Promise<void>((resolve) => {
      begun = resolve;
    });
    const zombie = runStage(
      'media',
      job,
      context(),
      async () => {
        begun();
        await late;
        return done('of the zombie');
      },
      deps,
    );
    await taken;
    await runStage('media', job, context(), async () => done('of the living'), deps);
    const before = await ended(service, id);
    finishLate();
    await zombie;
    const after = await ended(service, id);
    expect(after.transcription.text).toBe('of the living');
    expect(after.revision).toBe(before.revision);
  });

  it('that is stopped gives the recording back, and the attempt does not count', async () => {
    await using server = await startOpenAiServer(() => {});
    const id = await uploaded();
    const stop = await startWorker(service, speechAt(server.url));
    await expect.poll(() => server.requests.length, { timeout: 200_000 }).toBe(1);
    await stop();
    expect(await service.models.recordings.findById(id)).toMatchObject({
      awaiting: 'transcription',
      stageStatus: 'pending',
    });
    const job = await service.jobs.queue('transcription').getJob(`${id}-1`);
    expect(job?.attemptsMade).toBe(0);
    const stopNext = await startWorker(service);
    expect((await ended(service, id)).transcription.status).toBe('completed');
    await stopNext();
  });

  it('that a recording kills again and again fails it in the end', async () => {
    const id = await uploaded('practice');
    await service.models.recordings.updateOne({ _id: id }, { $set: { interruptions: 30 } });
    const deps = await stageDeps(service);
    const never: StageHandler = async () => done('never');
    await expect(runStage('media', { recordingId: id, run: 1 }, context(), never, deps)).rejects.toThrow(/too often/);
    expect(await ended(service, id)).toMatchObject({
      stageStatus: 'failed',
      transcription: { status: 'failed', error: 'Processing was interrupted too often' },
    });
  });
});
