import { RecordingSnapshot } from '@interview-prep/contracts/events/snapshots';
import { SharedInterview } from '@interview-prep/contracts/recording/shares';
import { openAuditTrail } from '@interview-prep/kit/audit/audit-trail';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import { Types } from 'mongoose';
import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Recording } from '../src/recordings/model.ts';
import type { Session } from '../src/sessions/model.ts';
import { addAnswer, addSession } from './setup/add-answer.ts';
import { cookiesOf, type RecordingUnderTest, startRecording } from './setup/recording-under-test.ts';

let service: RecordingUnderTest;
let owner: TestUser;
let admin: TestUser;
let session: Session;
let recordingId: string;

beforeAll(async () => {
  service = await startRecording();
  [owner, admin] = await Promise.all([service.identity.user('others'), service.identity.user('admin')]);
});
afterAll(() => service.close());

const verdict: Partial<Recording> = {
  isCorrect: false,
  correctnessPercentage: 20,
  assessment: {
    status: 'completed',
    points: [{ text: 'Scopes', covered: false, state: 'missing', evidence: '', weight: 100, credit: 20 }],
    appeal: { reason: 'The appeal', createdAt: '2026-11-20T10:00:00.000Z' },
  },
};

beforeEach(async () => {
  session = await addSession(service, owner);
  const { _id } = await addAnswer(service, session, structuredClone(verdict));
  recordingId = _id.toHexString();
});

const authorized = (user: TestUser) => ['Authorization', user.authorization] as const;
const share = async (body: object = { role: 'review' }, server = service.server) =>
  (
    await request(server)
      .post(`/api/sessions/${session._id.toHexString()}/shares`)
      .set(...authorized(owner))
      .send(body)
  ).body as { token: string; share: { id: string } };
const feedback = { correctnessPercentage: 100, reason: 'Perfect.', points: [{ point: 0, state: 'covered' }] };
const give = (token: string, body: object = feedback, id = recordingId) =>
  request(service.server)
    .put(`/api/shared/recordings/${id}/review`)
    .send({ token, ...body });
const read = (token: string, server = service.server) => request(server).post('/api/shared').send({ token });
const stored = () => service.models.recordings.findById(recordingId).orFail().lean<Recording>();
const get = (path: string, user: TestUser) =>
  request(service.server)
    .get(path)
    .set(...authorized(user));

describe('guest feedback', () => {
  it('is shown next to the score, and does not change it', async () => {
    const before = await stored();
    const { token, share: link } = await share();
    const response = await give(token);
    expect(response.status).toBe(200);
    const after = await stored();
    const said = {
      shareId: link.id,
      createdAt: expect.any(String),
      correctnessPercentage: 100,
      points: [{ text: 'Scopes', state: 'covered', reason: '' }],
      reason: 'Perfect.',
      comments: [],
    };
    const { isCorrect, correctnessPercentage, stage, stageStatus, run, transcription, assessment } = before;
    expect(after).toMatchObject({ isCorrect, correctnessPercentage, stage, stageStatus, run, guestFeedback: [said] });
    expect([after.assessment, after.transcription]).toEqual([assessment, transcription]);
    expect(SharedInterview.parse(response.body).recordings[0]).toMatchObject({
      correctnessPercentage: 20,
      guestFeedback: [said],
    });
    // The appeal stays open, and the feedback doesn't count as a review.
    const { body } = await get('/api/recordings/review-queue', admin);
    expect(body.items).toContainEqual(expect.objectContaining({ recordingId, reviewPercentage: null }));
    const job = await service.allJobs.queue('history').getJob(`recording-${recordingId}-${after.revision}-1`);
    expect(RecordingSnapshot.parse(job?.data.recording)).toMatchObject({
      correctnessPercentage: 20,
      guestFeedback: [said],
    });
  });

  it("does not replace an admin's review, even if the link was created before it", async () => {
    const { token } = await share();
    await request(service.server)
      .put(`/api/recordings/${recordingId}/review`)
      .set(...authorized(admin))
      .send({ correctnessPercentage: 30, reason: 'Not quite.' })
      .expect(200);
    await give(token).expect(200);
    expect(await stored()).toMatchObject({
      correctnessPercentage: 30,
      assessment: { review: { by: 'admin', correctnessPercentage: 30 }, machine: { correctnessPercentage: 20 } },
    });
  });

  it('is replaced by later feedback from the same link, and hidden from other links', async () => {
    const [one, two] = [await share(), await share()];
    await give(one.token);
    await give(one.token, { reason: 'Better.' });
    await give(two.token, { reason: 'Fine.' });
    expect((await stored()).guestFeedback?.map(({ reason }) => reason)).toEqual(['Better.', 'Fine.']);
    const shown = SharedInterview.parse((await read(two.token)).body).recordings[0]?.guestFeedback;
    expect(shown?.map(({ reason }) => reason)).toEqual(['Fine.']);
  });

  it('requires a link that allows it, of this interview, and an answer that the link shows', async () => {
    expect((await give((await share({ role: 'read' })).token)).status).toBe(403);
    const { token } = await share();
    expect((await give(token, feedback, new Types.ObjectId().toHexString())).status).toBe(404);
    const other = await addAnswer(service, await addSession(service, owner), structuredClone(verdict));
    expect((await give(token, feedback, other._id.toHexString())).status).toBe(404);
    expect((await give(token, { ...feedback, points: [{ point: 7, state: 'covered' }] })).status).toBe(400);
    // With a newer take, the link no longer shows this answer.
    await addAnswer(service, session, { ...structuredClone(verdict), take: 2 });
    expect((await give(token)).status).toBe(404);
    expect(await stored()).not.toHaveProperty('guestFeedback');
  });

  it('is limited per link', async () => {
    const { token } = await share();
    let status = 200;
    let count = 0;
    for (; status === 200 && count <= 60; count++) ({ status } = await give(token, { reason: `${count}` }));
    expect([status, count]).toEqual([429, 61]);
    await give((await share()).token).expect(200);
  });
});

it('leaves an audit entry with the link and its owner, whether accepted or refused', async () => {
  const { mongo, redis, settings, log } = service.backing;
  const audit = openAuditTrail({
    service: 'recording',
    mongo,
    jobs: service.jobs,
    redis,
    prefix: settings.REDIS_PREFIX,
    log,
    sweeps: false,
  });
  const audited = await service.listen({ audit });
  const send = (token: string) =>
    request(audited)
      .put(`/api/shared/recordings/${recordingId}/review`)
      .send({ token, ...feedback });
  const { token, share: link } = await share();
  const reading = await share({ role: 'read' });
  await send(token).expect(200);
  await send(reading.token).expect(403);
  await request(audited)
    .delete(`/api/shares/${link.id}`)
    .set(...authorized(admin))
    .expect(204);
  const entries = await mongo.db!.collection('audit_outbox').find().sort({ at: 1 }).toArray();
  const owned = (id: string) => ({ link: id, owner: owner.id });
  expect(entries).toMatchObject([
    { action: 'recording.feedback', outcome: 'success', target: `recording:${recordingId}`, details: owned(link.id) },
    { action: 'recording.feedback', outcome: 'denied', details: owned(reading.share.id) },
    { action: 'session.unshare', outcome: 'success', actor: admin.id, details: owned(link.id) },
  ]);
  await audit.stop();
});

it('limits how often a link can be opened', async () => {
  const { token } = await share();
  const statuses: number[] = [];
  for (let count = 0; count <= 300; count++) statuses.push((await read(token)).status);
  expect(statuses.indexOf(429)).toBe(300);
});

describe('an admin', () => {
  it("sees everyone's links, without their tokens, and can revoke one or all", async () => {
    await service.models.shares.deleteMany({});
    const [one, two, three] = [await share(), await share({ role: 'read' }), await share()];
    expect((await get('/api/shares', owner)).status).toBe(403);
    const { body } = await get('/api/shares', admin);
    expect(body).toMatchObject({ total: 3, enabled: true });
    expect(body.shares.map(({ id }: { id: string }) => id).sort()).toEqual(
      [one, two, three].map((each) => each.share.id).sort(),
    );
    expect(body.shares[0]).toMatchObject({
      email: owner.email,
      title: 'Warm-up',
      interviewId: session._id.toHexString(),
    });
    expect(JSON.stringify(body)).not.toContain(one.token);

    const revoke = (path: string, user: TestUser) =>
      request(service.server)
        .delete(path)
        .set(...authorized(user));
    await revoke(`/api/shares/${one.share.id}`, admin).expect(204);
    await read(one.token).expect(404);
    await read(two.token).expect(200);
    await revoke('/api/shares', owner).expect(403);
    await revoke('/api/shares', admin).expect(204);
    await read(two.token).expect(404);
    await give(three.token).expect(404);
  });

  it('can turn off links, including existing ones, with SHARE_LINKS', async () => {
    const { token } = await share();
    const cookie = cookiesOf(await read(token));
    const { audioUrl } = SharedInterview.parse((await read(token)).body).recordings[0]!;
    const off = await service.listen({ shareLinks: 'off' });
    await read(token, off).expect(404);
    await request(off)
      .put(`/api/shared/recordings/${recordingId}/review`)
      .send({ token, ...feedback })
      .expect(404);
    await request(off).get(audioUrl).expect(401);
    await request(off).get(audioUrl.split('?')[0]!).set('Cookie', cookie).expect(401);
    const made = await request(off)
      .post(`/api/sessions/${session._id.toHexString()}/shares`)
      .set(...authorized(owner))
      .send({});
    expect(made.status).toBe(403);
  });
});
