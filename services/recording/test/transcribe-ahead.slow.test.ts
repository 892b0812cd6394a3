import { createHash, randomUUID } from 'node:crypto';
import { access, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Word } from '@interview-prep/contracts/recording/recordings';
import { type OwnedLiveStatus, subscribeLiveStatus } from '@interview-prep/kit/redis/live-status';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAheadHandler, measureCutOffs } from '../src/answer-parts/transcribe-ahead.ts';
import { openTranscriber, parseEngineSettings } from '../src/engines/registry.ts';
import type { Transcriber } from '../src/engines/transcriber.ts';
import { extractSound } from '../src/media/prepare-media.ts';
import { createSpeechDetector } from '../src/speech-detector/speech-detector.ts';
import type { StageDeps } from '../src/stages/run-stage.ts';
import { ffmpeg, temporaryFolder, wordAccuracy } from './engines/spoken-answer.ts';
import { type RecordingUnderTest, startRecording, upload } from './setup/recording-under-test.ts';
import { spoken, tone } from './setup/spoken.ts';
import { ended, jobContext, stageDeps, startWorker } from './setup/worker-under-test.ts';

const sentences = [
  'The event loop takes one task after another from its queue. Every task runs to its end before the next one begins.',
  'Promises are handled in a second queue, which is emptied after each task.',
  'So a long computation blocks the page, because nothing else can run in the meantime.',
  'You can split the work into small pieces, or move it to a worker.',
  'A worker has a thread of its own and gets messages from the page. It shares no variables with the page.',
];

/** The sentences with clear pauses between them, as Chromium would record them. */
async function speakWithPauses(): Promise<Buffer> {
  await using folder = await temporaryFolder();
  const path = join(folder.path, 'answer.webm');
  const inputs: string[] = [];
  for (const [at, sentence] of sentences.entries()) {
    const input = join(folder.path, `${at}.webm`);
    await writeFile(input, await spoken(sentence, 'apad=pad_dur=0.9'));
    inputs.push('-i', input);
  }
  const concat = ['-filter_complex', `concat=n=${sentences.length}:v=0:a=1`];
  await ffmpeg(...inputs, ...concat, '-c:a', 'libopus', '-b:a', '64k', '-f', 'webm', '-live', '1', path);
  return await readFile(path);
}

let service: RecordingUnderTest;
let candidate: TestUser;
let answer: Buffer;
let transcriber: Transcriber;
let deps: StageDeps;
beforeAll(async () => {
  service = await startRecording();
  candidate = await service.identity.user('others');
  answer = await speakWithPauses();
  transcriber = await openTranscriber(parseEngineSettings({}), service.backing.log);
  service.onClose(() => transcriber.close?.());
  deps = { ...(await stageDeps(service)), transcriber };
});
afterAll(() => service.close());

/** Sends parts of an answer, starting with the first. */
async function startUpload() {
  const { setId } = await service.addSet();
  const [uploadId, sessionId] = [randomUUID(), randomUUID()];
  const path = `/api/uploads/${uploadId}`;
  const put = (under = '') =>
    request(service.server)
      .put(path + under)
      .set('Authorization', candidate.authorization);
  expect((await put().send({ kind: 'interview', setId, sessionId, questionId: 0 })).status).toBe(200);
  let sent = 0;
  return {
    uploadId,
    sendUntil: async (bytes: number) => {
      const { parts = [] } = (await service.models.uploads.findById(uploadId).lean()) ?? {};
      const part = answer.subarray(sent, bytes);
      sent = bytes;
      const digest = createHash('sha256').update(part).digest('base64');
      const sending = put(`/parts/${parts.length}`).set('Content-Type', 'application/octet-stream');
      expect((await sending.set('Content-Digest', `sha-256=:${digest}:`).send(part)).status).toBe(200);
    },
    complete: async (parts: number) => {
      const sending = request(service.server).post(`${path}/complete`).set('Authorization', candidate.authorization);
      const { status, body } = await sending.send({ parts });
      expect(status).toBe(201);
      return body.recording._id as string;
    },
    stored: () => service.models.uploads.findById(uploadId).orFail().lean(),
    /** Makes it due, as if it was last checked long ago. */
    async makeDue() {
      const wav = deps.wavs.pathOf(uploadId, 'wav');
      await access(wav).then(
        () => utimes(wav, 0, 0),
        () => {},
      );
    },
  };
}

describe('an answer that is still being spoken', () => {
  it('is transcribed up to the last finished window, and only the rest after Stop; the words equal those of the whole', async () => {
    const messages: OwnedLiveStatus[] = [];
    const { redisAs, settings, log } = service.backing;
    const leave = await subscribeLiveStatus(
      await redisAs('recording'),
      settings.REDIS_PREFIX,
      (message) => messages.push(message),
      log,
    );
    const one = await startUpload();
    const transcribe = createAheadHandler(deps);
    const job = { uploadId: one.uploadId };
    const windowsAfter = async (share: number) => {
      await one.sendUntil(Math.floor(answer.length * share));
      await one.makeDue();
      await transcribe(job, jobContext(service));
      return (await one.stored()).heard ?? [];
    };
    expect(await windowsAfter(0.2)).toEqual([]);
    const first = await windowsAfter(0.85);
    expect(first.length).toBeGreaterThan(0);
    const text = expect.stringMatching(/^The event loop/);
    await expect.poll(() => messages).toContainEqual({ userId: candidate.id, uploadId: one.uploadId, text });
    // No other window can have ended yet, so the audio isn't even decoded again.
    await one.makeDue();
    await transcribe(job, jobContext(service));
    expect((await stat(deps.wavs.pathOf(one.uploadId, 'wav'))).mtimeMs).toBe(0);

    await one.sendUntil(answer.length);
    const id = await one.complete(3);
    expect((await one.stored()).partCount).toBe(3);
    const whole = await upload(service.server, candidate, answer, { setId: (await service.addSet()).setId });
    /** Each recording's windows before and after its transcription. */
    const windows: { before: string[]; after: string[] }[] = [];
    const watched: Transcriber = {
      ...transcriber,
      async transcribe(request) {
        const keys = () => [...(request.windows?.keys() ?? [])].sort();
        const before = keys();
        const transcript = await transcriber.transcribe(request);
        windows.push({ before, after: keys() });
        return transcript;
      },
    };
    const stop = await startWorker(service, {}, { transcriber: watched, wavs: deps.wavs });
    const [inParts, atOnce] = [await ended(service, id), await ended(service, whole.body.recording._id)];
    await stop();
    await leave();
    expect(inParts.transcription.status).toBe('completed');
    // Beam search is random, so another run may choose another word, or stretch it.
    expect(wordAccuracy(atOnce.transcription.text, inParts.transcription.text)).toBeGreaterThan(0.95);
    const startOf = new Map(atOnce.transcription.words?.map(({ word, startMs }, at) => [`${at} ${word}`, startMs]));
    const shifts = inParts.transcription.words?.flatMap(({ word, startMs }, at) => {
      const other = startOf.get(`${at} ${word}`);
      return other === undefined ? [] : Math.abs(other - startMs);
    });
    expect(shifts?.length).toBeGreaterThan(50);
    const near = shifts?.filter((ms) => ms <= 100) ?? [];
    expect(near.length / (shifts?.length ?? 0)).toBeGreaterThan(0.65);
    // The whole has the same windows up to the last ones, and those from before Stop were not transcribed again.
    const [ofParts, ofWhole] = windows.toSorted((a, b) => b.before.length - a.before.length);
    const keys = first.map(([key]) => key).sort();
    expect(ofParts?.before).toEqual(keys);
    expect(ofWhole?.before).toEqual([]);
    expect(ofWhole?.after).toEqual(expect.arrayContaining(keys));
    // Intermediate results are not kept in the recording.
    const stored = await one.stored();
    expect([stored.heard, stored.partCount]).toEqual([undefined, undefined]);
    for (const ending of ['media', 'wav', 'speech'] as const)
      await expect(access(deps.wavs.pathOf(one.uploadId, ending))).rejects.toThrow('ENOENT');
  }, 400_000);

  it('is transcribed to its end once all parts have been sent, however recent the last pass', async () => {
    const one = await startUpload();
    const transcribe = createAheadHandler(deps);
    const lastWords = async () => {
      await transcribe({ uploadId: one.uploadId }, jobContext(service));
      const [, words] = (await one.stored()).heard?.at(-1) ?? [];
      return (words as Word[] | undefined)?.map(({ word }) => word).join(' ');
    };
    await one.sendUntil(answer.length);
    expect(await lastWords()).not.toMatch(/with the page\.$/);
    await service.models.uploads.updateOne({ _id: one.uploadId }, { partCount: 1 });
    expect(await lastWords()).toMatch(/with the page\.$/);
  });

  it('stores its windows after Stop only until the whole answer is transcribed', async () => {
    const heardAfterStop = async (fields: { partCount?: number }) => {
      const one = await startUpload();
      await one.sendUntil(answer.length);
      const late: Transcriber = {
        ...transcriber,
        async transcribe({ windows }) {
          windows?.set('0-1', Promise.resolve([]));
          await service.models.uploads.updateOne({ _id: one.uploadId }, { endedAt: new Date(), ...fields });
          return { text: '', words: [], language: 'en', engine: '' };
        },
      };
      await createAheadHandler({ ...deps, transcriber: late })({ uploadId: one.uploadId }, jobContext(service));
      return (await one.stored()).heard;
    };
    expect(await heardAfterStop({ partCount: 1 })).toEqual([['0-1', []]]);
    expect(await heardAfterStop({})).toBeUndefined();
  });

  it('waits while a finished answer waits', async () => {
    const one = await startUpload();
    await one.sendUntil(Math.floor(answer.length * 0.2));
    const waiting = await upload(service.server, candidate, await tone(500), { setId: (await service.addSet()).setId });
    await createAheadHandler(deps)({ uploadId: one.uploadId }, jobContext(service));
    await expect(access(deps.wavs.pathOf(one.uploadId, 'media'))).rejects.toThrow('ENOENT');
    await service.models.recordings.deleteOne({ _id: waiting.body.recording._id });
    await createAheadHandler(deps)({ uploadId: one.uploadId }, jobContext(service));
    await access(deps.wavs.pathOf(one.uploadId, 'media'));
  });

  it('is measured ten minutes after its last part', async () => {
    const one = await startUpload();
    await one.sendUntil(Math.floor(answer.length / 2));
    await measureCutOffs(deps, new AbortController().signal);
    expect((await one.stored()).durationMs).toBeNull();
    await service.models.uploads.updateOne({ _id: one.uploadId }, { lastPartAt: new Date(Date.now() - 11 * 60_000) });
    await measureCutOffs(deps, new AbortController().signal);
    const { durationMs } = await one.stored();
    expect(durationMs).toBeGreaterThan(8000);
    expect(durationMs).toBeLessThan(20_000);
  });
});

it('the speech detector continues where it was, and finds the same spans as in the whole', async () => {
  await using folder = await temporaryFolder();
  const { signal } = new AbortController();
  const detector = createSpeechDetector(1);
  service.onClose(() => detector.close());
  const state = join(folder.path, 'state');
  const find = async (bytes: Buffer, statePath?: string) => {
    const [path, wavPath] = [join(folder.path, 'part.webm'), join(folder.path, 'part.wav')];
    await writeFile(path, bytes);
    await extractSound(path, 'webm', wavPath, { signal });
    return detector.findSpeech(wavPath, signal, statePath);
  };
  for (const share of [0.1, 0.37, 0.9]) await find(answer.subarray(0, Math.floor(answer.length * share)), state);
  const whole = await find(answer);
  expect(whole.length).toBeGreaterThan(3);
  expect(await find(answer, state)).toEqual(whole);
  // As if a process was killed while writing the file.
  await writeFile(state, '{"probabilities":[0.5');
  expect(await find(answer, state)).toEqual(whole);
});
