import type { SessionSnapshot } from '@interview-prep/contracts/events/snapshots';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import type { Express, Request } from 'express';
import { Types } from 'mongoose';
import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { applyRecording } from '../src/projection/apply-recording.ts';
import type { HistoryModels } from '../src/projection/model.ts';
import { recordingOf, sessionOf } from './events.ts';
import { type StartedHistory, startHistory } from './start-history.ts';

let started: StartedHistory;
let models: HistoryModels;
let own: Express;
let open: Express;
let admin: TestUser;
let dev: TestUser;
let candidate: TestUser;
let take: StartedHistory['take'];

beforeAll(async () => {
  started = await startHistory();
  ({ models, own, open, take } = started);
  const { identity } = started;
  [admin, dev, candidate] = await Promise.all([identity.user('admin'), identity.user('dev'), identity.user('others')]);
});
afterAll(() => started.stop());
beforeEach(() => started.empty());

const get = (app: Express, path: string, user: TestUser) =>
  request(app).get(path).set('Authorization', user.authorization);

describe('an interview with selected questions', () => {
  it('counts the questions asked, in the list and in the detail', async () => {
    const questions = ['1. One?', '2. Two?', '3. Three?'];
    const { session } = await take(candidate, { questions, askedQuestions: [0, 2] }, { questionId: 2 });
    const { body: list } = await get(own, '/api/interviews/history', candidate).expect(200);
    expect(list.recordings).toMatchObject([{ questionCount: 2, answeredCount: 1 }]);
    const { body } = await get(own, `/api/interviews/${session.entryId}`, candidate).expect(200);
    expect(body).toMatchObject({
      interviewSetId: session.setId,
      questions: ['One?', 'Two?', 'Three?'],
      askedQuestions: [0, 2],
    });
  });

  it('includes all questions if the session names none', async () => {
    const { session } = await take(candidate);
    const { body } = await get(own, `/api/interviews/${session.entryId}`, candidate).expect(200);
    expect(body.askedQuestions).toEqual([0, 1]);
  });
});

describe('follow-up questions', () => {
  const questions = ['1. One?', '2. Two?', 'Why?', 'What then?'];
  const followUps = [
    { questionId: 2, parentQuestionId: 0 },
    { questionId: 3, parentQuestionId: 1 },
  ];

  it('are counted once they have an answer', async () => {
    const { session } = await take(candidate, { questions, followUps }, { correctnessPercentage: 40 });
    const listed = async () => (await get(own, '/api/interviews/history', candidate).expect(200)).body.recordings;
    const detail = async () => (await get(own, `/api/interviews/${session.entryId}`, candidate).expect(200)).body;
    expect(await listed()).toMatchObject([{ questionCount: 2, answeredCount: 1, averageCorrectness: 40 }]);
    expect(await detail()).toMatchObject({ askedQuestions: [0, 1], followUps });

    const answer = recordingOf({ questionId: 3, correctnessPercentage: 80 });
    await applyRecording({ session, recording: answer }, models);
    expect(await listed()).toMatchObject([{ questionCount: 3, answeredCount: 2, averageCorrectness: 60 }]);
    expect(await detail()).toMatchObject({ askedQuestions: [0, 1, 3] });

    const path = `/api/interviews/${session.entryId}/questions/3/takes`;
    const { body } = await get(own, path, candidate).expect(200);
    expect(body).toMatchObject({ question: 'What then?', takes: [{ _id: answer.recordingId }] });
  });

  it('are not suggested as a next step, and are not asked again', async () => {
    const session = sessionOf(candidate, { questions, followUps, askedQuestions: [0] });
    for (const questionId of [0, 2])
      await applyRecording({ session, recording: recordingOf({ questionId, correctnessPercentage: 10 }) }, models);
    const { latest } = (await get(own, '/api/progress', candidate).expect(200)).body;
    expect(latest.questions).toEqual(['One?', 'Two?']);
    expect(latest.outcomes).toMatchObject([{ questionId: 0, percentage: 10 }]);
    const { body } = await get(own, '/api/reviews', candidate).expect(200);
    expect(body.questions.map(({ question }: { question: string }) => question)).not.toContain('Why?');
  });
});

describe('the takes of a question', () => {
  it('come from every interview of this user that asked it, oldest first', async () => {
    const at = (minute: number) => `2026-03-01T10:${String(minute).padStart(2, '0')}:00.000Z`;
    const { session } = await take(candidate, { questions: ['1. Why?', 'How?'] }, { createdAt: at(3) });
    const again = recordingOf({ questionId: 0, take: 2, createdAt: at(4) });
    await applyRecording({ session, recording: again }, models);
    const other = await take(
      candidate,
      { questions: ['What?', 'Question 2: why?'] },
      { questionId: 1, createdAt: at(1) },
    );
    await take(candidate, { questions: ['1. Why?'], kind: 'practice' });
    await take(dev, { questions: ['1. Why?'] });
    const path = `/api/interviews/${session.entryId}/questions/0/takes`;
    const { body } = await get(own, path, candidate).expect(200);
    expect(body).toMatchObject({ question: 'Why?', technology: 'JavaScript' });
    expect(body.takes.map((one: { interviewId: string; take: number }) => [one.interviewId, one.take])).toEqual([
      [other.session.entryId, 1],
      [session.entryId, 1],
      [session.entryId, 2],
    ]);
    expect(body.takes[2]).toMatchObject({ _id: again.recordingId, correctnessPercentage: 80, title: 'Closures' });
    expect(body.takes[2].audioUrl).toMatch(/^\/api\/media\//);

    await get(own, path, admin).expect(200);
    await get(own, path, dev).expect(404);
    await get(own, `/api/interviews/${session.entryId}/questions/2/takes`, candidate).expect(404);
    await get(own, `/api/interviews/${session.entryId}/questions/x/takes`, candidate).expect(400);
    await request(own).get(path).expect(401);
  });
});

describe('details', () => {
  it('show a whole interview, with prefixes stripped and a media token', async () => {
    const { session, recording } = await take(candidate);
    await get(own, `/api/interviews/${session.entryId.toUpperCase()}`, candidate).expect(200);
    const { body } = await get(own, `/api/interviews/${session.entryId}`, candidate).expect(200);
    expect(body).toMatchObject({
      _id: session.entryId,
      sessionId: session.sessionId,
      userId: candidate.id,
      technology: 'JavaScript',
      createdAt: session.createdAt,
      questions: ['What is a closure?', 'What is hoisting?'],
      recordings: [
        {
          _id: recording.recordingId,
          createdAt: recording.createdAt,
          transcription: { status: 'completed', text: 'a function', completedAt: expect.any(String) },
          isCorrect: true,
          correctnessPercentage: 80,
          chatGPTResponse: 'A function with its scope.',
          assessment: { status: 'completed' },
          peaks: [0.1, 0.9],
        },
      ],
    });
    expect(body).not.toHaveProperty('expertAnswers');
    const token = new URL(body.recordings[0].audioUrl, 'http://x').searchParams.get('token') ?? '';
    expect(started.mediaTokens.linkOf(token)?.recordingId).toBe(recording.recordingId);
  });

  it.each([
    ['an interview', 'interview', ({ entryId }: SessionSnapshot) => `/api/interviews/${entryId}`],
    [
      'the takes of a question',
      'interview',
      ({ entryId }: SessionSnapshot) => `/api/interviews/${entryId}/questions/0/takes`,
    ],
    ['a practice session', 'practice', ({ entryId }: SessionSnapshot) => `/api/practice/details/${entryId}`],
  ] as const)('%s sets a cookie that plays its own media only', async (_what, kind, pathOf) => {
    const { session, recording } = await take(candidate, { kind }, { questionId: 0 });
    const foreign = await take(dev, { kind });
    const { headers } = await get(own, pathOf(session), candidate).expect(200);
    const [cookie = ''] = headers['set-cookie'] as unknown as string[];
    expect(cookie).toMatch(
      /^__Host-media=[\w.-]+; Max-Age=\d+; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/,
    );
    const req = { headers: { cookie: cookie.split(';')[0] } } as Request;
    expect(started.mediaCookie.linkOf(req, recording.recordingId)?.signIn.sub).toBe(candidate.id);
    expect(started.mediaCookie.linkOf(req, foreign.recording.recordingId)).toBeNull();
  });

  it('without media have no media link, and say when it was deleted', async () => {
    const mediaDeletion = { at: '2026-11-20T08:00:00.000Z', afterDays: 30 };
    const { session } = await take(candidate, {}, { mediaDeletion });
    const { body } = await get(own, `/api/interviews/${session.entryId}`, candidate).expect(200);
    expect(body.recordings).toMatchObject([{ audioUrl: '', mediaDeletion, transcription: { text: 'a function' } }]);
  });

  it('show a practice session by its entry and by its session id, with the answers', async () => {
    const { session } = await take(candidate, { kind: 'practice' });
    for (const id of [session.entryId, session.sessionId].flatMap((one) => [one, one.toUpperCase()])) {
      const { body } = await get(own, `/api/practice/details/${id}`, candidate).expect(200);
      expect(body).toMatchObject({
        sessionId: session.sessionId,
        createdAt: session.createdAt,
        title: 'Closures',
        technology: 'JavaScript',
        answers: session.expertAnswers,
        recordings: [{ questionId: 0, createdAt: expect.any(String), transcription: { text: 'a function' } }],
      });
      expect(body.recordings[0].audioUrl).toMatch(/^\/api\/media\//);
      expect(body.recordings[0]).not.toHaveProperty('correctnessPercentage');
    }
  });

  it('return 404 for unknown sessions and those of others', async () => {
    const { session } = await take(candidate);
    const practice = await take(candidate, { kind: 'practice' });
    await get(own, `/api/interviews/${session.entryId}`, dev).expect(404);
    await get(open, `/api/interviews/${session.entryId}`, dev).expect(200);
    await get(own, `/api/interviews/${session.entryId}`, admin).expect(200);
    await get(own, `/api/practice/details/${practice.session.entryId}`, dev).expect(404);
    await get(own, `/api/practice/details/${session.entryId}`, candidate).expect(404);
    const { body } = await get(own, `/api/interviews/${new Types.ObjectId().toHexString()}`, candidate).expect(404);
    expect(body.message).toBe('Interview not found.');
    await get(own, '/api/interviews/not-an-id', candidate).expect(400);
    await get(own, '/api/practice/details/not-there', candidate).expect(404);
    await request(own).get(`/api/interviews/${session.entryId}`).expect(401);
  });
});
