import type { SessionAssignment } from '@interview-prep/contracts/recording/assignments';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import { Types } from 'mongoose';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyDeletion } from '../src/projection/apply-deletion.ts';
import { applyRecording } from '../src/projection/apply-recording.ts';
import { type StartedHistory, startHistory } from './start-history.ts';

let started: StartedHistory;
let coach: TestUser;
let otherCoach: TestUser;
let member: TestUser;
let admin: TestUser;
const [groupId, assignmentId] = [new Types.ObjectId().toHexString(), new Types.ObjectId().toHexString()];
let revision = 0;

beforeAll(async () => {
  started = await startHistory();
  const user = () => started.identity.user('others');
  [coach, otherCoach, member, admin] = [await user(), await user(), await user(), await started.identity.user('admin')];
  await publishGroup();
  const other = { groupId: new Types.ObjectId().toHexString(), archived: false, revision: 1 };
  await started.models.groups.apply({ ...other, coaches: [otherCoach.id], members: [member.id] });
});
afterAll(() => started.stop());

async function publishGroup(changes: object = {}): Promise<void> {
  revision += 1;
  const group = { groupId, archived: false, coaches: [coach.id], members: [member.id], revision };
  await started.models.groups.apply({ ...group, ...changes });
}
const waiting = (changes: Partial<SessionAssignment> = {}): SessionAssignment => ({
  assignmentId,
  groupId,
  late: false,
  feedback: 'release',
  feedbackAt: null,
  ...changes,
});
const get = (user: TestUser, path: string, app = started.own) =>
  request(app).get(path).set('Authorization', user.authorization);
const detailOf = (entryId: string) => `/api/interviews/${entryId}`;

describe('feedback that has not been released', () => {
  test('is hidden from the candidate, and shown to coaches and admins', async () => {
    const assessment = {
      status: 'completed' as const,
      points: [{ text: 'Keeps variables', covered: true, evidence: 'x', weight: 100 }],
    };
    const { session } = await started.take(
      member,
      { assignment: waiting() },
      { assessment, correctnessPercentage: 73 },
    );
    const paths = [
      detailOf(session.entryId),
      `${detailOf(session.entryId)}/questions/0/takes`,
      '/api/interviews/history',
      '/api/progress?timeZone=UTC',
      '/api/reviews',
    ];
    for (const app of [started.own, started.open]) {
      for (const path of paths) {
        const { text } = await get(member, path, app).expect(200);
        for (const secret of ['73', 'Keeps variables', 'A function with its scope']) {
          const said = text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z|[0-9a-f]{24}|[\w-]{36,}/g, '');
          expect(said, path).not.toContain(secret);
        }
      }
    }
    const own = (await get(member, detailOf(session.entryId)).expect(200)).body;
    expect(own.recordings[0]).toMatchObject({
      isCorrect: null,
      transcription: { text: 'a function' },
      assessment: { status: 'unscored', reason: 'You will see feedback when your coach releases it.' },
    });
    for (const reader of [coach, admin]) {
      const { body } = await get(reader, detailOf(session.entryId)).expect(200);
      expect(body.recordings[0]).toMatchObject({ correctnessPercentage: 73, assessment: { status: 'completed' } });
    }
  });

  test('is shown from its release time on', async () => {
    const past = new Date(Date.now() - 1000).toISOString();
    const future = new Date(Date.now() + 60_000).toISOString();
    const shown = await started.take(member, { assignment: waiting({ feedback: 'due', feedbackAt: past }) });
    const hidden = await started.take(member, { assignment: waiting({ feedback: 'due', feedbackAt: future }) });
    const scoreOf = async ({ session }: typeof shown) =>
      (await get(member, detailOf(session.entryId)).expect(200)).body.recordings[0].correctnessPercentage;
    expect([await scoreOf(shown), await scoreOf(hidden)]).toEqual([80, null]);
  });
});

describe('progress', () => {
  const questionsOf = async (user: TestUser) => (await get(user, '/api/reviews').expect(200)).body.total;

  test('counts assigned work once its feedback is released', async () => {
    const user = await started.identity.user('others');
    const taken = await started.take(user, { assignment: waiting() });
    expect(await questionsOf(user)).toBe(0);
    const { session, recording } = taken;
    const assignment = waiting({ feedbackAt: new Date().toISOString() });
    const released = { ...session, assignment, revision: session.revision + 1 };
    await applyRecording(
      { session: released, recording: { ...recording, revision: recording.revision + 1 } },
      started.models,
    );
    expect(await questionsOf(user)).toBe(1);
  });

  test('counts it once it is due, although no event reports that', async () => {
    const user = await started.identity.user('others');
    const { session } = await started.take(user, {
      assignment: waiting({ feedback: 'due', feedbackAt: new Date(Date.now() + 3_600_000).toISOString() }),
    });
    expect(await questionsOf(user)).toBe(0);
    const past = { $set: { 'assignment.feedbackAt': new Date(Date.now() - 1000).toISOString() } };
    await started.models.sessions.updateOne({ _id: session.entryId }, past);
    expect(await questionsOf(user)).toBe(1);
    expect((await get(user, '/api/progress?timeZone=UTC').expect(200)).text).toContain('80');
  });
});

describe('a coach', () => {
  test("reads only members' sessions for the group, not their other ones", async () => {
    const forGroup = await started.take(member, { assignment: waiting({ feedback: 'at-once' }) });
    const practiced = await started.take(member);
    await get(coach, detailOf(forGroup.session.entryId)).expect(200);
    await get(coach, detailOf(practiced.session.entryId)).expect(404);
    await get(otherCoach, detailOf(forGroup.session.entryId)).expect(404);
    await get(coach, `${detailOf(forGroup.session.entryId)}/questions/0/takes`).expect(404);
    expect((await get(coach, '/api/interviews/history').expect(200)).body.total).toBe(0);
  });

  test('gets the data that a review needs, and is named in their own reviews; admins are named only to reviewers', async () => {
    const by = (kind: 'admin' | 'coach', { id, email }: TestUser) => ({
      by: kind,
      reviewer: { userId: id, email },
      createdAt: new Date().toISOString(),
      correctnessPercentage: 60,
      reason: 'Said.',
      comments: [],
    });
    const assessmentFor = async (reader: TestUser, review: ReturnType<typeof by>) => {
      const assessment = { status: 'completed' as const, review };
      const { session } = await started.take(
        member,
        { assignment: waiting({ feedback: 'at-once', feedbackAt: new Date(0).toISOString() }) },
        { assessment },
      );
      return (await get(reader, detailOf(session.entryId)).expect(200)).body.recordings[0].assessment;
    };
    const [ofCoach, ofAdmin] = [by('coach', coach), by('admin', admin)];
    for (const reader of [coach, admin]) {
      const { version, review } = await assessmentFor(reader, ofAdmin);
      expect([typeof version, review.reviewer.email]).toEqual(['string', admin.email]);
    }
    const { version, review } = await assessmentFor(member, ofCoach);
    expect([version, review.reviewer.email]).toEqual([undefined, coach.email]);
    expect((await assessmentFor(member, ofAdmin)).review).not.toHaveProperty('reviewer');
  });

  test('can no longer see members who left, and none after they stop being a coach', async () => {
    const { session } = await started.take(member, { assignment: waiting() });
    await publishGroup({ members: [] });
    await get(coach, detailOf(session.entryId)).expect(404);
    await get(member, detailOf(session.entryId)).expect(200);
    await publishGroup({ coaches: [] });
    await get(coach, detailOf(session.entryId)).expect(404);
    await publishGroup();
    await get(coach, detailOf(session.entryId)).expect(200);
  });
});

describe('the roster', () => {
  const rosterOf = (user: TestUser, assignment: string) => get(user, `/api/rosters/${groupId}/${assignment}`);

  test('is only for coaches of the group and admins', async () => {
    await rosterOf(otherCoach, assignmentId).expect(404);
    await rosterOf(await started.identity.user('dev'), assignmentId).expect(404);
    await rosterOf(member, assignmentId).expect(403);
    await rosterOf(coach, assignmentId).expect(200);
    await rosterOf(admin, assignmentId).expect(200);
    await get(coach, `/api/rosters/${new Types.ObjectId()}/${assignmentId}`).expect(404);
  });

  test('totals takes, scores and time, for members only', async () => {
    const another = new Types.ObjectId().toHexString();
    const taken = { assignment: waiting({ assignmentId: another }), questions: ['Why?'], expertAnswers: [''] };
    const left = await started.identity.user('others');
    await started.take(left, taken);
    const first = await started.take(member, taken, { correctnessPercentage: 40 });
    await started.take(member, taken, { correctnessPercentage: 90 });
    const late = { ...taken, assignment: { ...taken.assignment, late: true }, questions: ['Why?', 'How?'] };
    const newest = await started.take(member, late, { correctnessPercentage: 60 });
    expect((await rosterOf(coach, another).expect(200)).body.rows).toEqual([
      {
        userId: member.id,
        takes: 3,
        doneSetIds: expect.arrayContaining([first.session.setId]),
        first: 40,
        latest: 60,
        best: 90,
        reviewedCount: 0,
        pendingCount: 0,
        spokenMs: 12_000,
        late: true,
        lastAt: newest.session.createdAt,
        newest: { kind: 'interview', id: newest.session.entryId },
      },
    ]);
  });
});

describe('the questions of an assignment', () => {
  const questionsOf = (user: TestUser, assignment: string) =>
    get(user, `/api/rosters/${groupId}/${assignment}/questions`);

  test('are only for coaches of the group and admins', async () => {
    await questionsOf(otherCoach, assignmentId).expect(404);
    await questionsOf(member, assignmentId).expect(403);
    await questionsOf(admin, assignmentId).expect(200);
  });

  test('have the newest answer of each member, and their totals', async () => {
    const [ada, ben, cy, left] = await Promise.all(Array.from({ length: 4 }, () => started.identity.user('others')));
    if (!ada || !ben || !cy || !left) throw new Error('No users');
    await publishGroup({ members: [ada.id, ben.id, cy.id] });
    const assignment = waiting({ assignmentId: new Types.ObjectId().toHexString() });
    const setId = new Types.ObjectId().toHexString();
    const taken = { assignment, setId, expertAnswers: ['It keeps its scope, and it is a function.', ''] };
    const judged = (correctnessPercentage: number, durationMs: number, ...missed: string[]) => ({
      correctnessPercentage,
      durationMs,
      assessment: {
        status: 'completed' as const,
        points: ['It keeps its scope', 'Others', 'Extra'].map((text) => ({
          text,
          covered: !missed.includes(text),
          evidence: '',
          optional: text === 'Extra',
        })),
      },
    });
    await started.take(left, taken, judged(1, 1, 'Others'));
    await started.take(ada, taken, judged(10, 1000, 'It keeps its scope', 'Others'));
    // A new session with an answer to only the other question: the first answer stays the newest for its question.
    const pending = { status: 'pending' as const, text: '', completedAt: null };
    await started.take(ada, taken, {
      questionId: 1,
      correctnessPercentage: null,
      transcription: pending,
      assessment: { status: 'pending' },
    });
    await started.take(ben, taken, judged(99, 2000));
    const again = await started.take(ben, taken, judged(60, 9000, 'Others', 'Extra'));
    const third = await started.take(cy, taken, judged(30, 3000, 'Others'));
    const retaken = { ...third.recording, ...judged(50, 500, 'It keeps its scope', 'Others') };
    const recording = { ...retaken, recordingId: new Types.ObjectId().toHexString(), take: 2 };
    const review = {
      by: 'admin' as const,
      createdAt: recording.createdAt,
      correctnessPercentage: 50,
      reason: '',
      comments: [],
    };
    const machine = { isCorrect: false, correctnessPercentage: 20 };
    const reviewed = { ...recording, assessment: { ...recording.assessment, engine: 'a judge', machine, review } };
    await applyRecording({ session: third.session, recording: reviewed }, started.models);

    const [first, second] = (await questionsOf(coach, assignment.assignmentId).expect(200)).body.questions;
    expect(first).toMatchObject({
      kind: 'interview',
      setId,
      question: 'What is a closure?',
      mean: 40,
      fifths: [1, 0, 1, 1, 0],
      missed: [
        { text: 'Others', before: '', after: '', times: 3, of: 3 },
        { text: 'It keeps its scope', before: '', after: ', and it is a function.', times: 2, of: 3 },
      ],
      lengths: { longest: ben.id, shortest: cy.id },
      listen: { best: ben.id, typical: cy.id, weakest: ada.id },
    });
    const [answerOfCy, answerOfBen, answerOfAda] = first.answers;
    expect(answerOfCy).toMatchObject({ userId: cy.id, score: 50, machineScore: 20, reviewed: true, durationMs: 500 });
    expect(first.engines).toEqual(['a judge']);
    expect(answerOfAda).toMatchObject({ userId: ada.id, score: 10, reviewed: false });
    expect(answerOfBen).toEqual({
      userId: ben.id,
      score: 60,
      pending: false,
      reviewed: false,
      machineScore: null,
      durationMs: 9000,
      sessionId: again.session.entryId,
      questionId: 0,
    });
    expect(second).toMatchObject({
      answers: [{ userId: ada.id, score: null, pending: true }],
      mean: null,
      fifths: [0, 0, 0, 0, 0],
      missed: [],
      lengths: null,
      listen: null,
    });

    const { recordingId } = again.recording;
    const { sessionId } = again.session;
    const target = { kind: 'answer' as const, recordingId, sessionId, questionId: 0, sha256: '' };
    await applyDeletion({ target }, started.models);
    const [withoutIt] = (await questionsOf(coach, assignment.assignmentId).expect(200)).body.questions;
    expect(withoutIt.answers.map(({ score }: { score: number }) => score)).toEqual([50, 99, 10]);
    await publishGroup();
  });

  test('of a changed set are listed in both wordings', async () => {
    const assignment = waiting({ assignmentId: new Types.ObjectId().toHexString() });
    const setId = new Types.ObjectId().toHexString();
    await started.take(member, { assignment, setId, questions: ['Why?', 'How?'] });
    await started.take(member, { assignment, setId, questions: ['1. how', 'When?'] });
    const { questions } = (await questionsOf(coach, assignment.assignmentId).expect(200)).body;
    expect(
      questions.map(({ question, answers }: { question: string; answers: object[] }) => [question, answers.length]),
    ).toEqual([
      ['how', 1],
      ['When?', 0],
      ['Why?', 1],
    ]);
  });
});

/** A reviewed assessment: 80%, where the judge said `machine`. */
const reviewBy = (by: 'admin' | 'coach', { id, email }: TestUser, machine = 40) => ({
  status: 'completed' as const,
  engine: 'a judge',
  points: [{ text: 'A function', covered: true, evidence: '' }],
  machine: { isCorrect: false, correctnessPercentage: machine },
  review: {
    by,
    reviewer: { userId: id, email },
    createdAt: '2026-03-02T10:00:00.000Z',
    correctnessPercentage: 80,
    reason: 'You said it in other words.',
    comments: [],
  },
});

describe('how often reviewers overruled the judge', () => {
  test('covers every assignment of the group, for its members only, and is only for coaches and admins', async () => {
    const [ada, left] = [await started.identity.user('others'), await started.identity.user('others')];
    await publishGroup({ members: [ada.id] });
    const one = waiting({ assignmentId: new Types.ObjectId().toHexString() });
    const other = waiting({ assignmentId: new Types.ObjectId().toHexString() });
    const elsewhere = waiting({ groupId: new Types.ObjectId().toHexString() });
    await started.take(ada, { assignment: one }, { correctnessPercentage: 80 });
    await started.take(ada, { assignment: one }, { assessment: reviewBy('coach', coach) });
    await started.take(ada, { assignment: other }, { assessment: reviewBy('admin', admin, 60) });
    await started.take(ada, { assignment: other }, { assessment: reviewBy('coach', coach, 80) });
    await started.take(ada, { assignment: elsewhere }, { assessment: reviewBy('coach', coach) });
    await started.take(left, { assignment: one }, { assessment: reviewBy('coach', coach) });
    const path = `/api/rosters/${groupId}`;
    const expected = { scored: 4, reviewed: 3, changed: 2, points: 30 };
    expect((await get(coach, path).expect(200)).body.overruled).toEqual(expected);
    expect((await get(admin, path).expect(200)).body.overruled).toEqual(expected);
    await get(ada, path).expect(403);
    await get(otherCoach, path).expect(404);
    await publishGroup();
  });
});

describe('the report of a member', () => {
  test("has each take with its answers, and coaches' feedback by name", async () => {
    const assignment = waiting({ assignmentId: new Types.ObjectId().toHexString() });
    const reportOf = (user: TestUser, userId: string) =>
      get(user, `/api/rosters/${groupId}/${assignment.assignmentId}/members/${userId}`);
    await started.take(member, { assignment, title: 'First' }, { correctnessPercentage: 30 });
    const second = await started.take(
      member,
      { assignment: { ...assignment, late: true } },
      { assessment: reviewBy('coach', coach) },
    );
    const byAdmin = { questionId: 1, recordingId: new Types.ObjectId().toHexString() };
    const recording = { ...second.recording, ...byAdmin, assessment: reviewBy('admin', admin) };
    await applyRecording({ session: second.session, recording }, started.models);

    const { sessions } = (await reportOf(coach, member.id).expect(200)).body;
    expect(sessions).toMatchObject([
      { title: 'First', late: false, score: 30, questionCount: 2, answers: [{ score: 30, review: null }] },
      { sessionId: second.session.entryId, late: true, score: 80 },
    ]);
    const [answer, other] = sessions[1].answers;
    expect(answer).toMatchObject({
      question: 'What is a closure?',
      score: 80,
      machineScore: 40,
      engine: 'a judge',
      points: [{ text: 'A function', before: '', after: ' with its scope.', state: 'covered' }],
      review: { by: 'coach', reviewer: { email: coach.email }, reason: 'You said it in other words.' },
    });
    expect(other.review).not.toHaveProperty('reviewer');
    const ofAdmin = (await reportOf(admin, member.id).expect(200)).body.sessions[1].answers[1];
    expect(ofAdmin.review.reviewer.email).toBe(admin.email);
    await reportOf(coach, coach.id).expect(404);
    await reportOf(otherCoach, member.id).expect(404);
    await reportOf(member, member.id).expect(403);
  });
});
