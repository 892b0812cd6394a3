import { RecordingSnapshot } from '@interview-prep/contracts/events/snapshots';
import type { PointState } from '@interview-prep/contracts/recording/recordings';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import { Types } from 'mongoose';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { correctWords } from '../src/corrections/correct-words.ts';
import { judgeClaim } from '../src/corrections/judge-claim.ts';
import type { Recording } from '../src/recordings/model.ts';
import { assessStage } from '../src/stages/assess-stage.ts';
import { chatReply, type Reply, startOpenAiServer } from './engines/openai-test-server.ts';
import { heard, heardWords, judgedAnswer, sendCorrection } from './setup/judged-answer.ts';
import { type RecordingUnderTest, startRecording } from './setup/recording-under-test.ts';
import { ended, stageDeps, startWorker } from './setup/worker-under-test.ts';

let service: RecordingUnderTest;
let stopWorker: () => Promise<void>;
let owner: TestUser;
let other: TestUser;
let admin: TestUser;

beforeAll(async () => {
  service = await startRecording();
  stopWorker = await startWorker(service);
  [owner, other, admin] = await Promise.all([
    service.identity.user('others'),
    service.identity.user('others'),
    service.identity.user('admin'),
  ]);
});
afterAll(async () => {
  await stopWorker();
  await service.close();
});

const judged = (more: Partial<Recording> = {}) => judgedAnswer(service, owner, more);

const correct = (id: string, text: string, user = owner) => sendCorrection(service, id, text, user);
const claim = (id: string, point: number, body: object, user = owner) =>
  request(service.server)
    .post(`/api/recordings/${id}/points/${point}/claim`)
    .set('Authorization', user.authorization)
    .send(body);
const idOf = ({ _id }: Recording) => _id.toHexString();

describe('the words of a corrected transcript', () => {
  const words = heardWords('it hides pirate steak today');
  const shown = (text: string) =>
    correctWords(words, text).map(({ word, startMs, edited }) => `${word}${edited ? '*' : ''} ${startMs}`);

  it('keep their times if they were transcribed there', () => {
    expect(shown('It hides private state, today')).toEqual([
      'It 0',
      'hides 500',
      'private* 1000',
      'state,* 1450',
      'today 2000',
    ]);
  });

  it('can be more or fewer', () => {
    expect(shown('so it hides today')).toEqual(['so* 0', 'it 0', 'hides 500', 'today 2000']);
    expect(shown('it hides pirate steak today again')).toEqual([
      'it 0',
      'hides 500',
      'pirate 1000',
      'steak 1500',
      'today 2000',
      'again* 2400',
    ]);
    expect(correctWords([], 'no times')).toEqual([]);
  });

  it('stay in order, for any text', () => {
    for (const text of ['steak pirate hides it', 'a b c d e f g', 'today today today', 'hides']) {
      const times = correctWords(words, text).flatMap(({ startMs, endMs }) => [startMs, endMs]);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }
  });
});

describe('correcting a transcript', () => {
  it('keeps the original transcript, judges again at once, and updates the history', async () => {
    const recording = await judged();
    const before = recording.correctnessPercentage ?? 100;
    const text = heard.replace('it rides with bakery goats', 'it hides with private state');
    expect((await correct(idOf(recording), text)).status).toBe(202);
    const after = await ended(service, idOf(recording));
    expect(after).toMatchObject({ stage: 'assessment', stageStatus: 'completed', run: 2, correction: null });
    expect(after.transcription).toMatchObject({ text, original: { text: heard }, correctedAt: expect.any(String) });
    expect(after.transcription.proposed).toBeUndefined();
    expect(after.transcription.original?.words).toEqual(recording.transcription.words);
    expect(after.transcription.words?.[1]).toEqual(recording.transcription.words?.[1]);
    expect(after.transcription.words?.at(-1)).toMatchObject({ word: 'state', edited: true });
    expect(after.correctnessPercentage).toBeGreaterThan(before);

    await vi.waitFor(async () => {
      const jobs = await service.allJobs.queue('history').getJobs(['waiting', 'prioritized'], 0, -1);
      const published = jobs
        .map(({ data }) => RecordingSnapshot.parse(data.recording))
        .find(({ recordingId, revision }) => recordingId === idOf(recording) && revision === after.revision);
      expect(published?.transcription).toMatchObject({ text, original: { text: heard } });
    });

    // Undoing the correction leaves no trace, and restores the verdict.
    expect((await correct(idOf(recording), heard)).status).toBe(202);
    const back = await ended(service, idOf(recording));
    expect(back.transcription).toEqual(recording.transcription);
    expect(back.correctnessPercentage).toBe(before);
  });

  it('judges answers that were too quiet or noisy before', async () => {
    const poor = { speechDb: -65, noiseDb: -90, clippedShare: 0, problem: 'quiet', tooPoor: true } as const;
    const delivery = {
      wordsPerMinute: 100,
      pace: [],
      fillers: [],
      omitsFillers: false,
      pauses: [],
      firstWordMs: 0,
      silenceShare: 0,
      sound: poor,
    };
    const recording = await judged({ delivery });
    expect(recording).toMatchObject({ stageStatus: 'unscored', correctnessPercentage: null });
    await correct(idOf(recording), `${heard} indeed`);
    const after = await ended(service, idOf(recording));
    expect(after.assessment.status).toBe('completed');
  });

  it('of a practice answer judges nothing', async () => {
    const recording = await judged({ kind: 'practice' });
    expect((await correct(idOf(recording), 'Something else')).status).toBe(202);
    expect(await ended(service, idOf(recording))).toMatchObject({
      stage: 'transcription',
      stageStatus: 'completed',
      transcription: { text: 'Something else', original: { text: heard } },
      assessment: recording.assessment,
    });
  });

  it('is refused to other users, without a change, and while the answer is processed', async () => {
    const recording = await judged({ kind: 'practice' });
    const id = idOf(recording);
    expect((await correct(id, 'x', other)).status).toBe(404);
    expect((await correct(id, 'x', admin)).status).toBe(403);
    expect((await correct(new Types.ObjectId().toHexString(), 'x')).status).toBe(404);
    expect((await correct(id, '  ')).status).toBe(400);
    expect((await correct(id, heard)).status).toBe(409);
    await service.models.recordings.updateOne({ _id: recording._id }, { $set: { 'transcription.text': '' } });
    expect((await correct(id, 'x')).body.message).toMatch(/Nothing was heard/);
    await service.models.recordings.updateOne({ _id: recording._id }, { $set: { awaiting: 'media' } });
    expect((await correct(id, 'x')).status).toBe(409);
  });
});

/** A judge that finds each point in up to this many words, and none in more. */
const replyByLength =
  (words: number): Reply =>
  (response, request) => {
    const { messages } = JSON.parse(request.body.toString()) as { messages: { content: string }[] };
    const { transcript } = JSON.parse(messages[1]?.content ?? '') as { transcript: string };
    const state = transcript.split(' ').length > words ? 'missing' : 'covered';
    const points = [1, 2].map((number) => ({
      number,
      state,
      evidence: state === 'covered' ? transcript : '',
      reason: 'So.',
    }));
    chatReply(JSON.stringify({ points }))(response, request);
  };

describe('claiming a point', () => {
  /** An answer whose verdict missed the first point, although the words cover it. */
  const missed = () =>
    judged({
      awaiting: undefined,
      stageStatus: 'completed',
      isCorrect: false,
      correctnessPercentage: 30,
      assessment: {
        status: 'completed',
        engine: 'reference',
        points: [
          {
            text: 'A closure is a function that keeps the variables of the scope it was made in.',
            covered: false,
            state: 'missing',
            evidence: '',
            weight: 60,
            credit: 0,
            reason: 'Not heard.',
          },
          {
            text: 'It is used to keep state private.',
            covered: false,
            state: 'partial',
            evidence: 'it hides',
            weight: 40,
            credit: 30,
          },
        ],
      },
    });

  it('judges it on the marked words only, and keeps both results', async () => {
    const recording = await missed();
    expect((await claim(idOf(recording), 0, { firstWord: 0, lastWord: 15 })).status).toBe(202);
    const after = await ended(service, idOf(recording));
    const [point, untouched] = after.assessment.points ?? [];
    expect(point).toMatchObject({
      covered: true,
      state: 'covered',
      evidence: 'a closure is a function that keeps the variables of the scope it was made in',
      firstWord: 0,
      lastWord: 15,
      claim: { state: 'covered', startMs: 0, endMs: 7900 },
      machine: { state: 'missing', evidence: '', credit: 0, reason: 'Not heard.' },
    });
    expect(untouched).toEqual(recording.assessment.points?.[1]);
    expect(after.correctnessPercentage).toBe(30 + (point?.credit ?? 0));
    expect(after).toMatchObject({ isCorrect: true, stageStatus: 'completed', claim: null });
  });

  it('changes nothing if the words do not make the point', async () => {
    const recording = await missed();
    await claim(idOf(recording), 0, { firstWord: 20, lastWord: 20 });
    const after = await ended(service, idOf(recording));
    expect(after).toMatchObject({ correctnessPercentage: 30, isCorrect: false });
    expect(after.assessment.points?.[0]).toMatchObject({
      state: 'missing',
      claim: { text: 'bakery', state: 'missing' },
    });
    expect(after.assessment.points?.[0]?.machine).toBeUndefined();
  });

  it('is limited to ten passages per answer, so that users cannot try until one is accepted by mistake', async () => {
    const recording = await missed();
    for (let at = 0; at < 10; at++) {
      expect((await claim(idOf(recording), 0, { firstWord: at, lastWord: at })).status).toBe(202);
      await ended(service, idOf(recording));
    }
    const { status, body } = await claim(idOf(recording), 1, { firstWord: 0, lastWord: 15 });
    expect([status, body.message]).toEqual([409, expect.stringMatching(/request a human review/)]);
  });

  describe('with a judge that detects contradictions', () => {
    /** A judge for which any text with 'not' contradicts the point. */
    const reply: Reply = (response, request) => {
      const { messages } = JSON.parse(request.body.toString()) as { messages: { content: string }[] };
      const { transcript } = JSON.parse(messages[1]?.content ?? '') as { transcript: string };
      const state = transcript.includes('not') ? 'contradicted' : 'covered';
      const judgment = { number: 1, state, evidence: transcript, reason: `It is ${state}.` };
      chatReply(JSON.stringify({ points: [judgment] }))(response, request);
    };
    const text = 'it keeps the variables of its scope. a closure is not a function that keeps its variables.';

    /** A claim to the first point, which the judge did not find and is unsure about. */
    const claimed = async (
      words: { firstWord: number; lastWord: number },
      { state = 'missing', judge = reply }: { state?: PointState; judge?: Reply } = {},
    ) => {
      const recording = await missed();
      const id = idOf(recording);
      const assessment = structuredClone(recording.assessment);
      Object.assign(assessment.points![0]!, { state, creditRange: { from: 0, to: 30 } });
      assessment.range = { from: 30, to: 60 };
      const transcription = { ...recording.transcription, text, words: heardWords(text) };
      await service.models.recordings.updateOne({ _id: id }, { $set: { assessment, transcription } });
      await using server = await startOpenAiServer(judge);
      const environment = { ASSESS_ENGINE: 'openai', ASSESS_URL: server.url, ASSESS_MODEL: 'judge' };
      const { assessor } = await stageDeps(service, environment);
      const stored = await service.models.recordings.findById(id).orFail();
      const session = await service.models.sessions.findById(recording.session).orFail();
      const { signal } = new AbortController();
      const claim = { point: 0, ...words };
      return await judgeClaim(
        { ...stored.toObject(), claim },
        session.toObject(),
        { assessor, models: service.models },
        {
          signal,
          isLastAttempt: true,
        },
      );
    };

    it.each([
      ['the contrary', { firstWord: 7, lastWord: 16 }],
      ['what is the contrary in its sentence', { firstWord: 11, lastWord: 16 }],
    ])('earns nothing for %s, and says so', async (_, words) => {
      const { assessment, ...fields } = await claimed(words);
      expect(fields).toEqual({ claim: null });
      expect(assessment?.points?.[0]).toMatchObject({
        state: 'missing',
        credit: 0,
        creditRange: { from: 0, to: 30 },
        claim: { state: 'contradicted', credit: 0, reason: 'It is contradicted.' },
      });
      expect(assessment?.range).toEqual({ from: 30, to: 60 });
    });

    it('earns nothing for part of a sentence that contradicts the point as a whole', async () => {
      const words = { firstWord: 11, lastWord: 16 };
      const judge = replyByLength(6);
      const { assessment } = await claimed(words, { state: 'contradicted', judge });
      expect(assessment?.points?.[0]).toMatchObject({ state: 'contradicted', credit: 0, claim: { state: 'missing' } });
      // A missed point is judged using only the words.
      const { assessment: raised } = await claimed(words, { judge });
      expect(raised?.points?.[0]).toMatchObject({ state: 'covered', credit: 60 });
    });

    it('removes the doubt about a point that the words make', async () => {
      const { assessment, correctnessPercentage } = await claimed({ firstWord: 1, lastWord: 6 });
      expect(correctnessPercentage).toBe(90);
      expect(assessment?.points?.[0]).toMatchObject({ state: 'covered', credit: 60, claim: { credit: 60 } });
      expect(assessment?.points?.[0]).not.toHaveProperty('creditRange');
      expect(assessment).not.toHaveProperty('range');
    });
  });

  describe('if the transcript is corrected afterward', () => {
    /** The answer as judged after its first six words were claimed and its transcript was corrected. */
    const correctedTo = async (text: string) => {
      const recording = await missed();
      const [first, second] = structuredClone(recording.assessment.points!);
      const span = { firstWord: 0, lastWord: 5, startMs: 0, endMs: 2900 };
      const claim = { ...span, text: 'a closure is a function that', state: 'covered' as const, credit: 60 };
      const assessment = { ...recording.assessment, points: [{ ...first!, claim }, second!] };
      const before = { stage: 'assessment', stageStatus: 'completed', status: 'completed' } as const;
      await using server = await startOpenAiServer(replyByLength(6));
      const environment = { ASSESS_ENGINE: 'openai', ASSESS_URL: server.url, ASSESS_MODEL: 'judge' };
      const stored = await service.models.recordings.findById(recording._id).orFail();
      stored.set({ assessment, correction: { userId: owner.id, text, before } });
      const session = (await service.models.sessions.findById(recording.session).orFail()).toObject();
      const { signal } = new AbortController();
      const work = { recording: stored, session, signal, isLastAttempt: true };
      const { fields } = await assessStage(await stageDeps(service, environment))(work);
      return fields;
    };

    it('is judged again on the current words', async () => {
      const { assessment, correctnessPercentage } = await correctedTo(heard.replace('bakery goats', 'private state'));
      expect(assessment?.points?.[0]).toMatchObject({
        state: 'covered',
        claim: { text: 'a closure is a function that', state: 'covered' },
        machine: { state: 'missing' },
      });
      expect(correctnessPercentage).toBe(assessment?.points?.[0]?.credit);
    });

    it('reports that its words are gone', async () => {
      const { assessment } = await correctedTo(heard.replace('a closure is a function that ', ''));
      expect(assessment?.points?.[0]).toMatchObject({
        state: 'missing',
        claim: {
          text: 'a closure is a function that',
          state: 'missing',
          reason: 'The transcript no longer has these words.',
        },
      });
    });
  });

  it('is refused to other users, for unknown words and points, and for points already covered', async () => {
    const recording = await missed();
    const id = idOf(recording);
    const words = { firstWord: 0, lastWord: 1 };
    expect((await claim(id, 0, words, other)).status).toBe(404);
    expect((await claim(id, 0, words, admin)).status).toBe(403);
    expect((await claim(id, 7, words)).status).toBe(404);
    expect((await claim(id, 0, { firstWord: 2, lastWord: 1 })).status).toBe(400);
    expect((await claim(id, 0, { firstWord: 0, lastWord: 500 })).status).toBe(400);
    await service.models.recordings.updateOne(
      { _id: recording._id },
      { $set: { 'assessment.points.0.covered': true } },
    );
    expect((await claim(id, 0, words)).status).toBe(409);
  });
});
