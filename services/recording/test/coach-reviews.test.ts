import { buffer } from 'node:stream/consumers';
import type { UserSnapshot } from '@interview-prep/contracts/events/snapshots';
import type { Assessment } from '@interview-prep/contracts/recording/recordings';
import type { ReviewItem } from '@interview-prep/contracts/recording/reviews';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import { Types } from 'mongoose';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { assignedOf } from '../src/assignments/show-feedback.ts';
import { exportData } from '../src/export/export-data.ts';
import { sayWhatAnswersWereAssignedAs } from '../src/migrations/0005-say-what-answers-were-assigned-as.ts';
import type { Recording } from '../src/recordings/model.ts';
import type { Session } from '../src/sessions/model.ts';
import { forgetUser } from '../src/users/forget-user.ts';
import { addAnswer, addSession } from './setup/add-answer.ts';
import { type RecordingUnderTest, startRecording } from './setup/recording-under-test.ts';
import { accountOf } from './setup/stand-in-auth.ts';

let service: RecordingUnderTest;
let coach: TestUser;
let otherCoach: TestUser;
let member: TestUser;
let admin: TestUser;
const [groupId, otherGroupId] = [new Types.ObjectId().toHexString(), new Types.ObjectId().toHexString()];

beforeAll(async () => {
  service = await startRecording();
  const user = () => service.identity.user('others');
  [coach, otherCoach, member, admin] = [await user(), await user(), await user(), await service.identity.user('admin')];
  const other = { groupId: otherGroupId, archived: false, coaches: [otherCoach.id], revision: 1 };
  await service.models.groups.apply({ ...other, members: [member.id] });
  await publishGroup();
});
afterAll(() => service.close());

let revision = 0;
/** The group as published by auth. Its coach is also a member. */
async function publishGroup(changes: object = {}): Promise<void> {
  revision += 1;
  const group = { groupId, archived: false, coaches: [coach.id], members: [member.id, coach.id], revision };
  await service.models.groups.apply({ ...group, ...changes });
}

/** An answer for the group that the machine judged at 45%. */
async function answered(
  user = member,
  more: Partial<Recording> = {},
  given: Partial<Session['assignment']> = {},
): Promise<string> {
  const assignment = {
    assignmentId: new Types.ObjectId().toHexString(),
    groupId,
    late: false,
    feedback: 'release' as const,
    feedbackAt: null,
    ...given,
  };
  const { _id } = await addAnswer(service, await addSession(service, user, { assignment }), {
    assigned: assignedOf(assignment),
    isCorrect: false,
    correctnessPercentage: 45,
    assessment: { status: 'completed', engine: 'reference', points: [] },
    ...more,
  });
  return _id.toHexString();
}

const queue = async (user: TestUser, query = '') =>
  (
    await request(service.server)
      .get(`/api/recordings/review-queue?${query}`)
      .set('Authorization', user.authorization)
      .expect(200)
  ).body as { items: ReviewItem[]; total: number };
const idsOf = ({ items }: { items: ReviewItem[] }) => items.map(({ recordingId }) => recordingId);
const at = (hour: number) => `2026-11-21T0${hour}:00:00.000Z`;
const appealed = (hour: number): Partial<Recording> => ({
  assessment: { status: 'completed', points: [], appeal: { reason: 'I said it', createdAt: at(hour) } },
});
const unsure = (hour: number): Partial<Recording> => ({
  createdAt: new Date(at(hour)),
  assessment: {
    status: 'completed',
    points: [{ text: 'A', covered: false, evidence: '', weight: 100, creditRange: { from: 0, to: 50 } }],
  },
});
const review = (id: string, user: TestUser) =>
  request(service.server)
    .put(`/api/recordings/${id}/review`)
    .set('Authorization', user.authorization)
    .send({ correctnessPercentage: 80, reason: 'Well said.' });

describe('a review', () => {
  it("is only for the group's coaches and admins, and names the reviewer", async () => {
    const id = await answered();
    for (const [user, status] of [
      [member, 403],
      [otherCoach, 404],
      [coach, 200],
    ] as const)
      expect([user.email, (await review(id, user)).status]).toEqual([user.email, status]);
    const { assessment }: { assessment: Assessment } = await service.models.recordings.findById(id).orFail().lean();
    expect(assessment.review).toMatchObject({ by: 'coach', reviewer: { userId: coach.id, email: coach.email } });
    expect(assessment.machine).toEqual({ isCorrect: false, correctnessPercentage: 45 });
    expect((await review(id, admin)).body.assessment.review.by).toBe('admin');
  });

  it("is not possible for private practice, one's own answers, or people who have left", async () => {
    const { _id } = await addAnswer(service, await addSession(service, member), {
      assessment: { status: 'completed', points: [] },
    });
    expect((await review(_id.toHexString(), coach)).status).toBe(404);
    expect((await review(await answered(coach), coach)).status).toBe(403);
    const id = await answered();
    await publishGroup({ members: [] });
    expect((await review(id, coach)).status).toBe(404);
    await publishGroup({ coaches: [] });
    expect((await review(id, coach)).status).toBe(404);
    await publishGroup();
    expect((await review(id, coach)).status).toBe(200);
  });
});

it('of an appeal is reported to auth with the group whose coaches review it', async () => {
  const id = await answered(member, {}, { feedback: 'at-once', feedbackAt: new Date(at(1)) });
  await request(service.server)
    .post(`/api/recordings/${id}/appeal`)
    .set('Authorization', member.authorization)
    .send({ reason: 'I said it' })
    .expect(201);
  const jobs = await service.allJobs.queue('auth').getJobs(['waiting']);
  const heard = jobs.filter(({ name, data }) => name === 'answer-appealed' && data.recordingId === id);
  expect(heard.map(({ data }) => data.groupId)).toEqual([groupId]);
});

describe('the review queue', () => {
  /** Work of a group whose feedback waits for a coach. */
  async function assigns(changes: object = {}): Promise<string> {
    const { _id } = await service.models.assignments.create({
      groupId,
      title: 'Week 1',
      sets: [],
      memberIds: null,
      opensAt: new Date(),
      dueAt: null,
      timeZone: 'UTC',
      takes: null,
      timeLimitSeconds: null,
      minimumScore: null,
      feedback: 'release',
      closesLate: false,
      createdAt: new Date(),
      ...changes,
    });
    return _id.toHexString();
  }

  it('lists appeals first, then answers with unsure verdicts awaiting feedback, each oldest first, in pages', async () => {
    await service.models.recordings.deleteMany({});
    const [waiting, released, elsewhere] = [
      await assigns(),
      await assigns({ releasedAt: new Date() }),
      await assigns({ groupId: otherGroupId }),
    ];
    const inWaiting = { assignmentId: waiting };
    const expected = [
      await answered(member, appealed(2)),
      await answered(member, appealed(3), inWaiting),
      await answered(member, unsure(1), inWaiting),
      await answered(member, unsure(4), inWaiting),
    ];
    await answered(member, unsure(1), { assignmentId: released });
    await answered(member, unsure(1), { assignmentId: waiting, feedbackAt: new Date(0) });
    await answered(coach, appealed(1), inWaiting);
    const ofOther = await answered(member, unsure(1), { assignmentId: elsewhere, groupId: otherGroupId });
    const practiced = await addAnswer(service, await addSession(service, member), appealed(1));

    const all = await queue(coach);
    expect([idsOf(all), all.total]).toEqual([expected, 4]);
    expect(all.items.map(({ cause }) => cause)).toEqual(['appeal', 'appeal', 'unsure', 'unsure']);
    expect(all.items[0]).toMatchObject({ groupId, email: member.email, reason: 'I said it' });
    const pages = await Promise.all([1, 2].map((page) => queue(coach, `page=${page}&limit=3`)));
    expect([...pages.map(idsOf), pages.map(({ total }) => total)]).toEqual([
      expected.slice(0, 3),
      expected.slice(3),
      [4, 4],
    ]);
    expect(idsOf(await queue(coach, `assignmentId=${waiting}&cause=unsure`))).toEqual(expected.slice(2));
    expect(idsOf(await queue(coach, `groupId=${groupId}&cause=appeal`))).toEqual(expected.slice(0, 2));
    expect(idsOf(await queue(otherCoach))).toEqual([ofOther]);
    const ofAdmin = idsOf(await queue(admin));
    expect(ofAdmin).toEqual(expect.arrayContaining([...expected, ofOther, practiced._id.toHexString()]));
    expect(ofAdmin).toHaveLength(7);

    // Answers from releases before the queue are found too.
    await service.models.recordings.updateMany({}, { $unset: { assigned: 1 } });
    expect((await queue(coach)).total).toBe(0);
    await sayWhatAnswersWereAssignedAs.up(service.models.recordings.db.db!);
    expect(idsOf(await queue(coach))).toEqual(expected);

    await review(expected[2]!, coach);
    expect(idsOf(await queue(coach))).toEqual(expected.toSpliced(2, 1));
    const reviewed = await queue(coach, 'state=reviewed');
    expect(idsOf(reviewed)).toEqual([expected[2]]);
    expect(reviewed.items[0]?.reviewed?.email).toBe(coach.email);
    await publishGroup({ members: [] });
    expect((await queue(coach)).total).toBe(0);
    await publishGroup();
  });

  it('is only for admins, and for coaches with their own groups', async () => {
    const get = (user: TestUser, query = '') =>
      request(service.server).get(`/api/recordings/review-queue${query}`).set('Authorization', user.authorization);
    await get(member).expect(403);
    await get(otherCoach, `?groupId=${groupId}`).expect(404);
    await get(coach, `?groupId=${groupId}`).expect(200);
    await get(admin, '?page=0').expect(400);
  });
});

describe('saved comments', () => {
  const ask = (user: TestUser, method: 'get' | 'post' | 'put' | 'delete', path = '', body?: object) =>
    request(service.server)[method](`/api/review-snippets${path}`).set('Authorization', user.authorization).send(body);
  const given = { name: 'Scope', text: 'Say what it closes over.' };

  it('are private: added, changed, deleted, exported, and erased with the account', async () => {
    const [first] = (await ask(coach, 'post', '', given).expect(201)).body.snippets;
    await ask(coach, 'post', '', { ...given, name: ' ' }).expect(400);
    for (const [method, body] of [
      ['put', given],
      ['delete', undefined],
    ] as const)
      await ask(otherCoach, method, `/${first.id}`, body).expect(404);
    expect((await ask(otherCoach, 'get').expect(200)).body.snippets).toEqual([]);
    await ask(coach, 'post', '', { name: 'Example', text: 'Give an example.' }).expect(201);
    await ask(coach, 'put', `/${first.id}`, { ...given, name: 'Closures' }).expect(200);
    const all = (await ask(coach, 'get').expect(200)).body.snippets;
    expect(all).toEqual([{ ...given, name: 'Closures', id: first.id }, expect.objectContaining({ name: 'Example' })]);
    const left = (await ask(coach, 'delete', `/${all[1].id}`).expect(200)).body.snippets;
    expect(left).toEqual([all[0]]);

    const zip = await fromBufferPromise(
      await buffer(exportData(accountOf(coach.id), service, AbortSignal.timeout(20_000))),
    );
    const exported: Record<string, string> = {};
    for await (const entry of zip.eachEntry())
      exported[entry.fileName] = String(await buffer(await zip.openReadStreamPromise(entry)));
    expect(JSON.parse(exported['account/review-snippets.json'] ?? '')).toEqual([{ ...given, name: 'Closures' }]);
  });

  it('are limited to fifty, even if added concurrently', async () => {
    const added = await Promise.all(Array.from({ length: 55 }, () => ask(otherCoach, 'post', '', given)));
    expect(added.filter(({ status }) => status === 201)).toHaveLength(50);
    expect(added.filter(({ status }) => status === 409)).toHaveLength(5);
    const erased = { userId: otherCoach.id, deletedAt: new Date().toISOString(), suspended: false, eraseData: false };
    await forgetUser(erased as UserSnapshot, service.models, service.deletions);
    expect(await service.models.reviewSnippets.countDocuments({ _id: otherCoach.id })).toBe(0);
  });
});
