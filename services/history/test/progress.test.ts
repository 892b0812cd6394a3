import type { RecordingSnapshot, SessionSnapshot } from '@interview-prep/contracts/events/snapshots';
import { mixedSetId } from '@interview-prep/contracts/recording/mixed-sessions';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import type { Express } from 'express';
import request from 'supertest';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { streakDays } from '../src/progress/read-progress.ts';
import { applyDeletion } from '../src/projection/apply-deletion.ts';
import { applyRecording } from '../src/projection/apply-recording.ts';
import type { HistoryModels } from '../src/projection/model.ts';
import { recordingOf, sessionOf } from './events.ts';
import { type StartedHistory, startHistory } from './start-history.ts';

let started: StartedHistory;
let models: HistoryModels;
let identity: StartedHistory['identity'];
let app: Express;
let ada: TestUser;

beforeAll(async () => {
  started = await startHistory();
  ({ models, identity, own: app } = started);
});
afterAll(() => started.stop());
beforeEach(async () => {
  ada = await identity.user('others');
});

const dayMs = 86_400_000;
const daysAgo = (days: number) => new Date(Date.now() - days * dayMs).toISOString();

type Answer = Partial<RecordingSnapshot> & { score: number | null };

/** Applies a session with these answers. The first question is the same in every session. */
async function take(answers: readonly Answer[], session: Partial<SessionSnapshot> = {}, user = ada) {
  const whole = sessionOf(user, { questions: answers.map((_, index) => `Question ${index + 1}?`), ...session });
  const recordings = answers.map(({ score, ...more }, questionId) =>
    recordingOf({
      questionId,
      createdAt: whole.createdAt,
      isCorrect: score === null ? null : score >= 60,
      correctnessPercentage: score,
      ...more,
    }),
  );
  for (const recording of recordings) await applyRecording({ session: whole, recording }, models);
  return { session: whole, recordings };
}

const get = async (path: string, user = ada) =>
  (await request(app).get(path).set('Authorization', user.authorization).expect(200)).body;

const points = (...missing: string[]) => ({
  status: 'completed' as const,
  engine: 'test',
  points: ['Scope', 'Function'].map((text) => ({
    text,
    covered: !missing.includes(text),
    evidence: '',
    state: missing.includes(text) ? ('missing' as const) : ('covered' as const),
  })),
});

test('scores based on edited words are flagged in lists and averages until someone reviews them', async () => {
  const correctedAt = daysAgo(0);
  const transcription = { status: 'completed', text: 'a', completedAt: correctedAt } as const;
  const proposed = { text: 'b', createdAt: correctedAt, why: 'changed' } as const;
  const review = { by: 'admin' as const, createdAt: correctedAt, correctnessPercentage: 40, reason: 'x', comments: [] };
  const { session, recordings } = await take([
    { score: 90, transcription: { ...transcription, correctedAt } },
    { score: 10, transcription: { ...transcription, proposed } },
    { score: 40, transcription: { ...transcription, correctedAt }, assessment: { ...points(), review } },
    { score: null, transcription: { ...transcription, correctedAt } },
    { score: 50 },
  ]);
  const marks = async () => {
    const [{ recordings: items }, { latest, technologies }, { questions }] = await Promise.all([
      get('/api/interviews/history'),
      get('/api/progress'),
      get('/api/reviews'),
    ]);
    const edited = (list: { questionId: number; edited: boolean }[]) =>
      list.filter((each) => each.edited).map(({ questionId }) => questionId);
    const [{ trend, editedCount }] = technologies;
    expect(editedCount).toBe(trend[0].editedCount);
    const counts = [items[0], trend[0], technologies[0]].map(({ reviewedCount }) => reviewedCount);
    expect(new Set(counts).size).toBe(1);
    return [
      counts[0],
      items[0].editedCount,
      trend[0].editedCount,
      edited(latest.outcomes),
      edited(questions).toSorted(),
    ];
  };
  expect(await marks()).toEqual([1, 2, 2, [0, 1], [0, 1]]);
  const [first] = recordings;
  const reviewed = { ...first!, assessment: { ...first!.assessment, review }, revision: 2 };
  await applyRecording({ session, recording: reviewed }, models);
  expect(await marks()).toEqual([2, 1, 1, [1], [1]]);
});

test("progress has each technology's trend, the missed points, the time spent and the streak", async () => {
  const chatGPTResponse = 'A closure is a Function. It keeps its Scope, where it was made.';
  await take([{ score: 20, assessment: points('Scope', 'Function'), chatGPTResponse }], {
    createdAt: daysAgo(2),
    title: 'First',
  });
  await take([{ score: 40, assessment: points('Scope'), chatGPTResponse }, { score: 80 }], {
    createdAt: daysAgo(1),
    title: 'Second',
  });
  await take([{ score: null }], { createdAt: daysAgo(0.5), technology: 'SQL', kind: 'practice' });
  await take([{ score: 90 }], { technology: 'Unknown Technology' });
  await take([{ score: 5 }], {}, await identity.user('others'));

  const body = await get('/api/progress?timeZone=Europe/Berlin');
  expect(body).toMatchObject({ sessionCount: 3, spokenMs: 16_000, latest: { title: 'Second' } });
  expect(body.streakDays).toBeGreaterThanOrEqual(2);
  expect(body.technologies).toMatchObject([
    { technology: 'SQL', sessionCount: 1, spokenMs: 4000, questionCount: 0, trend: [], missed: [] },
    { technology: 'JavaScript', sessionCount: 2, spokenMs: 12_000, questionCount: 2 },
  ]);
  expect(body.technologies[1].trend).toMatchObject([
    { title: 'First', average: 20, judgedCount: 1 },
    { title: 'Second', average: 60, judgedCount: 2 },
  ]);
  // 'Function' was covered the second time. A clause is shown with the rest of its sentence.
  expect(body.technologies[1].missed).toMatchObject([
    { text: 'Scope', before: 'It keeps its ', after: ', where it was made.', times: 2, question: 'Question 1?' },
  ]);
});

test('a sentence with one covered point is missed only for its other point', async () => {
  const chatGPTResponse = 'A Function keeps its Scope.';
  await take([{ score: 50, assessment: points('Scope'), chatGPTResponse }]);
  const [{ missed }] = (await get('/api/progress')).technologies;
  expect(missed).toMatchObject([{ before: 'A Function keeps its ', text: 'Scope', after: '.', times: 1 }]);
});

test('only the same questions are compared, and averages name the number of questions', async () => {
  const easy = { title: 'Easy', questions: ['One?', 'Two?'] };
  const hard = { title: 'Hard', questions: ['Three?', 'Four?', 'Five?'] };
  await take([{ score: 80 }, { score: 60 }], { ...easy, createdAt: daysAgo(4) });
  const [before] = (await get('/api/progress')).technologies;
  expect(before).toMatchObject({ average: 70, questionCount: 2, repeated: null });

  await take([{ score: 30 }, { score: 20 }, { score: 10 }], { ...hard, createdAt: daysAgo(3) });
  await take([{ score: 100 }, { score: 40 }], { ...easy, title: 'Easy again', createdAt: daysAgo(2) });
  await take([{ score: 60 }], { ...hard, title: 'One of hard', createdAt: daysAgo(1) });
  const [now] = (await get('/api/progress')).technologies;
  expect(now).toMatchObject({
    questionCount: 5,
    average: (100 + 40 + 60 + 20 + 10) / 5,
    repeated: { questionCount: 3, first: (80 + 60 + 30) / 3, now: (100 + 40 + 60) / 3 },
  });
  expect(now.trend).toMatchObject([
    { title: 'Easy', average: 70, soFar: { average: 70, questionCount: 2 } },
    { title: 'Hard', average: 20, soFar: { average: 40, questionCount: 5 } },
    { title: 'Easy again', average: 70, soFar: { average: 40, questionCount: 5 } },
    { title: 'One of hard', average: 60, soFar: { average: 46, questionCount: 5 } },
  ]);
});

test('the newest interview is listed question by question; before the first there is nothing', async () => {
  expect(await get('/api/progress')).toEqual({
    streakDays: 0,
    spokenMs: 0,
    sessionCount: 0,
    latest: null,
    technologies: [],
  });
  const { session } = await take([{ score: 20 }, { score: 40 }, { score: 70 }], {
    questions: ['One?', 'Two?', 'Three?', 'Four?', 'Five?'],
    askedQuestions: [0, 1, 2, 4],
  });
  const { latest } = await get('/api/progress');
  expect(latest).toEqual({
    _id: session.entryId,
    interviewSetId: session.setId,
    title: 'Closures',
    technology: 'JavaScript',
    createdAt: session.createdAt,
    questions: session.questions,
    outcomes: [
      { questionId: 0, state: 'incorrect', percentage: 20, edited: false },
      { questionId: 1, state: 'partly', percentage: 40, edited: false },
      { questionId: 2, state: 'correct', percentage: 70, edited: false },
      { questionId: 4, state: 'unanswered', percentage: null, edited: false },
    ],
  });
});

test.each(['timeZone=Nowhere', 'timeZone='])('progress rejects %s', async (query) => {
  const { body } = await request(app).get(`/api/progress?${query}`).set('Authorization', ada.authorization).expect(400);
  expect(body.details).toMatchObject([{ path: 'timeZone' }]);
});

test.each(['/api/progress', '/api/reviews'])('%s requires a sign-in', async (path) => {
  await request(app).get(path).expect(401);
});

test('the weaker an answer, the sooner its question is due; soonest first', async () => {
  const scores = [95, 70, 40, 10];
  const { session } = await take(
    scores.map((score) => ({ score })),
    { createdAt: daysAgo(1.5) },
  );
  const body = await get('/api/reviews');
  expect(body).toMatchObject({ dueCount: 1, total: 4 });
  const days = (dueAt: string) => Math.round((Date.parse(dueAt) - Date.parse(session.createdAt)) / dayMs);
  expect(
    body.questions.map(({ correctnessPercentage, dueAt }: { correctnessPercentage: number; dueAt: string }) => [
      correctnessPercentage,
      days(dueAt),
    ]),
  ).toEqual([
    [10, 1],
    [40, 2],
    [70, 3],
    [95, 8],
  ]);
  expect(body.questions[0]).toMatchObject({
    question: 'Question 4?',
    technology: 'JavaScript',
    interviewSetId: session.setId,
    questionId: 3,
    title: 'Closures',
    answeredAt: session.createdAt,
  });
});

test('a better answer later postpones the question, in any order and repetition of events', async () => {
  const [first, second] = [
    await take([{ score: 10 }], { createdAt: daysAgo(5) }),
    await take([{ score: 80 }], { createdAt: daysAgo(4) }),
  ];
  const expected = await get('/api/reviews');
  expect(expected).toMatchObject({ dueCount: 1, total: 1, questions: [{ correctnessPercentage: 80 }] });

  const events = [first, second].map(({ session, recordings: [recording] }) => ({ session, recording: recording! }));
  await models.recordings.deleteMany({ userId: ada.id });
  await models.answeredQuestions.deleteMany({ userId: ada.id });
  const shuffled = [events[1]!, events[0]!, events[1]!, events[0]!];
  await Promise.all(shuffled.map((event) => applyRecording(event, models)));
  expect(await get('/api/reviews')).toEqual(expected);

  // A new verdict on the first answer changes the schedule derived from it.
  const judgedAgain = { ...events[0]!.recording, revision: 2, correctnessPercentage: 90 };
  await applyRecording({ session: events[0]!.session, recording: judgedAgain }, models);
  expect((await get('/api/reviews')).dueCount).toBe(0);
});

test('a question in a mixed session counts toward its own set and technology', async () => {
  const sources = [
    { setId: 'a'.repeat(24), title: 'Loops', technology: 'Go', questionId: 4 },
    { setId: 'b'.repeat(24), title: 'Joins', technology: 'SQL', questionId: 1 },
  ];
  const mixed = { setId: mixedSetId, title: 'Review of 2 questions', technology: 'Several technologies', sources };
  const { session } = await take([{ score: 30 }, { score: 50 }], mixed);
  const { technologies } = await get('/api/progress');
  expect(technologies).toMatchObject([
    { technology: 'Go', trend: [{ average: 30, title: 'Review of 2 questions' }] },
    { technology: 'SQL', trend: [{ average: 50 }] },
  ]);
  const { questions } = await get('/api/reviews');
  expect(questions).toMatchObject([
    { technology: 'Go', interviewSetId: 'a'.repeat(24), questionId: 4, title: 'Loops' },
    { technology: 'SQL', interviewSetId: 'b'.repeat(24), questionId: 1, title: 'Joins' },
  ]);
  expect(await get(`/api/interviews/${session.entryId}`)).toMatchObject({ sources });
  expect((await get('/api/interviews/history')).recordings).toMatchObject([{ sources }]);
  const { takes } = await get(`/api/interviews/${session.entryId}/questions/1/takes`);
  expect(takes).toMatchObject([{ title: 'Joins', interviewId: session.entryId }]);
});

test('deleting an answer, session or user removes it from progress and due questions', async () => {
  const first = await take([{ score: 10 }, { score: 20 }], { createdAt: daysAgo(3) });
  const second = await take([{ score: 80 }], { createdAt: daysAgo(2) });
  const { sessionId } = second.session;
  const { recordingId } = second.recordings[0]!;
  const total = async () => (await get('/api/reviews')).total;

  await applyDeletion({ target: { kind: 'answer', recordingId, sessionId, questionId: 0, sha256: 'f' } }, models);
  const { questions } = await get('/api/reviews');
  expect(questions.map((one: { correctnessPercentage: number }) => one.correctnessPercentage)).toEqual([10, 20]);

  await applyDeletion({ target: { kind: 'session', sessionId: first.session.sessionId } }, models);
  expect(await total()).toBe(0);
  expect(await get('/api/progress')).toMatchObject({ technologies: [], spokenMs: 0 });

  await take([{ score: 30 }]);
  expect(await total()).toBe(1);
  await applyDeletion({ target: { kind: 'user', userId: ada.id } }, models);
  expect(await models.answeredQuestions.countDocuments({ userId: ada.id })).toBe(0);
  expect(await models.deletions.countDocuments({ questions: { $exists: true } })).toBe(0);
});

test('an interrupted deletion of a session still updates the due questions', async () => {
  const { session } = await take([{ score: 30 }]);
  const [{ userId, questionHash } = {}] = await models.recordings.find({ userId: ada.id }).lean();
  const target = { kind: 'session', sessionId: session.sessionId } as const;
  // The state after a kill between the last recording and the questions.
  const entry = { _id: `session-${session.sessionId}`, target, questions: [{ userId, questionHash }] };
  await models.deletions.collection.insertOne(entry as never);
  await models.recordings.deleteMany({ userId: ada.id });
  await models.sessions.deleteMany({ userId: ada.id });
  await applyDeletion({ target }, models);
  expect(await models.answeredQuestions.countDocuments({ userId: ada.id })).toBe(0);
});

test.each([
  ['no day', [], 0],
  ['today', ['2026-03-10T09:00:00Z'], 1],
  ['yesterday and the day before', ['2026-03-09T09:00:00Z', '2026-03-08T09:00:00Z'], 2],
  ['a gap', ['2026-03-10T09:00:00Z', '2026-03-08T09:00:00Z'], 1],
  ['the day before yesterday', ['2026-03-08T09:00:00Z'], 0],
  // In Tokyo, the tenth begins at 15:00 UTC on the ninth.
  ['two sessions of one UTC day', ['2026-03-09T14:00:00Z', '2026-03-09T16:00:00Z'], 2],
])('the streak: %s', (_what, times, days) => {
  const dates = times.map((time) => new Date(time));
  expect(streakDays(dates, 'Asia/Tokyo', new Date('2026-03-10T12:00:00Z'))).toBe(days);
});
