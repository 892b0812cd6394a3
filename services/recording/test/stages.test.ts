import { randomUUID } from 'node:crypto';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import { RecordingSnapshot } from '@interview-prep/contracts/events/snapshots';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { referenceEngineName } from '../src/engines/reference/reference-assessor.ts';
import { probeMedia } from '../src/media/probe-media.ts';
import type { Session } from '../src/sessions/model.ts';
import { assessStage } from '../src/stages/assess-stage.ts';
import { interviewAnswers } from './engines/interview-answers.ts';
import { temporaryFolder, wordAccuracy } from './engines/spoken-answer.ts';
import { type RecordingUnderTest, startRecording, upload } from './setup/recording-under-test.ts';
import { padded, silence, spoken, tone } from './setup/spoken.ts';
import { ended, stageDeps, startWorker } from './setup/worker-under-test.ts';

// Speech recognition is slow if many tests share the machine.
vi.setConfig({ testTimeout: 300_000 });

let service: RecordingUnderTest;
let stopWorker: () => Promise<void>;
let candidate: TestUser;
let claims: TokenClaims;
let goodAnswer: Buffer;

const { question, expertAnswer, good, wrong } = interviewAnswers[2]!;

beforeAll(async () => {
  service = await startRecording();
  stopWorker = await startWorker(service);
  candidate = await service.identity.user('others');
  claims = await service.identity.verify(candidate.token);
  goodAnswer = await spoken(good);
});
afterAll(async () => {
  await stopWorker();
  // Every job has cleaned up after itself.
  expect(await readdir(join(service.spoolDir, 'recording-work'))).toEqual([]);
  expect(await readdir(join(service.spoolDir, 'recording-wavs'))).toEqual([]);
  await service.close();
});

/** Uploads an answer to a question. @returns the recording in its final state */
async function processed(file: Buffer, expert: string, kind: SessionKind = 'interview', asked = question) {
  const { setId } = await service.addSet({ kind, questions: [asked], expertAnswers: [expert], lengthHintSeconds: 60 });
  const { status, body } = await upload(service.server, candidate, file, { setId }, kind);
  expect(status).toBe(201);
  return ended(service, body.recording._id);
}

describe('an answer in an interview', () => {
  it('is made seekable, transcribed and judged, and history gets each result', async () => {
    const recording = await processed(goodAnswer, expertAnswer);
    expect(recording.transcription).toMatchObject({ status: 'completed', engine: 'whisper base-q8_0' });
    expect(wordAccuracy(good, recording.transcription.text)).toBeGreaterThanOrEqual(0.6);
    expect(recording.correctnessPercentage).toBeGreaterThan(60);
    expect(recording).toMatchObject({ isCorrect: expect.any(Boolean), chatGPTResponse: expertAnswer });
    expect(recording.assessment).toMatchObject({ status: 'completed', engine: referenceEngineName });
    const { delivery } = recording;
    expect(delivery).toMatchObject({ omitsFillers: true, sound: { problem: null, tooPoor: false } });
    expect(delivery?.wordsPerMinute).toBeGreaterThan(80);
    expect(delivery?.wordsPerMinute).toBeLessThan(260);
    expect(delivery?.silenceShare).toBeLessThan(0.5);
    expect(delivery?.length?.hintSeconds).toBe(60);
    expect(Math.abs((delivery?.length?.ms ?? 0) - (recording.durationMs ?? 0))).toBeLessThan(500);

    await using folder = await temporaryFolder();
    const path = join(folder.path, 'played.webm');
    const played = await request(service.server).get(service.mediaTokens.urlOf(recording._id.toHexString(), claims));
    await writeFile(path, played.body);
    const facts = await probeMedia(path, 'webm', { signal: new AbortController().signal });
    expect(Math.abs((facts.durationMs ?? 0) - (recording.durationMs ?? Number.NaN))).toBeLessThan(200);
    expect(Math.max(...recording.peaks)).toBe(1);

    const jobs = await service.allJobs.queue('history').getJobs(['waiting'], 0, -1, true);
    const published = jobs
      .map(({ data }) => RecordingSnapshot.parse(data.recording))
      .filter(({ recordingId }) => recordingId === recording._id.toHexString())
      .sort((a, b) => a.revision - b.revision);
    expect(published.map(({ stage, stageStatus }) => `${stage} ${stageStatus}`)).toEqual([
      'media pending',
      'media completed',
      'transcription completed',
      'assessment completed',
    ]);
    expect(published.at(-1)).toMatchObject({ revision: recording.revision, isCorrect: true, delivery });
  });

  it('does not fail if parts could not be transcribed, unless the candidate corrected the transcript', async () => {
    const { setId } = await service.addSet({ questions: [question], expertAnswers: [expertAnswer] });
    const { body } = await upload(service.server, candidate, await tone(444), { setId });
    const { _id, session } = await ended(service, body.recording._id);
    const assess = assessStage(await stageDeps(service));
    const judged = async (text: string, correctedAt: Date | null) => {
      const recording = await service.models.recordings.findById(_id).orFail();
      recording.set({
        transcription: { status: 'completed', text, gaps: [{ fromMs: 4000, toMs: 8000 }], correctedAt },
      });
      const work = { recording, session: await service.models.sessions.findById(session).orFail().lean<Session>() };
      const { fields } = await assess({ ...work, signal: new AbortController().signal, isLastAttempt: true });
      return { isCorrect: fields.isCorrect, reason: fields.assessment?.reason };
    };
    const open = { isCorrect: null, reason: 'Part of this answer could not be transcribed.' };
    expect(await judged(wrong, null)).toEqual(open);
    expect(await judged('', null)).toEqual(open);
    expect(await judged(wrong, new Date())).toMatchObject({ isCorrect: false });
    expect(await judged(good, null)).toMatchObject({ isCorrect: true });
  });

  it("is judged by its set's points, not by newly derived ones", async () => {
    const text = 'The answer describes the subject of the question.';
    const expertPoints = [[{ text, weight: 1, acceptedWordings: [good], optional: false }]];
    const { setId } = await service.addSet({ questions: [question], expertAnswers: [expertAnswer], expertPoints });
    const { body } = await upload(service.server, candidate, goodAnswer, { setId });
    const { assessment } = await ended(service, body.recording._id);
    expect(assessment.points?.map((point) => point.text)).toEqual([text]);
  });

  it('that is wrong and truncated is processed as far as it goes, and judged accordingly', async () => {
    const whole = await spoken(wrong);
    const recording = await processed(whole.subarray(0, Math.floor(whole.length / 2)), expertAnswer);
    expect(recording.transcription.status).toBe('completed');
    expect(recording.transcription.text).not.toBe('');
    // Its set's glossary added no words that weren't spoken.
    expect(recording.transcription.text).not.toMatch(/\b(?:joins?|left|inner|match)\b/i);
    expect(recording.assessment.status).toBe('completed');
    expect(recording.correctnessPercentage).toBeLessThan(50);
    expect(recording.isCorrect).toBe(false);
  });

  it.each([
    ['silence', () => silence(3)],
    ['a tone', () => tone(440, 3)],
  ])('that is %s counts as no answer, and no engine is called', async (_name, make) => {
    const recording = await processed(await make(), expertAnswer);
    expect(recording.transcription).toMatchObject({ status: 'completed', text: '', engine: 'silence check' });
    expect(recording).toMatchObject({ isCorrect: false, correctnessPercentage: 0, chatGPTResponse: expertAnswer });
    expect(recording.assessment).toMatchObject({ status: 'completed', reason: 'No answer was heard.' });
  });

  it('that cannot be read fails with a readable reason, at once and again', async () => {
    const head = (await tone(440)).subarray(0, 200);
    const recording = await processed(Buffer.concat([head, Buffer.alloc(3000, 7)]), expertAnswer);
    expect(recording).toMatchObject({ stage: 'media', stageStatus: 'failed', run: 1 });
    expect(recording.transcription).toMatchObject({ status: 'failed', error: expect.stringMatching(/recording/i) });
    expect(recording.assessment).toEqual({ status: 'failed', reason: 'There is no transcription to judge' });

    const id = recording._id.toHexString();
    const again = request(service.server).post(`/api/recordings/${id}/reprocess`);
    expect((await again.set('Authorization', candidate.authorization)).status).toBe(202);
    expect(await ended(service, id)).toMatchObject({ stageStatus: 'failed', run: 2 });
    const played = await request(service.server).get(service.mediaTokens.urlOf(id, claims));
    expect(played.status).toBe(200);
  });

  it('of the maximum size is processed', async () => {
    const recording = await processed(await padded(10 * 1024 * 1024), expertAnswer);
    expect(recording.transcription.status).toBe('completed');
  });
});

it('in a practice session is transcribed and not judged', async () => {
  const recording = await processed(goodAnswer, expertAnswer, 'practice');
  expect(recording).toMatchObject({ stage: 'transcription', stageStatus: 'completed', correctnessPercentage: null });
  expect(wordAccuracy(good, recording.transcription.text)).toBeGreaterThanOrEqual(0.6);
  expect(recording.assessment.status).toBe('unscored');
});

describe('without an expert answer', () => {
  it('the one of a practice set with the same question is used', async () => {
    const asked = `What is ${randomUUID()}?`;
    await service.addSet({ kind: 'practice', questions: [`3. ${asked.toUpperCase()}`], expertAnswers: [expertAnswer] });
    const recording = await processed(goodAnswer, '', 'interview', asked);
    expect(recording).toMatchObject({ isCorrect: expect.any(Boolean), chatGPTResponse: expertAnswer });
  });

  it('an answer stays unscored, and is judged once there is one', async () => {
    const asked = `What is ${randomUUID()}?`;
    const recording = await processed(goodAnswer, '', 'interview', asked);
    expect(recording).toMatchObject({ stageStatus: 'unscored', isCorrect: null, correctnessPercentage: null });
    expect(recording.transcription.status).toBe('completed');
    expect(recording.assessment.reason).toMatch(/no expert answer/);

    await service.addSet({ kind: 'practice', questions: [asked], expertAnswers: [expertAnswer] });
    const id = recording._id.toHexString();
    const again = request(service.server).post(`/api/recordings/${id}/reprocess`);
    expect((await again.set('Authorization', candidate.authorization)).status).toBe(202);
    expect(await ended(service, id)).toMatchObject({ isCorrect: expect.any(Boolean), run: 2 });
  });
});
