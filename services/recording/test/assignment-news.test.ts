import type { TestUser } from '@interview-prep/kit/testing/identity';
import { Types } from 'mongoose';
import request from 'supertest';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { announceAll } from '../src/assignments/announce.ts';
import { forgetUser } from '../src/users/forget-user.ts';
import { addAnswer, addSession } from './setup/add-answer.ts';
import { assignmentTerms, type CallAs, callAs, hourMs, inHours, queuedMails } from './setup/assigned-work.ts';
import { type RecordingUnderTest, startRecording } from './setup/recording-under-test.ts';

let service: RecordingUnderTest;
let coach: TestUser;
let done: TestUser;
let idle: TestUser;
let setId: string;
const groupId = new Types.ObjectId().toHexString();

beforeAll(async () => {
  service = await startRecording();
  [coach, done, idle] = (await Promise.all(['a', 'b', 'c'].map(() => service.identity.user('others')))) as [
    TestUser,
    TestUser,
    TestUser,
  ];
  ({ setId } = await service.addSet());
  const group = { groupId, archived: false, coaches: [coach.id], members: [done.id, idle.id], revision: 1 };
  await service.models.groups.apply(group);
});
afterAll(() => service.close());
beforeEach(async () => {
  await service.models.assignments.deleteMany({});
  await service.allJobs.queue('auth').obliterate({ force: true });
});

const ask = (...call: CallAs) => callAs(service, ...call);
const terms = (dueAt = inHours(47)) => assignmentTerms({ dueAt: dueAt.toISOString() });
async function assign(dueAt?: Date): Promise<string> {
  const body = { ...terms(dueAt), groupId, sets: [{ kind: 'interview', setId }], memberIds: null };
  return (await ask(coach, 'post', '/api/assignments', body).expect(201)).body.assignment.id;
}
const mails = () => queuedMails(service);
const empty = () => service.allJobs.queue('auth').obliterate({ force: true });

test('members are told about new work, changes and a withdrawal, but not about a change without effect', async () => {
  const id = await assign();
  const members = [done.id, idle.id];
  expect(await mails()).toMatchObject([{ about: 'new', assignmentId: id, title: 'Week 1', userIds: members }]);
  await empty();
  const { opensAt, dueAt } = (await ask(coach, 'get', `/api/assignments?groupId=${groupId}`)).body.assignments[0];
  await ask(coach, 'put', `/api/assignments/${id}`, { ...terms(), opensAt, dueAt }).expect(200);
  expect(await mails()).toEqual([]);
  await ask(coach, 'put', `/api/assignments/${id}`, { ...terms(), opensAt, dueAt, takes: 2 }).expect(200);
  await ask(coach, 'put', `/api/assignments/${id}`, { ...terms(inHours(90)), opensAt, takes: 2 }).expect(200);
  const told = (await mails()).map(({ about, changes }) => [about, changes.toSorted()]);
  expect(told).toEqual(
    expect.arrayContaining([
      ['changed', ['takes']],
      ['changed', ['dueAt', 'takes']],
    ]),
  );
  const [own] = (await ask(idle, 'get', '/api/assignments').expect(200)).body.assignments;
  expect(own.changed.terms.toSorted()).toEqual(['dueAt', 'takes']);
  await empty();
  await ask(coach, 'delete', `/api/assignments/${id}`).expect(204);
  expect(await mails()).toMatchObject([{ about: 'withdrawn', userIds: members }]);
});

test('48 and 2 hours before the due date, unfinished members are reminded; each reminder has one job id', async () => {
  const id = await assign();
  // As if it was assigned long ago.
  await service.models.assignments.updateOne({ _id: id }, { $set: { createdAt: inHours(-100) } });
  const assignment = { assignmentId: id, groupId, late: false, feedback: 'at-once', feedbackAt: new Date() } as const;
  const session = await addSession(service, done, { assignment, setId, questions: ['What is a closure?'] });
  await addAnswer(service, session, { assessment: { status: 'unscored' } });
  const dueAt = (await service.models.assignments.findById(id).orFail()).dueAt as Date;
  const at = async (hoursBefore: number) => {
    await empty();
    const now = Number(dueAt) - hoursBefore * hourMs;
    await Promise.all([announceAll({ ...service }, now), announceAll({ ...service }, now)]);
    return (await mails()).map(({ about, at: when, userIds }) => [about, when, userIds]);
  };
  const reminder = (hours: number) => ['due', new Date(Number(dueAt) - hours * hourMs).toISOString(), [idle.id]];
  expect(await at(49)).toEqual([]);
  expect(await at(47.9)).toEqual([reminder(48)]);
  expect(await at(30)).toEqual([]);
  expect(await at(1.9)).toEqual([reminder(2)]);
  expect(await at(-1)).toEqual([]);
});

test('webhooks receive judged answers and completed assignments, but not old ones', async () => {
  const id = await assign();
  await empty();
  const assignment = { assignmentId: id, groupId, late: false, feedback: 'release', feedbackAt: null } as const;
  const session = await addSession(service, done, { assignment, setId, questions: ['First?', 'Second?'] });
  const events = async () => {
    const jobs = await service.allJobs.queue('auth').getJobs(['waiting', 'delayed', 'prioritized']);
    return jobs.filter(({ name }) => name === 'webhook-event').map(({ data }) => data);
  };
  const publish = async (_id: Types.ObjectId) =>
    service.outbox.publish(await service.models.recordings.findById(_id).orFail());
  const verdict = { isCorrect: true, correctnessPercentage: 82, assessment: { status: 'completed' } } as const;
  const first = await addAnswer(service, session, verdict);
  await publish(first._id);
  const ids = { interviewId: String(session._id), assignmentId: id };
  const judged = {
    type: 'answer.judged',
    userId: done.id,
    groupId,
    data: {
      ...ids,
      recordingId: String(first._id),
      questionId: 0,
      isCorrect: true,
      correctnessPercentage: 82,
      reviewed: false,
    },
  };
  expect(await events()).toEqual([expect.objectContaining(judged)]);
  const second = await addAnswer(service, session, {
    questionId: 1,
    stageStatus: 'pending',
    assessment: { status: 'pending' },
  });
  await publish(second._id);
  expect(await events()).toEqual(
    expect.arrayContaining([
      expect.objectContaining({
        type: 'assignment.completed',
        userId: done.id,
        data: { ...ids, title: 'Week 1', late: false },
      }),
    ]),
  );
  await empty();
  const old = { createdAt: inHours(-3), updatedAt: inHours(-2) };
  await service.models.recordings.collection.updateMany({ session: session._id }, { $set: old });
  await publish(first._id);
  expect(await events()).toEqual([]);
});

test('work assigned or changed within the 48 hours gets no 48-hour reminder', async () => {
  const id = await assign();
  await empty();
  await announceAll({ ...service });
  expect((await mails()).map(({ about }) => about)).toEqual(['new']);
  await service.models.assignments.updateOne(
    { _id: id },
    { $set: { createdAt: inHours(-100), changed: { at: inHours(-0.1), terms: ['dueAt'] } } },
  );
  await empty();
  await announceAll({ ...service });
  expect((await mails()).map(({ about }) => about)).toEqual(['changed']);
});

test('members of an archived group get no notices', async () => {
  await assign();
  await empty();
  const group = { groupId, coaches: [coach.id], members: [done.id, idle.id] };
  await service.models.groups.apply({ ...group, archived: true, revision: 2 });
  await announceAll({ ...service });
  expect(await mails()).toEqual([]);
  await service.models.groups.apply({ ...group, archived: false, revision: 3 });
});

test('a calendar shows due dates to anyone with its address, until the address is replaced or removed', async () => {
  const id = await assign();
  expect((await ask(idle, 'get', '/api/calendar').expect(200)).body).toEqual({ createdAt: null });
  const create = async () => (await ask(idle, 'post', '/api/calendar').expect(201)).body.url as string;
  const read = (url: string) => request(service.server).get(url.replace('https://prep.example.com', ''));
  const first = await create();
  expect(JSON.stringify(await service.models.calendarFeeds.find().lean())).not.toContain(first.split('=')[1]);
  const { text, headers } = await read(first).expect(200);
  expect(headers['content-type']).toBe('text/calendar; charset=utf-8');
  const dueAt = (await service.models.assignments.findById(id).orFail()).dueAt as Date;
  const stamp = dueAt.toISOString().replace(/[-:]|\.\d+/g, '');
  expect(text).toContain(`DTEND:${stamp}`);
  expect(text).toContain('SUMMARY:Due: Week 1');
  expect(text).toContain(`UID:${id}@prep.example.com`);

  const second = await create();
  await read(first).expect(404);
  await read(second).expect(200);
  expect((await ask(idle, 'get', '/api/calendar').expect(200)).body.createdAt).not.toBeNull();
  await ask(idle, 'delete', '/api/calendar').expect(204);
  await read(second).expect(404);
  await read('/api/calendar/feed.ics').expect(400);
  await request(service.server).get('/api/calendar').expect(401);
});

test('a calendar address stops working with the account, and when it is suspended', async () => {
  const user = { userId: idle.id, email: 'x@example.com', role: 'others', lastLogin: null, revision: 2 } as const;
  for (const change of [{ deletedAt: null, suspended: true }, { deletedAt: new Date().toISOString() }]) {
    await ask(idle, 'post', '/api/calendar').expect(201);
    await forgetUser({ ...user, ...change }, service.models, service.deletions);
    expect(await service.models.calendarFeeds.countDocuments({ _id: idle.id })).toBe(0);
  }
});
