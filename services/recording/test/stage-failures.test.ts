import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { referenceEngineName } from '../src/engines/reference/reference-assessor.ts';
import type { Recording } from '../src/recordings/model.ts';
import { assessStage } from '../src/stages/assess-stage.ts';
import { runStage, type StageHandler } from '../src/stages/run-stage.ts';
import { transcribeStage } from '../src/stages/transcribe-stage.ts';
import { chatReply, failure, json, startOpenAiServer } from './engines/openai-test-server.ts';
import { type RecordingUnderTest, sendAnswer, startRecording } from './setup/recording-under-test.ts';
import { spoken } from './setup/spoken.ts';
import { ended, jobContext, stageDeps, startWorker } from './setup/worker-under-test.ts';

// Speech recognition.
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

function uploaded(kind?: SessionKind): Promise<string> {
  return sendAnswer(service, candidate, answer, kind);
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
    const id = await uploaded();
    const queue = service.allJobs.queue('transcription');
    for (const pauseMs of [3000, 6000, 12_000]) {
      const pauses = async () => (await queue.getDelayed()).map(({ delay }) => delay);
      await expect.poll(pauses, { timeout: 100_000 }).toEqual([pauseMs]);
      await queue.promoteJobs();
    }
    const recording = await ended(service, id);
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

  it('that never works makes the recording fail after the last attempt', async () => {
    await using server = await startOpenAiServer(failure(500));
    const id = await uploaded('practice');
    const deps = await stageDeps(service, speechAt(server.url));
    await service.models.recordings.updateOne({ _id: id }, { $set: { awaiting: 'transcription' } });

    const work = transcribeStage(deps);
    const job = { recordingId: id, run: 1 };
    const attempt = (number: number) => {
      const context = jobContext(service, { attempt: number, lastAttempt: number === 5 });
      return runStage('transcription', job, context, work, deps);
    };
    await expect(attempt(4)).rejects.toThrow(/speech server/i);
    expect(await service.models.recordings.findById(id)).toMatchObject({
      awaiting: 'transcription',
      stageStatus: 'pending',
    });
    await expect(attempt(5)).rejects.toThrow(/speech server/i);
    const recording = await ended(service, id);
    expect(recording).toMatchObject({ stageStatus: 'failed', transcription: { status: 'failed' } });
    // A late job finds nothing to do.
    await attempt(1);
    expect((await ended(service, id)).revision).toBe(recording.revision);
  });
});

it('an answer that is hardly audible is not judged, and the measurement says why', async () => {
  await using server = await startOpenAiServer(transcript);
  const stop = await startWorker(service, speechAt(server.url));
  const quiet = await spoken('A closure is a function that keeps the variables of its scope.', 'volume=-45dB');
  const recording = await ended(service, await sendAnswer(service, candidate, quiet));
  expect(recording.delivery?.sound).toMatchObject({ problem: 'quiet', tooPoor: true });
  expect(recording).toMatchObject({ stageStatus: 'unscored', isCorrect: null, correctnessPercentage: null });
  expect(recording.assessment).toMatchObject({
    status: 'unscored',
    reason: expect.stringMatching(/^We could not hear this well enough: the voice is at −\d\d dB/),
  });
  await stop();
});

describe('a judging server', () => {
  /** A transcribed answer, and a function that judges it with a server that has prices. */
  async function transcribed(url: string) {
    const id = await uploaded();
    const text = 'a function that keeps the variables of the scope it was made in';
    await service.models.recordings.updateOne(
      { _id: id },
      { $set: { awaiting: 'assessment', 'transcription.status': 'completed', 'transcription.text': text } },
    );
    const prices = { ASSESS_PRICES: '0.5/2' };
    const settings = { ASSESS_ENGINE: 'openai', ASSESS_URL: url, ASSESS_MODEL: 'judge', ...prices };
    const deps = await stageDeps(service, settings);
    const job = { recordingId: id, run: 1 };
    return {
      judge: (lastAttempt: boolean) =>
        runStage('assessment', job, jobContext(service, { lastAttempt }), assessStage(deps), deps),
      recording: () => service.models.recordings.findById(id).orFail().lean<Recording>(),
    };
  }

  it('that fails is retried, and after the last attempt the built-in judge scores the answer and says so', async () => {
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
      engine: referenceEngineName,
      reason: expect.stringMatching(/^The assessment server .*\. The reference engine judged the answer instead\.$/),
    });
    expect(assessment).not.toHaveProperty('usage');
    expect(assessment.points?.reduce((sum, { credit = 0 }) => sum + credit, 0)).toBe(correctnessPercentage);
    expect(correctnessPercentage).toBeGreaterThan(60);
  });

  it('reports its tokens and cost with the verdict', async () => {
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

describe('a worker', () => {
  const done = (text: string): Awaited<ReturnType<StageHandler>> => ({
    fields: { transcription: { status: 'completed', text, completedAt: new Date() } },
    status: 'completed',
    next: null,
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
      jobContext(service),
      async () => {
        begun();
        await late;
        return done('of the zombie');
      },
      deps,
    );
    await taken;
    await runStage('media', job, jobContext(service), async () => done('of the living'), deps);
    const before = await ended(service, id);
    finishLate();
    await zombie;
    const after = await ended(service, id);
    expect(after.transcription.text).toBe('of the living');
    expect(after.revision).toBe(before.revision);
  });

  it('that is stopped releases the recording, and the attempt does not count', async () => {
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
    await using next = await startOpenAiServer(transcript);
    const stopNext = await startWorker(service, speechAt(next.url));
    expect((await ended(service, id)).transcription.status).toBe('completed');
    await stopNext();
  });

  it('that a recording keeps killing makes the recording fail in the end', async () => {
    const id = await uploaded('practice');
    await service.models.recordings.updateOne({ _id: id }, { $set: { interruptions: 30 } });
    const deps = await stageDeps(service);
    const never: StageHandler = async () => done('never');
    await expect(runStage('media', { recordingId: id, run: 1 }, jobContext(service), never, deps)).rejects.toThrow(
      /too often/,
    );
    expect(await ended(service, id)).toMatchObject({
      stageStatus: 'failed',
      transcription: { status: 'failed', error: 'Processing was interrupted too often' },
    });
  });
});
