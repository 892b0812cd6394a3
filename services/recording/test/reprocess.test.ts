import type { Review } from '@interview-prep/contracts/recording/verdict-review';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import { Types } from 'mongoose';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtInJudge } from '../src/calibration/built-in-judge.ts';
import type { Recording } from '../src/recordings/model.ts';
import { addAnswer, addSession } from './setup/add-answer.ts';
import { type RecordingUnderTest, startRecording } from './setup/recording-under-test.ts';
import { ended, startWorker } from './setup/worker-under-test.ts';

let service: RecordingUnderTest;
let owner: TestUser;
let other: TestUser;
let admin: TestUser;

beforeAll(async () => {
  service = await startRecording();
  [owner, other, admin] = await Promise.all([
    service.identity.user('others'),
    service.identity.user('dev'),
    service.identity.user('admin'),
  ]);
});
afterAll(() => service.close());

const transcribed = { status: 'completed', text: 'what was said', completedAt: new Date() } as const;
const untranscribed = { status: 'failed', text: '', completedAt: null, error: 'why' } as const;
const failed = { status: 'failed', reason: 'why' } as const;

/** A recording of the owner's in some final state. */
async function recordingThat(ended: Partial<Recording>) {
  const session = await addSession(service, owner, { kind: ended.kind ?? 'interview' });
  return addAnswer(service, session, {
    interruptions: 7,
    stageStatus: 'failed',
    transcription: transcribed,
    assessment: failed,
    ...ended,
  });
}

const reprocess = (id: string, user: TestUser) =>
  request(service.server).post(`/api/recordings/${id}/reprocess`).set('Authorization', user.authorization);
const idOf = (recording: Recording) => recording._id.toHexString();

describe('reprocessing', () => {
  it.each([
    ['media', 'failed', { transcription: untranscribed }, { status: 'pending' }],
    ['transcription', 'failed', { transcription: untranscribed }, { status: 'pending' }],
    ['assessment', 'failed', {}, transcribed],
    ['assessment', 'unscored', { assessment: { status: 'unscored', reason: 'no expert answer' } }, transcribed],
  ] as const)('starts at the stage that did not succeed: %s %s', async (stage, stageStatus, ended, transcription) => {
    const recording = await recordingThat({ stage, stageStatus, ...ended });
    const response = await reprocess(idOf(recording), owner);
    expect(response.status).toBe(202);
    expect(await service.models.recordings.findById(recording._id)).toMatchObject({
      awaiting: stage,
      stage,
      stageStatus: 'pending',
      run: 2,
      interruptions: 0,
      outage: null,
      transcription,
      assessment: { status: 'pending' },
    });
    expect(await service.jobs.queue(stage).getJob(`${recording._id}-2`)).toBeDefined();
  });

  it('is allowed for admins, and once at a time', async () => {
    const recording = await recordingThat({});
    const responses = await Promise.all([1, 2, 3].map(() => reprocess(idOf(recording), admin)));
    expect(responses.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
    expect(await service.models.recordings.findById(recording._id)).toMatchObject({ run: 2 });
  });

  it.each([
    ['what was judged', { stageStatus: 'completed', assessment: { status: 'completed' } }],
    ['what is under way', { stageStatus: 'started', awaiting: 'assessment', assessment: { status: 'pending' } }],
    [
      'a practice answer, which is never judged',
      { kind: 'practice', stage: 'transcription', stageStatus: 'completed' },
    ],
  ] as const)('is refused as pointless for %s', async (_name, ended) => {
    const response = await reprocess(idOf(await recordingThat(ended)), owner);
    expect(response.status).toBe(409);
    expect(response.body.message).toBe('There is nothing to process again');
  });

  describe('rescoring', () => {
    const current = 'reference point-judge 2';
    const wordRules = 'reference 0.1 (word rules)';
    const appeal = { reason: 'I did say B', createdAt: '2026-11-21T08:00:00.000Z' };
    const claim = { firstWord: 0, lastWord: 1, text: 'what was', startMs: 0, endMs: 9, state: 'missing' } as const;
    const point = { text: 'A', covered: false, evidence: '', claim };
    const judgedBy = (engine: string, more: Partial<Recording> = {}) =>
      recordingThat({
        stageStatus: 'completed',
        assessment: { status: 'completed', engine, points: [point], appeal },
        isCorrect: false,
        correctnessPercentage: 0,
        ...more,
      });
    /** Rescores while workers use these engines. Without any, the built-in judge is assumed. */
    const rescore = async (recording: Recording, inUse: readonly string[], user = owner) => {
      const redis = await service.backing.redisAs('worker');
      const prefix = service.backing.settings.REDIS_PREFIX;
      for (const [at, assess] of inUse.entries()) {
        const report = { worker: 'w', speech: null, assess, atMs: Date.now() };
        await redis.hset(`${prefix}:engines`, `w${at}`, JSON.stringify(report));
      }
      const server = await service.listen({ judge: { engine: current, thresholds: builtInJudge.thresholds } });
      const response = await request(server)
        .post(`/api/recordings/${idOf(recording)}/reprocess`)
        .set('Authorization', user.authorization);
      await redis.del(`${prefix}:engines`);
      return response;
    };

    it.each([
      ['of word rules', wordRules, []],
      ['of an older model', 'reference point-judge 1', []],
      ['of word rules, while workers report', wordRules, [current]],
      ['of the built-in judge, where a server judges now', current, ['openai judge']],
    ])('%s judges only the verdict again, and keeps the appeal and claims', async (_, engine, inUse) => {
      const recording = await judgedBy(engine);
      expect((await rescore(recording, inUse)).status).toBe(202);
      const after = await service.models.recordings.findById(recording._id).orFail().lean<Recording>();
      expect(after).toMatchObject({
        awaiting: 'assessment',
        stageStatus: 'pending',
        run: 2,
        transcription: transcribed,
      });
      expect(after.assessment).toEqual({ status: 'pending', points: [point], appeal });
      expect(await service.jobs.queue('assessment').getJob(`${recording._id}-2`)).toBeDefined();
      expect((await rescore(recording, inUse)).status).toBe(409);
    });

    const review = {
      by: 'admin',
      createdAt: '2026-11-21T09:00:00.000Z',
      correctnessPercentage: 80,
      reason: 'Good',
      comments: [],
    } satisfies Review;
    it.each([
      ['of the judge in use', current, [], {}],
      ['of the judge in use, while workers report', 'openai judge', ['openai judge', current], {}],
      ['of a server, while no worker reports', 'openai judge', [], {}],
      ['of silence', 'whisper base', [current], { transcription: { ...transcribed, text: ' ' } }],
      ['that a person has given', wordRules, [], { assessment: { status: 'completed', engine: wordRules, review } }],
    ] as [string, string, string[], Partial<Recording>][])(
      'is refused as pointless for one %s',
      async (_, engine, inUse, more) => {
        expect((await rescore(await judgedBy(engine, more), inUse)).status).toBe(409);
      },
    );

    it('uses the current judge', async () => {
      const recording = await judgedBy(wordRules, {
        transcription: { ...transcribed, text: 'x is a letter of the Latin alphabet' },
      });
      const stopWorker = await startWorker(service);
      try {
        expect((await reprocess(idOf(recording), owner)).status).toBe(202);
        const { assessment } = await ended(service, idOf(recording));
        expect(assessment).toMatchObject({ status: 'completed', engine: builtInJudge.engine, appeal });
        expect(assessment.points?.[0]).not.toHaveProperty('claim');
        expect(assessment.points?.[0]).toHaveProperty('made');
      } finally {
        await stopWorker();
      }
      expect((await reprocess(idOf(recording), owner)).status).toBe(409);
    });

    it("is refused for other people's recordings, and allowed for admins", async () => {
      const recording = await judgedBy(wordRules);
      expect((await rescore(recording, [], other)).status).toBe(404);
      expect((await rescore(recording, [], admin)).status).toBe(202);
    });
  });

  it("is refused without a token, for a malformed id, and for an unknown recording or someone else's", async () => {
    const id = idOf(await recordingThat({}));
    expect((await request(service.server).post(`/api/recordings/${id}/reprocess`)).status).toBe(401);
    expect((await reprocess('1', owner)).status).toBe(400);
    expect((await reprocess(new Types.ObjectId().toHexString(), admin)).status).toBe(404);
    expect((await reprocess(id, other)).status).toBe(404);
  });
});
