import { type Assessment, withoutReviewers } from '@interview-prep/contracts/recording/recordings';
import type { ReviewItem } from '@interview-prep/contracts/recording/reviews';
import { openAuditTrail } from '@interview-prep/kit/audit/audit-trail';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import { Types } from 'mongoose';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cohenKappa } from '../src/grading/agreement.ts';
import type { Recording } from '../src/recordings/model.ts';
import { eraseDetails } from '../src/users/forget-user.ts';
import { addAnswer, addSession } from './setup/add-answer.ts';
import { type RecordingUnderTest, startRecording } from './setup/recording-under-test.ts';

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

const points = [
  { text: 'A', covered: true, state: 'covered', evidence: 'said a', weight: 50, credit: 45 },
  { text: 'B', covered: false, state: 'missing', evidence: '', weight: 30, credit: 0 },
  { text: 'C', covered: false, state: 'missing', evidence: '', weight: 20, credit: 0 },
] as const;

/** A verdict on the same points, with the judge unsure about the last two. */
const unsure: Assessment = {
  status: 'completed',
  engine: 'reference',
  points: points.map((point, at) => (at === 0 ? point : { ...point, creditRange: { from: 0, to: point.weight / 2 } })),
  range: { from: 45, to: 70 },
};

/** An answer that the machine judged at 45%. */
async function judged(more: Partial<Recording> = {}, questions = ['1. What is `x`?']): Promise<string> {
  const { _id } = await addAnswer(service, await addSession(service, owner, { questions }), {
    transcription: { status: 'completed', text: 'said a', completedAt: new Date() },
    isCorrect: false,
    correctnessPercentage: 45,
    assessment: { status: 'completed', engine: 'reference', points: [...points] },
    ...more,
  });
  return _id.toHexString();
}

const appeal = (id: string, user = owner, reason = 'I did say B') =>
  request(service.server)
    .post(`/api/recordings/${id}/appeal`)
    .set('Authorization', user.authorization)
    .send({ reason });
const review = (id: string, body: object, user = admin) =>
  request(service.server).put(`/api/recordings/${id}/review`).set('Authorization', user.authorization).send(body);
const get = (path: string, user = admin) => request(service.server).get(path).set('Authorization', user.authorization);
const stored = (id: string) => service.models.recordings.findById(id).orFail().lean<Recording>();

describe('an appeal', () => {
  it('is stored with the answer, listed for admins, and sent to history', async () => {
    const id = await judged();
    expect((await appeal(id)).status).toBe(201);
    const { assessment, revision } = await stored(id);
    expect(assessment).toMatchObject({ status: 'completed', appeal: { reason: 'I did say B' } });
    expect(await service.allJobs.queue('history').getJob(`recording-${id}-${revision}-1`)).toBeDefined();
    const { body } = await get('/api/recordings/review-queue');
    expect(body.items).toContainEqual(
      expect.objectContaining({
        recordingId: id,
        question: 'What is `x`?',
        title: 'Warm-up',
        email: owner.email,
        reason: 'I did say B',
        machinePercentage: 45,
        reviewPercentage: null,
        unsurePoints: 0,
      }),
    );
  });

  it('is listed by age, separately from answered ones', async () => {
    await service.models.recordings.deleteMany({});
    const asked = async (hour: number, more: Partial<Recording> = {}) => {
      const id = await judged(more);
      await appeal(id);
      const $set = { 'assessment.appeal.createdAt': `2026-11-21T0${hour}:00:00.000Z` };
      await service.models.recordings.updateOne({ _id: id }, { $set });
      return id;
    };
    const answered = await asked(1);
    await review(answered, { correctnessPercentage: 80, reason: 'Good.' });
    const [late, early] = [await asked(5), await asked(2)];
    const [lateUnsure, earlyUnsure] = [await asked(6, { assessment: unsure }), await asked(3, { assessment: unsure })];
    const { body } = await get('/api/recordings/review-queue');
    const order = body.items.map((each: ReviewItem) => [each.recordingId, each.unsurePoints]);
    expect(order).toEqual([
      [early, 0],
      [earlyUnsure, 2],
      [late, 0],
      [lateUnsure, 2],
    ]);
    const reviewed = (await get('/api/recordings/review-queue?state=reviewed')).body;
    expect([reviewed.total, reviewed.items[0].recordingId]).toEqual([1, answered]);
  });

  it("can be made only by the answer's owner, once, and not while the answer is processed", async () => {
    const id = await judged();
    expect((await appeal(id, other)).status).toBe(404);
    expect((await appeal(id, admin)).status).toBe(404);
    expect((await appeal(id, owner, ' ')).status).toBe(400);
    expect((await appeal(id)).status).toBe(201);
    expect((await appeal(id)).status).toBe(409);
    const pending = await judged({ awaiting: 'assessment', assessment: { status: 'pending' } });
    expect((await appeal(pending)).status).toBe(409);
  });
});

it('is reported to auth once', async () => {
  const id = await judged();
  await appeal(id);
  const jobs = await service.allJobs.queue('auth').getJobs(['waiting']);
  const heard = jobs.filter(({ name, data }) => name === 'answer-appealed' && data.recordingId === id);
  const { assessment, ...rest } = await stored(id);
  expect(heard.map(({ data }) => data.appealedAt)).toEqual([assessment.appeal?.createdAt]);
  expect(rest).not.toHaveProperty('unannouncedAppeal');
});

it('the overview has the oldest open appeals, the newest failures and the waiting answers', async () => {
  const before = (await get('/api/recordings/overview')).body;
  const [open, answered] = [await judged(), await judged()];
  for (const id of [open, answered]) await appeal(id);
  await review(answered, { correctnessPercentage: 80, reason: 'Good.' });
  // Make it older than those of other tests.
  await service.models.recordings.updateOne(
    { _id: open },
    { $set: { 'assessment.appeal.createdAt': '2020-01-01T00:00:00.000Z' } },
  );
  const failed = await judged({
    stage: 'transcription',
    stageStatus: 'failed',
    transcription: { status: 'failed', text: '', completedAt: null, error: 'No speech engine is there.' },
  });
  await judged({ awaiting: 'assessment', stageStatus: 'pending', assessment: { status: 'pending' } });
  const { status, body } = await get('/api/recordings/overview');
  expect(status).toBe(200);
  expect(body.appeals.count).toBe(before.appeals.count + 1);
  expect(body.appeals.oldest[0]).toMatchObject({ recordingId: open, email: owner.email, title: 'Warm-up' });
  expect(body.failed.count).toBe(before.failed.count + 1);
  expect(body.failed.newest[0]).toMatchObject({ recordingId: failed, reason: 'No speech engine is there.' });
  expect(body.waiting).toEqual({ count: before.waiting.count + 1, since: expect.any(String) });
});

describe('a review event', () => {
  const announced = async (id: string) => {
    const jobs = await service.allJobs.queue('auth').getJobs(['waiting']);
    return jobs
      .filter(({ name, data }) => name === 'answer-reviewed' && data.recordingId === id)
      .map(({ data }) => data);
  };

  it('is sent to auth once, for the first review of an appealed answer', async () => {
    const id = await judged();
    await appeal(id);
    const verdict = { points: [{ point: 1, state: 'covered', reason: '' }], reason: 'You said it.' };
    expect((await review(id, verdict)).status).toBe(200);
    const { session, assessment } = await stored(id);
    const event = {
      userId: owner.id,
      recordingId: id,
      interviewId: session.toHexString(),
      questionId: 0,
      reviewedAt: assessment.review?.createdAt,
    };
    expect(await announced(id)).toEqual([event]);
    expect(await stored(id)).not.toHaveProperty('unannouncedReview');
    expect((await review(id, { ...verdict, reason: 'On second thoughts.' })).status).toBe(200);
    expect(await announced(id)).toEqual([event]);
  });

  it('is not sent without an appeal', async () => {
    const id = await judged();
    expect((await review(id, { correctnessPercentage: 80, reason: 'Good.' })).status).toBe(200);
    expect(await announced(id)).toEqual([]);
  });
});

describe('a human review', () => {
  it("of points counts, and keeps the machine's verdict", async () => {
    const id = await judged();
    await appeal(id);
    const answer = await review(id, {
      points: [
        { point: 1, state: 'covered', reason: 'In other words.' },
        { point: 2, state: 'partial' },
      ],
      reason: 'You said it.',
      comments: [
        { atMs: 9000, text: 'and here' },
        { atMs: 1000, text: 'here' },
      ],
    });
    expect(answer.status).toBe(200);
    expect(answer.body).toMatchObject({ isCorrect: true, correctnessPercentage: 85 });
    const { assessment, ...verdict } = await stored(id);
    expect(verdict).toMatchObject({ isCorrect: true, correctnessPercentage: 85 });
    expect(assessment.machine).toEqual({ isCorrect: false, correctnessPercentage: 45 });
    expect(assessment.points).toMatchObject([
      points[0],
      {
        covered: true,
        state: 'covered',
        credit: 30,
        machine: { state: 'missing', credit: 0, evidence: '' },
        review: { reason: 'In other words.' },
      },
      { covered: false, state: 'partial', credit: 10 },
    ]);
    expect(assessment).toMatchObject({
      appeal: { reason: 'I did say B' },
      review: { by: 'admin', correctnessPercentage: 85, comments: [{ text: 'here' }, { text: 'and here' }] },
    });
  });

  it('of the whole can differ from the points, and is replaced by the next', async () => {
    const id = await judged();
    await review(id, { points: [{ point: 1, state: 'covered' }], reason: 'First' });
    await review(id, { correctnessPercentage: 20, reason: 'Second' });
    const { assessment, correctnessPercentage } = await stored(id);
    expect(correctnessPercentage).toBe(20);
    expect(assessment.points?.[1]).toMatchObject({ covered: false, state: 'missing', credit: 0 });
    expect(assessment).toMatchObject({ machine: { correctnessPercentage: 45 }, review: { reason: 'Second' } });
  });

  it('names its reviewer, and keeps earlier reviews', async () => {
    const id = await judged();
    const [first, second] = [admin, await service.identity.user('admin')];
    await review(id, { points: [{ point: 1, state: 'covered', reason: 'Said.' }], reason: 'First' }, first);
    await review(id, { correctnessPercentage: 20, reason: 'Second' }, second);
    await review(id, { correctnessPercentage: 30, reason: 'Third' }, first);
    const { assessment } = await stored(id);
    const [firstName, secondName] = [first, second].map((user) => ({ userId: user.id, email: user.email }));
    expect(assessment.review).toMatchObject({ reviewer: firstName, correctnessPercentage: 30, reason: 'Third' });
    expect(assessment.earlierReviews).toMatchObject([
      { reviewer: secondName, correctnessPercentage: 20, reason: 'Second', points: [] },
      {
        reviewer: firstName,
        correctnessPercentage: 75,
        reason: 'First',
        points: [{ text: 'B', state: 'covered', reason: 'Said.' }],
      },
    ]);
    // History shows candidates the reviews without names.
    const named = withoutReviewers(assessment);
    expect(JSON.stringify(named)).not.toContain(first.id);
    expect(named.earlierReviews).toHaveLength(2);

    await eraseDetails(second.id, service.models);
    const erased = await stored(id);
    expect(erased.assessment.review?.reviewer).toEqual(firstName);
    expect(erased.assessment.earlierReviews?.[0]?.reviewer).toEqual({ userId: second.id, email: null });
    expect(erased.unpublished).toBe(true);
    await eraseDetails(first.id, service.models);
    expect(JSON.stringify((await stored(id)).assessment)).not.toContain(first.email);
  });

  it('by a second admin at the same time is refused with the name of the first, and can still overwrite', async () => {
    const id = await judged();
    const second = await service.identity.user('admin');
    const seen = (await review(id, { correctnessPercentage: 50, reason: 'First' })).body.assessment.version;
    const against = (version: string, user: TestUser, percentage: number) =>
      review(id, { correctnessPercentage: percentage, reason: 'x' }, user).set('If-Match', `"${version}"`);
    expect((await against(seen, second, 60)).status).toBe(200);
    const { status, body } = await against(seen, admin, 70);
    expect([status, body.code, body.conflict.by, body.details]).toEqual([
      409,
      'edit_conflict',
      second.email,
      [{ path: 'review', message: 'Changed in the meantime' }],
    ]);
    expect((await stored(id)).correctnessPercentage).toBe(60);
    expect((await against(body.conflict.version, admin, 70)).status).toBe(200);
    // The judge's new verdict has different points from the reviewed ones.
    await service.models.recordings.updateOne({ _id: id }, { $set: { 'assessment.points': [points[1]] } });
    const judgedAnew = await against((await against('*', admin, 70)).body.assessment.version, admin, 71);
    expect(judgedAnew.status).toBe(200);
    await service.models.recordings.updateOne({ _id: id }, { $set: { 'assessment.points': [points[0]] } });
    const stale = await against(judgedAnew.body.assessment.version, admin, 72);
    expect([stale.status, stale.body.details[0].path]).toEqual([409, 'points']);
  });

  it('can be given at most twenty times, so that all can be kept', async () => {
    const id = await judged();
    const nth = async (at: number) => (await review(id, { correctnessPercentage: at, reason: 'x' })).status;
    for (let at = 1; at <= 20; at++) expect(await nth(at)).toBe(200);
    expect(await nth(21)).toBe(409);
    expect((await stored(id)).assessment.earlierReviews).toHaveLength(19);
  });

  it('records its changes in the audit log', async () => {
    const id = await judged();
    const { mongo, redis, settings, log } = service.backing;
    const { jobs } = service;
    const prefix = settings.REDIS_PREFIX;
    const audit = openAuditTrail({ service: 'recording', mongo, jobs, redis, prefix, log, sweeps: false });
    const audited = await service.listen({ audit });
    const give = (body: object) =>
      request(audited).put(`/api/recordings/${id}/review`).set('Authorization', admin.authorization).send(body);
    await give({ points: [{ point: 1, state: 'covered' }], reason: 'First' }).expect(200);
    await give({ correctnessPercentage: 20, reason: 'Second' }).expect(200);
    const target = `recording:${id}`;
    expect(await mongo.db!.collection('audit_outbox').find({ target }).sort({ at: 1 }).toArray()).toMatchObject([
      { actor: admin.id, details: { from: '45% by the judge', to: '75%', points: '2 missing → covered' } },
      { actor: admin.id, details: { from: '75% by an admin', to: '20%', points: '2 covered → missing' } },
    ]);
    await audit.stop();
  });

  it('without changes agrees with the verdict', async () => {
    const id = await judged();
    await review(id, { reason: 'The machine is right.' });
    expect(await stored(id)).toMatchObject({ correctnessPercentage: 45, isCorrect: false });
  });

  it('that confirms the judge on a point is kept, and changes nothing', async () => {
    const id = await judged();
    const confirmed = [{ point: 0, state: 'covered' }];
    expect((await review(id, { points: confirmed, reason: 'Right.' })).status).toBe(200);
    const { assessment, correctnessPercentage } = await stored(id);
    expect(correctnessPercentage).toBe(45);
    const before = { covered: true, state: 'covered', credit: 45 };
    expect(assessment.points).toEqual([{ ...points[0], review: { reason: '', before } }, points[1], points[2]]);
    // The next review undoes it.
    await review(id, { reason: 'The machine is right.' });
    expect((await stored(id)).assessment.points).toEqual(points);
  });

  it("removes the doubt about the points that it decides, and narrows the score's range", async () => {
    const id = await judged({ assessment: unsure });
    await review(id, { points: [{ point: 1, state: 'missing' }], reason: 'Not said.' });
    const { assessment } = await stored(id);
    expect(assessment.points?.map(({ creditRange }) => creditRange)).toEqual([
      undefined,
      undefined,
      { from: 0, to: 10 },
    ]);
    expect(assessment.range).toEqual({ from: 45, to: 55 });

    await review(id, { points: [1, 2].map((point) => ({ point, state: 'partial' })), reason: 'Both half said.' });
    expect((await stored(id)).assessment).not.toHaveProperty('range');
    // The judge stays unsure about points that the next review doesn't decide.
    await review(id, { reason: 'The machine is right.' });
    expect((await stored(id)).assessment).toMatchObject({ points: unsure.points, range: unsure.range });
    // A percentage for the whole answer leaves nothing unsure.
    await review(id, { correctnessPercentage: 60, reason: 'On the whole.' });
    expect((await stored(id)).assessment).not.toHaveProperty('range');
  });

  it('is final: the answer is not judged again after it', async () => {
    const id = await judged();
    await review(id, { correctnessPercentage: 90, reason: 'Good' });
    const corrected = await request(service.server)
      .put(`/api/recordings/${id}/transcript`)
      .set('Authorization', owner.authorization)
      .send({ text: 'something else' });
    expect(corrected.status).toBe(409);
    expect(corrected.body.message).toMatch(/A reviewer has scored/);
  });

  it('is refused to other users, without a reason, for an unknown point, and without a percentage', async () => {
    const id = await judged();
    expect((await review(id, { reason: 'x' }, owner)).status).toBe(403);
    expect((await review(id, { reason: '' })).status).toBe(400);
    expect((await review(id, { reason: 'x', points: [{ point: 9, state: 'covered' }] })).status).toBe(400);
    const withoutPoints = await judged({ assessment: { status: 'completed', engine: 'reference', points: [] } });
    const { status, body } = await review(withoutPoints, { reason: 'x' });
    expect([status, body.details[0].path]).toEqual([400, 'correctnessPercentage']);
    expect((await review(new Types.ObjectId().toHexString(), { reason: 'x' })).status).toBe(404);
  });
});

describe('the agreement of judge and reviewers', () => {
  it('names the questions on which they differ most', async () => {
    await service.models.recordings.deleteMany({});
    for (const [machine, person, question] of [
      [90, 80, 'Easy?'],
      [20, 30, 'Easy?'],
      [10, 90, 'Hard?'],
    ] as const) {
      const id = await judged({ correctnessPercentage: machine, isCorrect: machine >= 50 }, [question]);
      await review(id, { correctnessPercentage: person, reason: 'x' });
    }
    const { status, body } = await get('/api/recordings/agreement');
    expect(status).toBe(200);
    expect(body.all).toMatchObject({ count: 3, difference: 33.3 });
    expect(body.questions).toMatchObject([
      { title: 'Warm-up', question: 'Hard?', count: 1, difference: 80, pearson: null },
      { title: 'Warm-up', question: 'Easy?', count: 2, difference: 10, pearson: 1 },
    ]);
    expect((await get('/api/recordings/agreement', owner)).status).toBe(403);
    expect((await get('/api/recordings/review-queue', owner)).status).toBe(403);
  });

  it('is measured by κ', () => {
    expect(cohenKappa(['a', 'b', 'a', 'b'], ['a', 'b', 'a', 'b'])).toBe(1);
    expect(cohenKappa(['a', 'a', 'b', 'b'], ['a', 'b', 'a', 'b'])).toBe(0);
    expect(cohenKappa(['a', 'a', 'b', 'b', 'b'], ['a', 'b', 'b', 'b', 'b'])).toBeCloseTo(0.545, 3);
    expect(cohenKappa(['a'], ['a'])).toBeNull();
    expect(cohenKappa([], [])).toBeNull();
  });
});
