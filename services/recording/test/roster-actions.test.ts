import { buffer } from 'node:stream/consumers';
import type { Assignment } from '@interview-prep/contracts/recording/assignments';
import { openAuditTrail } from '@interview-prep/kit/audit/audit-trail';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import { Types } from 'mongoose';
import request from 'supertest';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { announceAll } from '../src/assignments/announce.ts';
import { assignmentOf } from '../src/assignments/begin-assigned.ts';
import { exportData } from '../src/export/export-data.ts';
import { forgetUser } from '../src/users/forget-user.ts';
import { addAnswer, addSession } from './setup/add-answer.ts';
import { assignmentTerms, type CallAs, callAs, hourMs, inHours, queuedMails } from './setup/assigned-work.ts';
import { type RecordingUnderTest, startRecording } from './setup/recording-under-test.ts';
import { accountOf } from './setup/stand-in-auth.ts';

let service: RecordingUnderTest;
let coach: TestUser;
let otherCoach: TestUser;
let ada: TestUser;
let alan: TestUser;
let admin: TestUser;
let setId: string;
const groupId = new Types.ObjectId().toHexString();

beforeAll(async () => {
  service = await startRecording();
  [coach, otherCoach, ada, alan] = (await Promise.all(
    ['a', 'b', 'c', 'd'].map(() => service.identity.user('others')),
  )) as [TestUser, TestUser, TestUser, TestUser];
  admin = await service.identity.user('admin');
  ({ setId } = await service.addSet());
  const group = { groupId, archived: false, coaches: [coach.id], members: [ada.id, alan.id], revision: 1 };
  await service.models.groups.apply(group);
  const other = { groupId: new Types.ObjectId().toHexString(), archived: false, members: [], revision: 1 };
  await service.models.groups.apply({ ...other, coaches: [otherCoach.id] });
});
afterAll(() => service.close());
beforeEach(async () => {
  await service.models.assignments.deleteMany({});
  await empty();
});

const empty = () => service.allJobs.queue('auth').obliterate({ force: true });
const ask = (...call: CallAs) => callAs(service, ...call);
async function assign(changes: object = {}): Promise<Assignment> {
  const body = assignmentTerms({ groupId, sets: [{ kind: 'interview', setId }], memberIds: null, ...changes });
  const { assignment } = (await ask(coach, 'post', '/api/assignments', body).expect(201)).body;
  await empty();
  return assignment;
}
/** Makes an assignment due this many hours ago. */
const backdate = (id: string, hours: number) =>
  service.models.assignments.updateOne({ _id: id }, { $set: { createdAt: inHours(-100), dueAt: inHours(-hours) } });
const remind = (id: string, userIds: string[], user = coach) =>
  ask(user, 'post', `/api/assignments/${id}/reminders`, { userIds });
const extend = (id: string, userIds: string[], dueAt: Date | null, user = coach) =>
  ask(user, 'put', `/api/assignments/${id}/extensions`, { userIds, dueAt: dueAt?.toISOString() ?? null });
async function mails() {
  return (await queuedMails(service)).map(({ about, dueAt, userIds, changes }) => ({ about, dueAt, userIds, changes }));
}
const begin = (id: string, user: TestUser) =>
  assignmentOf(service.models, { assignmentId: id, kind: 'interview', setId }, {
    sub: user.id,
    role: 'others',
  } as Parameters<typeof assignmentOf>[2]);
async function answer(id: string, user: TestUser) {
  const assignment = await begin(id, user);
  const session = await addSession(service, user, { ...(assignment && { assignment }), setId, questions: ['Why?'] });
  await addAnswer(service, session, { assessment: { status: 'unscored' } });
  return session;
}

test('coaches of the group and admins can remind and extend; members get 403, others 404; unknown people and invalid input 400', async () => {
  const { id } = await assign();
  for (const act of [remind, (one: string, ids: string[], user?: TestUser) => extend(one, ids, inHours(48), user)]) {
    await act(id, [ada.id], ada).expect(403);
    await act(id, [ada.id], otherCoach).expect(404);
    await act('0'.repeat(24), [ada.id]).expect(404);
    expect((await act(id, [ada.id, coach.id]).expect(400)).body.details[0].path).toBe('userIds.1');
    for (const ids of [[], ['x'], Array.from({ length: 5001 }, () => ada.id)]) await act(id, ids).expect(400);
    await act(id, [ada.id], admin).expect(200);
  }
  for (const dueAt of ['soon', '', 7]) {
    const body = { userIds: [ada.id], dueAt };
    await ask(coach, 'put', `/api/assignments/${id}/extensions`, body).expect(400);
  }
  await extend(id, [ada.id], inHours(1)).expect(400);
  await extend((await assign({ dueAt: null })).id, [ada.id], inHours(48)).expect(409);
});

test('a coach reminds unfinished members once in 24 hours, even from two windows', async () => {
  const { id } = await assign();
  await answer(id, ada);
  await empty();
  const both = await Promise.all([remind(id, [ada.id, alan.id]), remind(id, [ada.id, alan.id])]);
  const lists = both.map(({ body }) => body);
  expect(lists).toEqual(
    expect.arrayContaining([
      { reminded: [alan.id], done: [ada.id], recent: [], closed: [] },
      { reminded: [], done: [ada.id], recent: [alan.id], closed: [] },
    ]),
  );
  expect(await mails()).toMatchObject([{ about: 'reminder', userIds: [alan.id] }]);
  await service.models.assignments.updateOne({ _id: id }, { $set: { 'reminders.0.at': inHours(-24.1) } });
  expect((await remind(id, [alan.id])).body).toMatchObject({ reminded: [alan.id], recent: [] });
  const closed = await assign({ closesLate: true });
  await backdate(closed.id, 1);
  expect((await remind(closed.id, [alan.id])).body).toMatchObject({ reminded: [], closed: [alan.id] });
  await remind((await assign({ opensAt: inHours(1).toISOString() })).id, [alan.id]).expect(409);
  expect((await ask(ada, 'get', '/api/assignments')).text).not.toContain('reminders');
});

test('an extension applies only to its member: start, lateness, list, calendar and email; it can be withdrawn', async () => {
  const { id } = await assign({ closesLate: true });
  await backdate(id, 2);
  await expect(begin(id, ada)).rejects.toMatchObject({ status: 403 });
  const until = inHours(24);
  const { assignment } = (await extend(id, [ada.id], until).expect(200)).body;
  expect(assignment.extensions).toEqual([{ userId: ada.id, dueAt: until.toISOString() }]);
  expect(await mails()).toEqual([
    { about: 'changed', dueAt: until.toISOString(), userIds: [ada.id], changes: ['dueAt'] },
  ]);
  expect(await begin(id, ada)).toMatchObject({ late: false });
  await expect(begin(id, alan)).rejects.toMatchObject({ status: 403 });

  const listOf = async (user: TestUser) => (await ask(user, 'get', '/api/assignments')).body.assignments[0];
  expect(await listOf(ada)).toMatchObject({ dueAt: until.toISOString(), changed: { terms: ['dueAt'] } });
  expect(await listOf(ada)).not.toHaveProperty('extensions');
  expect((await listOf(alan)).dueAt).toBe((await service.models.assignments.findById(id))?.dueAt?.toISOString());
  const { url } = (await ask(ada, 'post', '/api/calendar').expect(201)).body;
  const { text } = await request(service.server).get(url.replace('https://prep.example.com', '')).expect(200);
  expect(text).toContain(`DTEND:${until.toISOString().replace(/[-:]|\.\d+/g, '')}`);

  await empty();
  expect((await extend(id, [ada.id], null).expect(200)).body.assignment).not.toHaveProperty('extensions');
  await expect(begin(id, ada)).rejects.toMatchObject({ status: 403 });
  expect(await mails()).toMatchObject([{ about: 'changed', userIds: [ada.id] }]);
});

test('the audit log records who got an extension, and until when', async () => {
  const { mongo, redis, settings, log } = service.backing;
  const { jobs } = service;
  const audit = openAuditTrail({
    service: 'recording',
    mongo,
    jobs,
    redis,
    prefix: settings.REDIS_PREFIX,
    log,
    sweeps: false,
  });
  const { id, dueAt } = await assign();
  const until = inHours(48).toISOString();
  await request(await service.listen({ audit }))
    .put(`/api/assignments/${id}/extensions`)
    .set('Authorization', coach.authorization)
    .send({ userIds: [ada.id], dueAt: until })
    .expect(200);
  const entries = await mongo.db!.collection('audit_outbox').find().toArray();
  const facts = { action: 'assignment.extend', outcome: 'success', actor: coach.id };
  expect(entries).toHaveLength(2);
  expect(entries).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ ...facts, target: `assignment:${id}`, details: { members: 1, until } }),
      expect.objectContaining({
        ...facts,
        target: `user:${ada.id}`,
        details: { assignment: id, group: groupId, from: dueAt, to: until },
      }),
    ]),
  );
  await audit.stop();
});

test('feedback due at the due date waits for the later one; what was shown stays visible', async () => {
  const { id } = await assign({ feedback: 'due' });
  const [early, later] = [await answer(id, alan), await answer(id, ada)];
  const until = inHours(48);
  await extend(id, [ada.id], until).expect(200);
  const shownAt = async ({ _id }: { _id: unknown }) =>
    (await service.models.sessions.findById(_id))?.assignment?.feedbackAt?.toISOString();
  expect(await shownAt(later)).toBe(until.toISOString());
  const { title, opensAt, timeZone, takes, timeLimitSeconds, minimumScore, feedback, closesLate } = (
    await service.models.assignments.findById(id).orFail()
  ).toObject();
  const dueAt = inHours(30).toISOString();
  const terms = { title, opensAt, timeZone, takes, timeLimitSeconds, minimumScore, feedback, closesLate, dueAt };
  await ask(coach, 'put', `/api/assignments/${id}`, terms).expect(200);
  expect(await shownAt(early)).toBe(dueAt);
  expect(await shownAt(later)).toBe(until.toISOString());
  await service.models.sessions.updateOne({ _id: later._id }, { $set: { 'assignment.feedbackAt': inHours(-1) } });
  await extend(id, [ada.id], inHours(72)).expect(200);
  expect(Date.parse((await shownAt(later)) ?? '')).toBeLessThan(Date.now());
});

test('automatic reminders follow the member’s own due date, not the original one', async () => {
  const { id } = await assign();
  await backdate(id, -1.9);
  await extend(id, [ada.id], inHours(100)).expect(200);
  // As if granted long ago.
  await service.models.assignments.updateOne({ _id: id }, { $set: { 'extensions.0.at': inHours(-50) } });
  await empty();
  await announceAll({ ...service });
  expect(await mails()).toMatchObject([{ about: 'due', userIds: [alan.id] }]);
  await empty();
  await announceAll({ ...service }, Date.now() + 52.5 * hourMs);
  expect(await mails()).toMatchObject([{ about: 'due', userIds: [ada.id] }]);
});

test('an extension is in the data export, and is deleted with the account', async () => {
  const { id } = await assign();
  await extend(id, [alan.id], inHours(48)).expect(200);
  await remind(id, [alan.id]).expect(200);
  const { fromBufferPromise } = await import('yauzl');
  const zip = await fromBufferPromise(
    await buffer(exportData(accountOf(alan.id), service, new AbortController().signal)),
  );
  const found: string[] = [];
  for await (const entry of zip.eachEntry())
    if (entry.fileName === 'account/assigned-work.json')
      found.push((await buffer(await zip.openReadStreamPromise(entry))).toString());
  expect(JSON.parse(found[0] ?? '')).toMatchObject([{ title: 'Week 1', extendedAt: expect.any(String) }]);
  const user = { userId: alan.id, email: 'x@example.com', role: 'others', lastLogin: null, revision: 2 } as const;
  await forgetUser({ ...user, deletedAt: new Date().toISOString() }, service.models, service.deletions);
  expect(JSON.stringify(await service.models.assignments.findById(id).lean())).not.toContain(alan.id);
});
