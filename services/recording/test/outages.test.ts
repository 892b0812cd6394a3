import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { createFaultProxy } from '@interview-prep/kit/testing/fault-proxy';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import { trusted } from 'mongoose';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { createObjectStore } from '../src/object-store/object-store.ts';
import type { Recording } from '../src/recordings/model.ts';
import { prepareMediaStage } from '../src/stages/prepare-media-stage.ts';
import { runStage } from '../src/stages/run-stage.ts';
import { startSweeper, sweep } from '../src/stages/sweep.ts';
import { transcribeStage } from '../src/stages/transcribe-stage.ts';
import { json, startOpenAiServer } from './engines/openai-test-server.ts';
import { type RecordingUnderTest, sendAnswer, startRecording } from './setup/recording-under-test.ts';
import { spoken, tone } from './setup/spoken.ts';
import { ended, jobContext, stageDeps, startWorker } from './setup/worker-under-test.ts';

// Outages involve pauses.
vi.setConfig({ testTimeout: 300_000 });

let service: RecordingUnderTest;
let candidate: TestUser;
let answer: Buffer;

beforeAll(async () => {
  service = await startRecording();
  candidate = await service.identity.user('others');
  answer = await spoken('A closure is a function.');
});
afterAll(() => service.close());

function uploaded(kind?: SessionKind, file = answer): Promise<string> {
  return sendAnswer(service, candidate, file, kind);
}

const speechAt = (url: string) => ({ SPEECH_ENGINE: 'openai', SPEECH_URL: url });
const transcript = json({ text: 'a function that keeps the variables of its scope' });
function sweeperDeps() {
  const { redisAdministrator: redis, settings, log } = service.backing;
  return { ...service, redis, prefix: settings.REDIS_PREFIX, log };
}
const lastAttempt = () => jobContext(service, { lastAttempt: true });

describe('processing waits out an outage:', () => {
  // Leave no waiting jobs for other tests' workers.
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
      await expect(runStage('transcription', job, jobContext(service), work, deps)).rejects.toThrow();
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
    // An attempt within the pause is only a probe: neither the pause nor the number of attempts grows.
    const { outage } = await resting(id);
    expect((await probed()).outage).toEqual(outage);

    // The sweeper ignores it until then.
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

  it('of a speech server that recovers, which only causes a delay', async () => {
    const server = await startOpenAiServer(transcript);
    await server[Symbol.asyncDispose]();
    const id = await uploaded();
    const deps = await stageDeps(service, speechAt(server.url));
    await service.models.recordings.updateOne({ _id: id }, { $set: { awaiting: 'transcription' } });
    const job = { recordingId: id, run: 1 };
    const tried = runStage('transcription', job, lastAttempt(), transcribeStage(deps), deps);
    await expect(tried).rejects.toThrow('The speech server cannot be reached.');

    await using back = await startOpenAiServer(transcript);
    const stopWorker = await startWorker(service, speechAt(back.url));
    const stopSweeper = startSweeper(sweeperDeps(), { everyMs: 200, unchangedMs: 200 });
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
    const tried = () => runStage('media', { recordingId: id, run: 1 }, lastAttempt(), prepareMediaStage(deps), deps);
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

  it('of the object store, and waiting work finishes once it recovers, however long the pauses have grown', async () => {
    const link = await createFaultProxy(service.storeSettings.S3_ENDPOINT ?? '');
    const store = createObjectStore({ ...service.storeSettings, S3_ENDPOINT: link.url } as never);
    const ids = await Promise.all([440, 550].map(async (hertz) => uploaded('practice', await tone(hertz))));
    link.cut();
    const stopWorker = await startWorker(service, {}, { store });
    const stopSweeper = startSweeper(sweeperDeps(), { everyMs: 200, probeEveryMs: 200 });
    onTestFinished(async () => {
      await Promise.all([stopSweeper(), stopWorker(), link.close()]);
    });
    for (const id of ids) await expect.poll(async () => (await resting(id)).outage?.what).toBe('data');
    const nextTryAt = new Date(Date.now() + 60 * 60_000);
    await service.models.recordings.updateMany(
      { _id: trusted({ $in: ids }) },
      { $set: { 'outage.nextTryAt': nextTryAt } },
    );

    link.mend();
    for (const id of ids) expect((await ended(service, id)).transcription.status).toBe('completed');
  });

  it("but not a store's permanent refusal of a recording", async () => {
    const id = await uploaded('practice');
    const deps = await stageDeps(service);
    await using server = await startOpenAiServer((response) =>
      response.writeHead(400).end('<Error><Code>EntityTooLarge</Code></Error>'),
    );
    const store = createObjectStore({ ...service.storeSettings, S3_ENDPOINT: server.url } as never);
    const refused = { ...deps, store };
    const tried = runStage(
      'media',
      { recordingId: id, run: 1 },
      jobContext(service),
      prepareMediaStage(refused),
      refused,
    );
    const error = 'The server has no way to store or fetch this recording.';
    await expect(tried).rejects.toThrow(error);
    expect(await ended(service, id)).toMatchObject({ stageStatus: 'failed', outage: null, transcription: { error } });
  });

  it('of a deleted bucket', async () => {
    const id = await uploaded('practice');
    const deps = await stageDeps(service);
    const S3_BUCKET = `${service.storeSettings.S3_BUCKET}-gone`;
    const gone = { ...deps, store: createObjectStore({ ...service.storeSettings, S3_BUCKET } as never) };
    const tried = runStage('media', { recordingId: id, run: 1 }, lastAttempt(), prepareMediaStage(gone), gone);
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
    const tried = runStage('media', { recordingId: id, run: 1 }, lastAttempt(), prepareMediaStage(broken), broken);
    await expect(tried).rejects.toThrow('could not be fetched');
    expect(await resting(id)).toMatchObject({ awaiting: 'media', stageStatus: 'pending', outage: { what: 'data' } });
  });
});

it('emptying Redis while jobs wait loses nothing', async () => {
  const file = await tone(440);
  const kinds = ['interview', 'interview', 'practice'] as const;
  const ids = await Promise.all(kinds.map((kind) => uploaded(kind, file)));
  const { redisAdministrator, settings } = service.backing;
  const keys = await redisAdministrator.keys(`${settings.REDIS_PREFIX}:*`);
  expect(keys.length).toBeGreaterThan(0);
  await redisAdministrator.del(keys);
  await service.denylist.restore([]);
  expect(await service.jobs.queue('media').getJobCountByTypes('waiting')).toBe(0);

  const stopWorker = await startWorker(service);
  const stopSweeper = startSweeper(sweeperDeps(), { everyMs: 200, unchangedMs: 200 });
  for (const id of ids) expect((await ended(service, id)).transcription.status).toBe('completed');
  await stopSweeper();
  await stopWorker();
});
