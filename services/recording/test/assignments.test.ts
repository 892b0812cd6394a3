import { randomUUID } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import type { Assignment } from '@interview-prep/contracts/recording/assignments';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import { Types } from 'mongoose';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { exportData } from '../src/export/export-data.ts';
import { addAnswer, addSession } from './setup/add-answer.ts';
import { assignmentTerms, type CallAs, callAs, inHours as hoursAhead } from './setup/assigned-work.ts';
import { type RecordingUnderTest, startRecording } from './setup/recording-under-test.ts';
import { tone } from './setup/spoken.ts';
import { accountOf } from './setup/stand-in-auth.ts';

let service: RecordingUnderTest;
let coach: TestUser;
let otherCoach: TestUser;
let member: TestUser;
let outsider: TestUser;
let admin: TestUser;
let setId: string;
let answer: Buffer;
const groupId = new Types.ObjectId().toHexString();

beforeAll(async () => {
  service = await startRecording();
  [coach, otherCoach, member, outsider] = (await Promise.all(
    ['a', 'b', 'c', 'd'].map(() => service.identity.user('others')),
  )) as [TestUser, TestUser, TestUser, TestUser];
  admin = await service.identity.user('admin');
  answer = await tone(440);
  ({ setId } = await service.addSet({ asksFollowUps: true }));
  await publishGroup();
  const other = { groupId: new Types.ObjectId().toHexString(), archived: false, members: [], revision: 1 };
  await service.models.groups.apply({ ...other, coaches: [otherCoach.id] });
});
afterAll(() => service.close());

let revision = 0;
async function publishGroup(changes: object = {}): Promise<void> {
  revision += 1;
  const group = { groupId, archived: false, coaches: [coach.id], members: [member.id], revision };
  await service.models.groups.apply({ ...group, ...changes });
}

const inHours = (hours: number) => hoursAhead(hours).toISOString();
const terms = (changes: object = {}) => assignmentTerms({ opensAt: inHours(-2), ...changes });
const ask = (...call: CallAs) => callAs(service, ...call);
const assign = (changes: object = {}, user = coach) =>
  ask(user, 'post', '/api/assignments', {
    ...terms(changes),
    groupId,
    sets: [{ kind: 'interview', setId }],
    memberIds: null,
    ...changes,
  });
async function assigned(changes: object = {}): Promise<Assignment> {
  return (await assign(changes).expect(201)).body.assignment;
}
const answerFor = (
  assignmentId: string,
  { user = member, sessionId = randomUUID(), questionId = '0', set = setId } = {},
) =>
  request(service.server)
    .post('/api/interviews/recordings')
    .set('Authorization', user.authorization)
    .field({ sessionId, questionId, interviewSetId: set, assignmentId })
    .attach('audio', answer, 'recording.webm');
const sessionsOf = (id: string) => service.models.sessions.find({ 'assignment.assignmentId': id }).lean();

describe('permissions', () => {
  test("the group's coaches and admins; members get 403, others 404", async () => {
    const { id } = await assigned();
    const calls = [
      ['post', '/api/assignments', { ...terms(), groupId, sets: [{ kind: 'interview', setId }], memberIds: null }, 201],
      ['put', `/api/assignments/${id}`, terms(), 200],
      ['post', `/api/assignments/${id}/release`, undefined, 200],
      ['get', `/api/assignments?groupId=${groupId}`, undefined, 200],
      ['delete', `/api/assignments/${id}`, undefined, 204],
    ] as const;
    for (const [method, path, body] of calls) {
      await ask(member, method, path, body).expect(403);
      for (const outside of [outsider, otherCoach]) await ask(outside, method, path, body).expect(404);
    }
    for (const [method, path, body, status] of calls) await ask(admin, method, path, body).expect(status);
  });

  test("work is for the group's members, or only those whom it names", async () => {
    const all = await assigned();
    await answerFor(all.id, { user: outsider }).expect(404);
    await answerFor(all.id, { user: coach }).expect(404);
    await assign({ memberIds: [outsider.id] }).expect(400);
    const second = await service.identity.user('others');
    await publishGroup({ members: [member.id, second.id] });
    const some = await assigned({ memberIds: [second.id] });
    await answerFor(some.id).expect(404);
    await answerFor(some.id, { user: second }).expect(201);
    const listOf = async (user: TestUser) =>
      (await ask(user, 'get', '/api/assignments').expect(200)).body.assignments.map((one: Assignment) => one.id);
    expect(await listOf(member)).not.toContain(some.id);
    expect(await listOf(second)).toEqual(expect.arrayContaining([all.id, some.id]));
    await publishGroup();
    await answerFor(some.id, { user: second }).expect(404);
    expect(await listOf(second)).toEqual([]);
  });

  test('an unpublished or unassigned set, and contradictory terms, are rejected', async () => {
    const sets = [{ kind: 'interview', setId: new Types.ObjectId().toHexString() }];
    expect((await assign({ sets }).expect(400)).body.details[0].path).toBe('sets.0');
    const { id } = await assigned();
    const other = await service.addSet();
    await answerFor(id, { set: other.setId }).expect(403);
    for (const [changes, path] of [
      [{ dueAt: inHours(-3) }, 'dueAt'],
      [{ dueAt: null, feedback: 'due' }, 'dueAt'],
      [{ feedback: 'last-take' }, 'takes'],
      [{ timeZone: 'Europe/Atlantis' }, 'timeZone'],
    ] as const) {
      expect((await assign(changes).expect(400)).body.details[0].path).toBe(path);
    }
  });
});

describe('time and takes', () => {
  test('nothing starts before it opens; after the due date it is late, or refused', async () => {
    await answerFor((await assigned({ opensAt: inHours(1) })).id).expect(403);
    const late = await assigned({ opensAt: inHours(-5), dueAt: inHours(-1) });
    await answerFor(late.id).expect(201);
    expect(await sessionsOf(late.id)).toMatchObject([{ assignment: { groupId, late: true } }]);
    const closed = await assigned({ opensAt: inHours(-5), dueAt: inHours(-1), closesLate: true });
    await answerFor(closed.id).expect(403);
  });

  test('a session in progress continues when the takes are used up, but no new one starts', async () => {
    const { id } = await assigned({ takes: 1 });
    const sessionId = randomUUID();
    await answerFor(id, { sessionId }).expect(201);
    await answerFor(id, { sessionId, questionId: '1' }).expect(201);
    await answerFor(id).expect(409);
    const { assignments } = (await ask(member, 'get', '/api/assignments').expect(200)).body;
    expect(assignments.find((one: Assignment) => one.id === id).own).toEqual([
      { setId, takesUsed: 1, newest: { interviewId: expect.any(String), answered: 2, questionCount: 2 } },
    ]);
  });

  test('concurrent sessions never use more takes than allowed', async () => {
    const { id } = await assigned({ takes: 2 });
    const answers = await Promise.all(Array.from({ length: 6 }, () => answerFor(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409, 409, 409]);
    expect(await sessionsOf(id)).toHaveLength(2);
  });

  test('completed takes are not affected by later changes of assignment and set', async () => {
    const set = await service.addSet();
    const { id } = await assigned({ sets: [{ kind: 'interview', setId: set.setId }] });
    await answerFor(id, { set: set.setId }).expect(201);
    await service.addSet({ ...set, questions: ['Another question?'], expertAnswers: [''], revision: 2 });
    await ask(coach, 'put', `/api/assignments/${id}`, terms({ opensAt: inHours(-9), dueAt: inHours(-8) })).expect(200);
    expect(await sessionsOf(id)).toMatchObject([{ questions: set.questions, assignment: { late: false } }]);
  });
});

describe('feedback', () => {
  test('waits for its release, is then published, and stays visible', async () => {
    const { id } = await assigned({ feedback: 'release' });
    await answerFor(id).expect(201);
    const [session] = await sessionsOf(id);
    expect(session?.asksFollowUps).toBeUndefined();
    expect(session?.assignment?.feedbackAt).toBeNull();
    const ofSession = { session: session?._id ?? new Types.ObjectId() };
    await service.models.recordings.updateMany(ofSession, { $unset: { unpublished: 1 } });
    await ask(coach, 'post', `/api/assignments/${id}/release`).expect(200);
    const released = (await sessionsOf(id))[0]?.assignment?.feedbackAt;
    expect(released).toBeInstanceOf(Date);
    expect(await service.models.recordings.countDocuments({ ...ofSession, unpublished: true })).toBe(1);
    await ask(coach, 'put', `/api/assignments/${id}`, terms({ feedback: 'due' })).expect(200);
    expect((await sessionsOf(id))[0]?.assignment?.feedbackAt).toEqual(released);
  });

  test('is included with the newest take of a question, for the review queue', async () => {
    const { id } = await assigned({ feedback: 'release' });
    const sessionId = randomUUID();
    await answerFor(id, { sessionId }).expect(201);
    const first = answer;
    answer = await tone(660);
    await answerFor(id, { sessionId }).expect(201);
    answer = first;
    const takes = () => service.models.recordings.find({ sessionId }, 'assigned').sort({ take: 1 }).lean();
    expect((await takes()).map((take) => take.assigned)).toEqual([
      undefined,
      { assignmentId: id, groupId, feedbackAt: null },
    ]);
    await ask(coach, 'post', `/api/assignments/${id}/release`).expect(200);
    const [older, newest] = await takes();
    expect([older?.assigned, newest?.assigned?.feedbackAt]).toEqual([undefined, expect.any(Date)]);
  });

  test('follows changes of the due date', async () => {
    const { id } = await assigned({ feedback: 'due' });
    await answerFor(id).expect(201);
    const dueAt = inHours(48);
    await ask(coach, 'put', `/api/assignments/${id}`, terms({ feedback: 'due', dueAt })).expect(200);
    expect((await sessionsOf(id))[0]?.assignment?.feedbackAt?.toISOString()).toBe(dueAt);
  });

  test('is released after the last take, once it has every answer', async () => {
    const { id } = await assigned({ feedback: 'last-take', takes: 2 });
    const [first, second] = [randomUUID(), randomUUID()];
    const times = async () => (await sessionsOf(id)).map(({ assignment }) => assignment?.feedbackAt !== null);
    for (const sessionId of [first, second]) await answerFor(id, { sessionId }).expect(201);
    await answerFor(id, { sessionId: first, questionId: '1' }).expect(201);
    expect(await times()).toEqual([false, false]);
    await answerFor(id, { sessionId: second, questionId: '1' }).expect(201);
    expect(await times()).toEqual([true, true]);
  });

  test('is shown if the assignment is deleted', async () => {
    const { id } = await assigned({ feedback: 'release' });
    await answerFor(id).expect(201);
    await ask(coach, 'delete', `/api/assignments/${id}`).expect(204);
    expect((await sessionsOf(id))[0]?.assignment?.feedbackAt).toBeInstanceOf(Date);
  });

  test('is not revealed early by shares, appeals, corrections or the data export', async () => {
    const assignment = { assignmentId: 'x', groupId, late: false, feedback: 'release', feedbackAt: null } as const;
    const session = await addSession(service, member, { assignment, expertAnswers: ['The expert answer'] });
    const { _id } = await addAnswer(service, session, {
      isCorrect: true,
      correctnessPercentage: 73,
      chatGPTResponse: 'The expert answer',
      assessment: { status: 'completed', points: [{ text: 'A point', covered: true, evidence: 'said', weight: 100 }] },
    });
    await ask(member, 'post', `/api/sessions/${session._id}/shares`, { role: 'read', days: 1 }).expect(409);
    await ask(member, 'post', `/api/recordings/${_id}/appeal`, { reason: 'It is right.' }).expect(409);
    const claim = { firstWord: 0, lastWord: 0 };
    await ask(member, 'post', `/api/recordings/${_id}/points/0/claim`, claim).expect(409);
    const exported = async () =>
      (await buffer(exportData(accountOf(member.id), service, new AbortController().signal))).toString('latin1');
    const unpacked = await readZip(Buffer.from(await exported(), 'latin1'));
    expect(unpacked).toContain('what was said');
    for (const secret of ['The expert answer', 'A point', '73']) expect(unpacked).not.toContain(secret);
    await service.models.sessions.updateOne({ _id: session._id }, { $set: { 'assignment.feedbackAt': new Date() } });
    expect(await readZip(Buffer.from(await exported(), 'latin1'))).toContain('The expert answer');
    await ask(member, 'post', `/api/sessions/${session._id}/shares`, { role: 'read', days: 1 }).expect(201);
  });
});

/** The text of the files of the member's session. */
async function readZip(bytes: Buffer): Promise<string> {
  const { fromBufferPromise } = await import('yauzl');
  const zip = await fromBufferPromise(bytes);
  let text = '';
  for await (const entry of zip.eachEntry()) {
    const content = (await buffer(await zip.openReadStreamPromise(entry))).toString();
    if (entry.fileName.includes('Warm-up'))
      text += content.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|[0-9a-f]{24}|[\w-]{36}/g, '');
  }
  return text;
}
