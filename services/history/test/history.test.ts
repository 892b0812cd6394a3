import type { RecordingSnapshot, SessionSnapshot } from '@interview-prep/contracts/snapshots';
import { createMediaCookie } from '@interview-prep/kit/media-cookie';
import { createMediaTokens } from '@interview-prep/kit/media-tokens';
import { buildIndexes } from '@interview-prep/kit/mongo';
import { createTestBacking, type TestBacking } from '@interview-prep/kit/testing/backing';
import { createTestIdentity, type TestIdentity, type TestUser } from '@interview-prep/kit/testing/identity';
import { createTokenDenylist } from '@interview-prep/kit/token-denylist';
import type { Express, Request } from 'express';
import { Types } from 'mongoose';
import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createApp } from '../src/app.ts';
import { applyRecording } from '../src/projection/apply-recording.ts';
import { applyUser } from '../src/projection/apply-user.ts';
import { type HistoryModels, historyModels } from '../src/projection/model.ts';
import type { HistoryDeps } from '../src/sessions/routes.ts';
import { newestAt, recordingOf, sessionOf } from './events.ts';

const secret = 'a secret for the tests of thirty-two characters';
const mediaTokens = createMediaTokens(secret);
const mediaCookie = createMediaCookie(secret, 'https://prep.example.com');

let backing: TestBacking;
let models: HistoryModels;
let identity: TestIdentity;
let own: Express;
let open: Express;
let admin: TestUser;
let dev: TestUser;
let candidate: TestUser;

beforeAll(async () => {
  backing = await createTestBacking('history');
  models = historyModels(backing.mongo);
  await buildIndexes(backing.mongo);
  identity = await createTestIdentity(createTokenDenylist(backing.redisAdministrator, backing.settings.REDIS_PREFIX));
  const app = (visibility: HistoryDeps['visibility']) =>
    createApp({ log: backing.log, models, mediaTokens, mediaCookie, visibility, verify: identity.verify, checks: {} });
  own = app('own');
  open = app('all');
  [admin, dev, candidate] = await Promise.all([identity.user('admin'), identity.user('dev'), identity.user('others')]);
});
afterAll(() => backing.close());
beforeEach(async () => {
  await Promise.all([models.sessions.deleteMany({}), models.recordings.deleteMany({}), models.totals.deleteMany({})]);
});

async function take(
  user: TestUser,
  session: Partial<SessionSnapshot> = {},
  recording: Partial<RecordingSnapshot> = {},
) {
  const payload = { session: sessionOf(user, session), recording: recordingOf(recording) };
  await applyRecording(payload, models);
  return payload;
}

const get = (app: Express, path: string, user: TestUser) =>
  request(app).get(path).set('Authorization', user.authorization);

const search = (path: string, filter: object, user: TestUser) =>
  request(own).post(path).set('Authorization', user.authorization).send(filter);

describe('the projection', () => {
  it('applies events twice and in any order', async () => {
    const session = sessionOf(candidate);
    const recordingId = new Types.ObjectId().toHexString();
    const pending = recordingOf({
      recordingId,
      transcription: { status: 'pending', text: '', completedAt: null },
      assessment: { status: 'pending' },
      correctnessPercentage: null,
      isCorrect: null,
    });
    const done = recordingOf({ recordingId, revision: 4 });
    const stands: boolean[] = [];
    for (const recording of [done, pending, done, pending]) {
      stands.push(await applyRecording({ session, recording }, models));
    }
    expect(stands).toEqual([true, false, true, false]);

    const { body } = await get(own, `/api/interviews/${session.entryId}`, candidate).expect(200);
    expect(body.recordings).toHaveLength(1);
    expect(body.recordings[0]).toMatchObject({ correctnessPercentage: 80, transcription: { status: 'completed' } });
    const list = await get(own, '/api/interviews/history', candidate).expect(200);
    expect(list.body).toMatchObject({
      total: 1,
      recordings: [{ answeredCount: 1, pendingCount: 0, averageCorrectness: 80 }],
    });
  });

  it('applies events that come at once', async () => {
    const session = sessionOf(candidate);
    await Promise.all(
      [0, 1, 2, 3].map((questionId) =>
        applyRecording(
          { session, recording: recordingOf({ questionId, correctnessPercentage: questionId * 20 }) },
          models,
        ),
      ),
    );
    const { body } = await get(own, '/api/interviews/history', candidate);
    expect(body).toMatchObject({ total: 1, recordings: [{ answeredCount: 4, averageCorrectness: 30 }] });
  });

  it('shows the newest take of each question', async () => {
    const { session } = await take(candidate, {}, { questionId: 1, take: 2, chatGPTResponse: 'second' });
    await applyRecording(
      { session, recording: recordingOf({ questionId: 1, take: 1, chatGPTResponse: 'first' }) },
      models,
    );
    await applyRecording({ session, recording: recordingOf({ questionId: 0, chatGPTResponse: 'other' }) }, models);
    const { body } = await get(own, `/api/interviews/${session.entryId}`, candidate);
    expect(body.recordings.map((r: { chatGPTResponse: string }) => r.chatGPTResponse)).toEqual(['other', 'second']);
  });

  it("erases a deleted user's name and keeps the session", async () => {
    const { session } = await take(candidate);
    const user = { userId: candidate.id, email: candidate.email, role: candidate.role, lastLogin: null, revision: 2 };
    await applyUser({ ...user, deletedAt: null }, models);
    expect((await get(own, `/api/interviews/${session.entryId}`, admin)).body.userDetails.email).toBe(candidate.email);
    await applyUser({ ...user, deletedAt: new Date().toISOString() }, models);
    const { body } = await get(own, '/api/interviews/history', admin);
    expect(body.recordings[0].userDetails).toEqual({ email: null, role: null, lastLogin: null });
    expect((await get(own, '/api/interviews/history/groups?by=email', admin)).body.groups[0].key).toBe('');
  });
});

describe.each([
  ['/api/interviews/history', 'interview'],
  ['/api/practice/history', 'practice'],
] as const)('GET %s', (path, kind) => {
  it('pages newest first, each session once', async () => {
    const createdAt = newestAt();
    const made: string[] = [];
    for (let i = 0; i < 7; i += 1) made.push((await take(candidate, { kind, createdAt })).session.entryId);
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor ? `&cursor=${cursor}` : '';
      const { body } = await get(own, `${path}?limit=3${query}`, candidate).expect(200);
      expect(body.total).toBe(7);
      seen.push(...body.recordings.map((item: { _id: string }) => item._id));
      cursor = body.nextCursor;
    } while (cursor);
    expect(seen).toEqual([...made].sort().reverse());
  });

  it('shows a person their own, an admin all, and everyone all where so set', async () => {
    await take(candidate, { kind });
    await take(dev, { kind });
    const totals = async (app: Express) =>
      Promise.all([candidate, dev, admin].map(async (user) => (await get(app, path, user)).body.total));
    expect(await totals(own)).toEqual([1, 1, 2]);
    expect(await totals(open)).toEqual([2, 2, 2]);
  });

  it('filters by a part of the email, whatever its case, and by technology', async () => {
    const ada = await identity.user('others', { email: 'Ada.Lovelace@example.com' });
    await take(ada, { kind, technology: 'SQL' });
    await take(ada, { kind });
    await take(candidate, { kind });
    const total = async (query: string) => {
      const { body } = await get(own, `${path}?${query}`, admin).expect(200);
      // The same filter in a body, as the web app sends it.
      const searched = await search(`${path}/search`, Object.fromEntries(new URLSearchParams(query)), admin).expect(
        200,
      );
      expect(searched.body).toEqual(body);
      return body;
    };
    expect(await total('email=LOVELACE')).toMatchObject({
      total: 2,
      recordings: [expect.anything(), expect.anything()],
    });
    expect(await total('technology=SQL')).toMatchObject({ total: 1, recordings: [{ technology: 'SQL' }] });
    expect(await total('email=lovelace&technology=JavaScript')).toMatchObject({ total: 1 });
    expect(await total('email=nobody')).toEqual({ recordings: [], nextCursor: null, total: 0 });
    for (const pattern of ['.*', '(', '\\', '$email', '\0', 'ada lovelace', 'ada?lovelace', '[a-z]']) {
      expect(await total(`email=${encodeURIComponent(pattern)}`)).toMatchObject({ total: 0, recordings: [] });
    }
    const signs = await identity.user('others', { email: "o'hara_(1)+josé^x@example.com" });
    await take(signs, { kind });
    for (const part of ["o'hara_(1)+", 'JOSÉ^x@', '_(', '+']) {
      expect(await total(`email=${encodeURIComponent(part)}`)).toMatchObject({ total: 1, recordings: [{}] });
    }
  });

  it('filters by a part of many emails, page by page', async () => {
    const people = await Promise.all(
      Array.from({ length: 130 }, (_, index) =>
        identity.user('others', { email: `${index % 5 ? 'person' : 'guest'}-${index}@example.com` }),
      ),
    );
    await Promise.all(people.map((person) => take(person, { kind })));
    const seen: string[] = [];
    let cursor: string | null = null;
    do {
      const query: string = cursor ? `&cursor=${cursor}` : '';
      const { body } = await get(own, `${path}?email=PERSON-&limit=40${query}`, admin).expect(200);
      expect(body.total).toBe(104);
      seen.push(...body.recordings.map((item: { userDetails: { email: string } }) => item.userDetails.email));
      cursor = body.nextCursor;
    } while (cursor);
    expect(new Set(seen).size).toBe(104);
    expect(seen).toHaveLength(104);
    expect(seen.every((email) => email.startsWith('person-'))).toBe(true);
  });

  it('says of each session who took it, when, and with which set', async () => {
    const { session } = await take(candidate, { kind });
    const { body } = await get(own, path, candidate).expect(200);
    expect(body.recordings).toMatchObject([
      {
        _id: session.entryId,
        sessionId: session.sessionId,
        createdAt: session.createdAt,
        technology: 'JavaScript',
        userDetails: { email: candidate.email, role: 'others' },
        ...(kind === 'interview'
          ? { userId: candidate.id, interviewSetId: session.setId }
          : { practiceSetId: session.setId }),
      },
    ]);
  });

  it('drops sessions with no or an unknown technology', async () => {
    await take(candidate, { kind, technology: '' });
    await take(candidate, { kind, technology: 'Unknown Technology' });
    expect((await get(own, path, candidate)).body).toEqual({ recordings: [], nextCursor: null, total: 0 });
  });

  it('groups by email (not for dev) and by technology', async () => {
    await take(candidate, { kind, technology: 'SQL' });
    const latest = (await take(candidate, { kind })).session.createdAt;
    await take(dev, { kind });
    const byEmail = await get(own, `${path}/groups?by=email`, admin).expect(200);
    expect(byEmail.body.groups).toContainEqual({ key: candidate.email, count: 2, latest });
    const byTechnology = await get(own, `${path}/groups?by=technology`, candidate).expect(200);
    expect(byTechnology.body.groups.map((g: { key: string; count: number }) => [g.key, g.count])).toEqual([
      ['JavaScript', 1],
      ['SQL', 1],
    ]);
    await get(own, `${path}/groups?by=email`, dev).expect(403);
    await get(own, `${path}/groups?by=technology`, dev).expect(200);
  });

  it.each(['limit=0', 'limit=201', 'limit=ten', 'cursor=nonsense', 'email[$ne]=x&limit=-1'])(
    'refuses %s',
    async (query) => {
      const { body } = await get(own, `${path}?${query}`, candidate).expect(400);
      expect(body).toMatchObject({ code: 'invalid_request', details: [{ path: expect.any(String) }] });
    },
  );

  it('refuses a request without a token and one with an expired token', async () => {
    await request(own).get(path).expect(401);
    const expired = await identity.user('others', { expiresInSeconds: -10 });
    await get(own, path, expired).expect(401);
    await request(own).get(`${path}/groups?by=technology`).expect(401);
  });
});

describe('an interview of chosen questions', () => {
  it('counts what was asked, in the list and in the detail', async () => {
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

  it('is of all questions where the session names none', async () => {
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

  it('count once they have an answer', async () => {
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

  it('are for the next step no questions, and do not come back', async () => {
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
  it('come from every interview that asked it, oldest first, of this person alone', async () => {
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
  it('shows an interview whole, prefixes stripped, media with a token', async () => {
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
    expect(mediaTokens.linkOf(token)?.recordingId).toBe(recording.recordingId);
  });

  it.each([
    ['an interview', 'interview', ({ entryId }: SessionSnapshot) => `/api/interviews/${entryId}`],
    [
      'the takes of a question',
      'interview',
      ({ entryId }: SessionSnapshot) => `/api/interviews/${entryId}/questions/0/takes`,
    ],
    ['a practice session', 'practice', ({ entryId }: SessionSnapshot) => `/api/practice/details/${entryId}`],
  ] as const)('%s gives browsers a cookie that plays its media, not that of others', async (_what, kind, pathOf) => {
    const { session, recording } = await take(candidate, { kind }, { questionId: 0 });
    const foreign = await take(dev, { kind });
    const { headers } = await get(own, pathOf(session), candidate).expect(200);
    const [cookie = ''] = headers['set-cookie'] as unknown as string[];
    expect(cookie).toMatch(
      /^__Host-media=[\w.-]+; Max-Age=\d+; Path=\/; Expires=[^;]+; HttpOnly; Secure; SameSite=Strict$/,
    );
    const req = { headers: { cookie: cookie.split(';')[0] } } as Request;
    expect(mediaCookie.linkOf(req, recording.recordingId)?.signIn.sub).toBe(candidate.id);
    expect(mediaCookie.linkOf(req, foreign.recording.recordingId)).toBeNull();
  });

  it('without media gives no link to it, and says since when', async () => {
    const mediaDeletion = { at: '2026-11-20T08:00:00.000Z', afterDays: 30 };
    const { session } = await take(candidate, {}, { mediaDeletion });
    const { body } = await get(own, `/api/interviews/${session.entryId}`, candidate).expect(200);
    expect(body.recordings).toMatchObject([{ audioUrl: '', mediaDeletion, transcription: { text: 'a function' } }]);
  });

  it('shows a practice session by its entry and by its session id, with the answers', async () => {
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

  it('hides what is not there or not theirs', async () => {
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
