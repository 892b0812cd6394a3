import type { TestUser } from '@interview-prep/kit/testing/identity';
import { Types } from 'mongoose';
import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Recording } from '../src/recordings/model.ts';
import { expertTexts, heard, heardWords, judgedAnswer, sendCorrection } from './setup/judged-answer.ts';
import { type RecordingUnderTest, startRecording } from './setup/recording-under-test.ts';
import { ended, startWorker } from './setup/worker-under-test.ts';

let service: RecordingUnderTest;
let stopWorker: () => Promise<void>;
let owner: TestUser;
let admin: TestUser;

beforeAll(async () => {
  service = await startRecording();
  stopWorker = await startWorker(service);
  admin = await service.identity.user('admin');
});
// The number of corrections per user is limited.
beforeEach(async () => {
  owner = await service.identity.user('others');
});
afterAll(async () => {
  await stopWorker();
  await service.close();
});

const judged = (more: Partial<Recording> = {}) => judgedAnswer(service, owner, more);
const correct = (id: string, text: string, user = owner) => sendCorrection(service, id, text, user);
const idOf = ({ _id }: Recording) => _id.toHexString();

/** A text in letters such as ⓐ, which Unicode counts as symbols. */
const circled = (text: string) =>
  text.replace(/[a-z]/g, (letter) => String.fromCodePoint(letter.charCodeAt(0) + 0x246f));

describe('a pasted answer', () => {
  const misheard = 'well I think that it is about bakery goats and I can not say more about it';
  const off = () =>
    judged({
      transcription: { status: 'completed', text: misheard, words: heardWords(misheard), completedAt: new Date() },
    });

  it.each([
    ['in place of what was said', () => expertTexts.join(' '), 'changed'],
    ['without blanks', () => expertTexts.join(' ').replaceAll(' ', '/'), 'changed'],
    [
      'after the end of the speech',
      () => `${misheard} ${expertTexts[1]!.split(' ').slice(0, 5).join(' ')}`,
      'unspoken',
    ],
    ['in letters that are no letters', () => `${misheard} ${circled(expertTexts.join(' '))}`, 'changed'],
    ['between two words', () => misheard.replace('that it', 'that it keeps state private it'), 'unspoken'],
  ] as const)('%s waits for a review, and the score stays', async (_name, textOf, why) => {
    const recording = await off();
    const { transcription, correctnessPercentage, isCorrect, assessment } = recording;
    expect((await correct(idOf(recording), textOf())).status).toBe(202);
    const after = await ended(service, idOf(recording));
    expect(after).toMatchObject({ correctnessPercentage, isCorrect, stageStatus: 'completed' });
    expect(after.transcription).toEqual({
      ...transcription,
      proposed: { text: textOf().normalize('NFKC'), createdAt: expect.any(String), why },
    });
    expect(after.assessment).toEqual({
      ...assessment,
      appeal: { reason: expect.stringMatching(/edited/), createdAt: expect.any(String), automatic: true },
    });
    const { body } = await request(service.server)
      .get('/api/recordings/review-queue')
      .set('Authorization', admin.authorization);
    expect(body.items).toContainEqual(
      expect.objectContaining({ recordingId: idOf(recording), reviewPercentage: null, automatic: true }),
    );
  });

  it('in small steps is compared with the original transcript', async () => {
    const recording = await off();
    const steps = ['a closure is', 'a closure is a function that', 'a closure is a function that keeps the variables'];
    let before: Recording = recording;
    for (const step of steps) {
      before = await ended(service, idOf(recording));
      const rest = misheard.split(' ').slice(step.split(' ').length).join(' ');
      expect((await correct(idOf(recording), `${step} ${rest}`)).status).toBe(202);
    }
    const after = await ended(service, idOf(recording));
    expect(after.transcription.proposed?.why).toBe('changed');
    expect(after.transcription.original).toBeDefined();
    expect(after.correctnessPercentage).toBe(before.correctnessPercentage);
  });

  it('of symbols and invisible characters is rejected', async () => {
    const recording = await off();
    const { status, body } = await correct(idOf(recording), `${misheard} 🅰🅱 \u{e0061}\u{e0062}`);
    expect([status, body.message]).toEqual([409, 'The transcript says that already']);
    expect((await correct(idOf(recording), '🅰🅱')).status).toBe(400);
  });

  it('is withdrawn by restoring the original transcript or making a small correction', async () => {
    const recording = await off();
    await correct(idOf(recording), expertTexts.join(' '));
    await ended(service, idOf(recording));
    expect((await correct(idOf(recording), misheard)).status).toBe(202);
    const withdrawn = await ended(service, idOf(recording));
    expect(withdrawn.transcription).toEqual(recording.transcription);
    expect(withdrawn.assessment).toEqual(recording.assessment);

    await correct(idOf(recording), expertTexts.join(' '));
    await ended(service, idOf(recording));
    await correct(idOf(recording), misheard.replace('bakery', 'private'));
    const { transcription, assessment } = await ended(service, idOf(recording));
    expect(transcription.original?.text).toBe(misheard);
    expect(transcription.proposed ?? assessment.appeal).toBeUndefined();
  });
});

describe('expensive corrections', () => {
  it('are limited to twice the transcribed words plus 200', async () => {
    const recording = await judged();
    const most = 2 * heard.split(' ').length + 200;
    const words = (count: number) => Array.from({ length: count }, (_, at) => `w${at}`).join(' ');
    expect((await correct(idOf(recording), words(most + 1))).status).toBe(400);
    expect((await correct(idOf(recording), words(most))).status).toBe(202);
    await ended(service, idOf(recording));
  });

  it('are compared by the worker, one at a time per user', async () => {
    await stopWorker();
    try {
      const text = Array.from({ length: 12_000 }, (_, at) => `w${at % 97}`).join(' ');
      const long = () =>
        judged({
          awaiting: undefined,
          stageStatus: 'completed',
          assessment: { status: 'completed', points: [] },
          transcription: { status: 'completed', text, words: heardWords(text), completedAt: new Date() },
        });
      const [one, two] = [await long(), await long()];
      const reversed = text.split(' ').reverse().join(' ');
      const answers = await Promise.all([correct(idOf(one), reversed), correct(idOf(two), reversed)]);
      expect(answers.map(({ status }) => status).sort()).toEqual([202, 409]);
      expect((await correct(idOf(one), 'x')).status).toBe(409);
      expect((await correct(idOf(two), 'x')).status).toBe(409);
    } finally {
      stopWorker = await startWorker(service);
    }
    await expect
      .poll(() => service.models.recordings.countDocuments({ userId: owner.id, awaiting: 'assessment' }), {
        timeout: 30_000,
      })
      .toBe(0);
  });

  it('have a rate limit', async () => {
    const user = await service.identity.user('others');
    const send = () => correct(new Types.ObjectId().toHexString(), 'x', user);
    for (let n = 0; n < 30; n++) expect((await send()).status).toBe(404);
    expect((await send()).status).toBe(429);
    const claim = await request(service.server)
      .post(`/api/recordings/${new Types.ObjectId().toHexString()}/points/0/claim`)
      .set('Authorization', user.authorization)
      .send({ firstWord: 0, lastWord: 0 });
    expect(claim.status).toBe(429);
  });
});
