import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SharedInterview } from '@interview-prep/contracts/shares';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import { Types } from 'mongoose';
import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Recording } from '../src/recordings/model.ts';
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
const review = (token: string, id = recordingId) =>
  request(service.server)
    .put(`/api/shared/recordings/${id}/review`)
    .send({ token, correctnessPercentage: 80, reason: 'Well said.' });

describe('a link', () => {
  it('shows an interview without an account, and without its name', async () => {
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
    // As the page of the link plays it: by the cookie, without a token.
    const [path = ''] = audioUrl.split('?');
    expect((await request(service.server).get(path)).status).toBe(401);
    expect((await request(service.server).get(path).set('Cookie', cookiesOf(response))).status).toBe(200);
  });

  it('is kept as a hash of its token', async () => {
    const { body } = await share();
    const stored = await service.models.shares.find({ sessionId }).lean();
    expect(JSON.stringify(stored)).not.toContain(body.token);
    expect((await list()).body.shares).toEqual([body.share]);
    expect(JSON.stringify((await list()).body)).not.toContain(body.token);
  });

  it.each(['media', 'transcript', 'verdicts'] as const)('shows %s only where it is chosen', async (part) => {
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
    expect(JSON.stringify(recording).includes('was said')).toBe(shows.transcript);
  });

  it('ends when it is revoked or expires, and its media with it', async () => {
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

  it('ends with its session, and with the account', async () => {
    const { body } = await share();
    await request(service.server).delete(`/api/sessions/${entryId}`).set('Authorization', owner.authorization);
    await expect.poll(() => service.models.shares.countDocuments({ sessionId })).toBe(0);
    expect((await read(body.token)).status).toBe(404);
  });

  it('is made by the one who answered only', async () => {
    expect((await share({}, other)).status).toBe(404);
    expect((await share({}, admin)).status).toBe(404);
    expect((await list(admin)).status).toBe(404);
    expect((await share({ days: 1000 })).status).toBe(400);
    expect((await share({ shows: { media: false, transcript: false, verdicts: false } })).status).toBe(400);
    expect((await read('nonsense')).status).toBe(404);
    expect((await read('')).status).toBe(400);
  });
});

describe('a reviewer', () => {
  it("gives a verdict that counts, as a reviewer's", async () => {
    const { body } = await share({ role: 'review' });
    const response = await review(body.token);
    expect(response.status).toBe(200);
    expect(SharedInterview.parse(response.body).recordings[0]).toMatchObject({
      correctnessPercentage: 80,
      assessment: { machine: { correctnessPercentage: 45 }, review: { by: 'reviewer' } },
    });
    const stored = await service.models.recordings.findById(recordingId).orFail().lean<Recording>();
    expect(stored).toMatchObject({ isCorrect: true, revision: 2 });
  });

  it('needs a link that allows it, of this interview', async () => {
    const reader = (await share({ role: 'read' })).body;
    expect((await review(reader.token)).status).toBe(403);
    const reviewer = (await share({ role: 'review' })).body;
    expect((await review(reviewer.token, new Types.ObjectId().toHexString())).status).toBe(404);
    await revoke(reviewer.share.id);
    expect((await review(reviewer.token)).status).toBe(404);
  });
});
