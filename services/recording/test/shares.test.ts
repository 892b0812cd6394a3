import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SharedInterview } from '@interview-prep/contracts/recording/shares';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { addAnswer, addSession } from './setup/add-answer.ts';
import { cookiesOf, type RecordingUnderTest, startRecording } from './setup/recording-under-test.ts';

let service: RecordingUnderTest;
let owner: TestUser;
let other: TestUser;
let admin: TestUser;
let sessionId: string;
let entryId: string;
let recordingId: string;

beforeAll(async () => {
  service = await startRecording();
  [owner, other, admin] = await Promise.all([
    service.identity.user('others'),
    service.identity.user('others'),
    service.identity.user('admin'),
  ]);
});
afterAll(() => service.close());

beforeEach(async () => {
  const session = await addSession(service, owner);
  sessionId = session.sessionId;
  entryId = session._id.toHexString();
  const key = `recordings/${sessionId}/0-f.webm`;
  const path = join(service.spoolDir, 'media');
  await writeFile(path, Buffer.alloc(2000, 7));
  await service.store.putFile(key, path, 2000, 'audio/webm', new AbortController().signal);
  const { _id } = await addAnswer(service, session, {
    original: { key, mediaType: 'audio/webm', sizeBytes: 2000 },
    isCorrect: false,
    correctnessPercentage: 45,
    chatGPTResponse: 'The expert answer',
    assessment: {
      status: 'completed',
      points: [
        {
          text: 'A',
          covered: false,
          evidence: 'what was',
          weight: 100,
          credit: 45,
          nearest: { text: 'what was said' },
          machine: { state: 'partial', evidence: 'was said' },
          reason: 'They said: what was said.',
        },
      ],
    },
  });
  recordingId = _id.toHexString();
});

const share = (body: object = {}, user = owner) =>
  request(service.server).post(`/api/sessions/${entryId}/shares`).set('Authorization', user.authorization).send(body);
const list = (user = owner) =>
  request(service.server).get(`/api/sessions/${entryId}/shares`).set('Authorization', user.authorization);
const revoke = (id: string, user = owner) =>
  request(service.server).delete(`/api/shares/${id}`).set('Authorization', user.authorization);
const read = (token: string) => request(service.server).post('/api/shared').send({ token });

describe('a share link', () => {
  it("shows an interview without an account, and without the candidate's name", async () => {
    const { status, body } = await share({ role: 'read', days: 1 });
    expect(status).toBe(201);
    const response = await read(body.token);
    expect(response.status).toBe(200);
    expect(response.headers['x-robots-tag']).toBe('noindex, nofollow');
    const shared = SharedInterview.parse(response.body);
    expect(shared).toMatchObject({ title: 'Warm-up', questions: ['What is x?'], role: 'read' });
    expect(shared.recordings).toMatchObject([
      { transcription: { text: 'what was said' }, correctnessPercentage: 45, chatGPTResponse: 'The expert answer' },
    ]);
    expect(JSON.stringify(response.body)).not.toContain(owner.email);
    expect(JSON.stringify(response.body)).not.toContain(owner.id);
    const { audioUrl } = shared.recordings[0]!;
    expect((await request(service.server).get(audioUrl)).status).toBe(200);
    // Played like on the link's page: with the cookie, without a token.
    const [path = ''] = audioUrl.split('?');
    expect((await request(service.server).get(path)).status).toBe(401);
    expect((await request(service.server).get(path).set('Cookie', cookiesOf(response))).status).toBe(200);
  });

  it('is limited to twenty, even if created concurrently', async () => {
    const made = await Promise.all(Array.from({ length: 30 }, () => share()));
    const kept = made.filter(({ status }) => status === 201).length;
    expect(kept).toBeLessThanOrEqual(20);
    for (let count = kept; count < 20; count++) expect((await share()).status).toBe(201);
    expect((await list()).body.shares).toHaveLength(20);
    expect((await share()).status).toBe(409);
  });

  it('is stored as a hash of its token', async () => {
    const { body } = await share();
    const stored = await service.models.shares.find({ sessionId }).lean();
    expect(JSON.stringify(stored)).not.toContain(body.token);
    expect((await list()).body.shares).toEqual([body.share]);
    expect(JSON.stringify((await list()).body)).not.toContain(body.token);
  });

  it.each(['media', 'transcript', 'verdicts'] as const)('shows %s only if selected', async (part) => {
    const shows = { media: false, transcript: false, verdicts: false, [part]: true };
    const { body } = await share({ shows });
    const [recording] = SharedInterview.parse((await read(body.token)).body).recordings;
    expect(recording?.audioUrl !== '').toBe(shows.media);
    expect(recording?.transcription.text !== '').toBe(shows.transcript);
    expect(recording?.correctnessPercentage !== null).toBe(shows.verdicts);
    expect(recording?.chatGPTResponse !== '').toBe(shows.verdicts);
    expect(recording?.assessment?.points?.[0]).toEqual(
      shows.verdicts ? { text: 'A', covered: false, evidence: '', weight: 100, credit: 45 } : undefined,
    );
    expect(recording?.durationMs ?? null).toBe(null);
    expect(JSON.stringify(recording).includes('was said')).toBe(shows.transcript);
  });

  it("never shows the appeal's reason, and shows reviewers' text only if the transcript is shown too", async () => {
    const comments = [{ atMs: 100, text: 'The comment' }];
    const review = { by: 'admin', createdAt: new Date().toISOString(), correctnessPercentage: 45, reason: 'The why' };
    const text = 'The proposed text';
    await service.models.recordings.updateOne(
      { _id: recordingId },
      {
        $set: {
          'assessment.appeal': { reason: 'The appeal', createdAt: review.createdAt },
          'assessment.review': { ...review, comments },
          'assessment.points.0.review': { reason: 'The reason', before: { covered: false, state: 'missing' } },
          'assessment.usage': { promptTokens: 1234567, completionTokens: 1, costUsd: null },
          'transcription.proposed': { text, createdAt: review.createdAt, why: 'changed' },
        },
      },
    );
    const written = ['The comment', 'The why', 'The reason'];
    const textOf = async (shows: object) => {
      const { token } = (await share({ shows })).body;
      return JSON.stringify((await read(token).expect(200)).body);
    };
    const scores = await textOf({ media: false, transcript: false, verdicts: true });
    for (const each of [...written, 'The appeal', text, '1234567']) expect(scores).not.toContain(each);
    expect(scores).toContain('"correctnessPercentage":45');
    const words = await textOf({ media: true, transcript: true, verdicts: false });
    for (const each of [...written, 'The appeal', text, '"correctnessPercentage":45'])
      expect(words).not.toContain(each);
    const all = await textOf({ media: true, transcript: true, verdicts: true });
    for (const each of written) expect(all).toContain(each);
    for (const each of ['The appeal', text, '1234567']) expect(all).not.toContain(each);
  });

  it('ends when it is revoked or expires, and so does its media', async () => {
    const { body } = await share();
    const shared = await read(body.token);
    const { audioUrl } = SharedInterview.parse(shared.body).recordings[0]!;
    const byCookie = () => request(service.server).get(audioUrl.split('?')[0]!).set('Cookie', cookiesOf(shared));
    expect((await byCookie()).status).toBe(200);
    expect((await revoke(body.share.id, other)).status).toBe(404);
    expect((await revoke(body.share.id)).status).toBe(204);
    expect((await read(body.token)).status).toBe(404);
    expect((await request(service.server).get(audioUrl)).status).toBe(401);
    expect((await byCookie()).status).toBe(401);
    expect((await list()).body.shares).toEqual([]);

    const second = (await share()).body;
    await service.models.shares.updateOne({ _id: second.share.id }, { expiresAt: new Date(Date.now() - 1000) });
    expect((await read(second.token)).status).toBe(404);
  });

  it('ends with its session and with the account', async () => {
    const { body } = await share();
    await request(service.server).delete(`/api/sessions/${entryId}`).set('Authorization', owner.authorization);
    await expect.poll(() => service.models.shares.countDocuments({ sessionId })).toBe(0);
    expect((await read(body.token)).status).toBe(404);
  });

  it("can be created only by the interview's owner", async () => {
    expect((await share({}, other)).status).toBe(404);
    expect((await share({}, admin)).status).toBe(404);
    expect((await list(admin)).status).toBe(404);
    expect((await share({ days: 1000 })).status).toBe(400);
    expect((await share({ shows: { media: false, transcript: false, verdicts: false } })).status).toBe(400);
    expect((await read('nonsense')).status).toBe(404);
    expect((await read('')).status).toBe(400);
  });
});
