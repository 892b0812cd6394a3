import type { TestUser } from '@interview-prep/kit/testing/identity';
import type { Express } from 'express';
import { Types } from 'mongoose';
import request from 'supertest';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { applyUser } from '../src/consume-events.ts';
import { applyRecording } from '../src/projection/apply-recording.ts';
import type { HistoryModels } from '../src/projection/model.ts';
import { newestAt, recordingOf, sessionOf } from './events.ts';
import { type StartedHistory, startHistory } from './start-history.ts';

let started: StartedHistory;
let models: HistoryModels;
let identity: StartedHistory['identity'];
let own: Express;
let open: Express;
let admin: TestUser;
let dev: TestUser;
let candidate: TestUser;
let take: StartedHistory['take'];

beforeAll(async () => {
  started = await startHistory();
  ({ models, identity, own, open, take } = started);
  [admin, dev, candidate] = await Promise.all([identity.user('admin'), identity.user('dev'), identity.user('others')]);
});
afterAll(() => started.stop());
beforeEach(() => started.empty());

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

  it('applies concurrent events', async () => {
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

  it('shows people their own sessions, admins all, and everyone all if so configured', async () => {
    await take(candidate, { kind });
    await take(dev, { kind });
    const totals = async (app: Express) =>
      Promise.all([candidate, dev, admin].map(async (user) => (await get(app, path, user)).body.total));
    expect(await totals(own)).toEqual([1, 1, 2]);
    expect(await totals(open)).toEqual([2, 2, 2]);
  });

  it('filters by part of the email, ignoring case, and by technology', async () => {
    const ada = await identity.user('others', { email: 'Ada.Lovelace@example.com' });
    await take(ada, { kind, technology: 'SQL' });
    await take(ada, { kind });
    await take(candidate, { kind });
    const total = async (query: string) => {
      const { body } = await get(own, `${path}?${query}`, admin).expect(200);
      // The same filter in the body, as sent by the web app.
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

  it('can be searched by set, question and date, and summarized', async () => {
    const day = (date: string) => `2026-03-${date}T12:00:00.000Z`;
    const closures = { title: 'Closures (basics)', questions: ['1. What is a closure?', 'Why hoist?'] };
    const joins = { title: 'Joins', technology: 'SQL', questions: ['What is a join?'], createdAt: day('05') };
    const first = await take(candidate, { kind, ...closures, createdAt: day('01') }, { correctnessPercentage: 40 });
    await applyRecording(
      {
        session: first.session,
        recording: recordingOf({ questionId: 1, correctnessPercentage: 70, durationMs: 3000 }),
      },
      models,
    );
    await take(candidate, { kind, ...joins }, { correctnessPercentage: 100 });
    await take(dev, { kind, title: 'Closures of someone else', createdAt: day('01') });

    const found = async (filter: object, user = candidate) => {
      const { body } = await search(`${path}/search`, filter, user).expect(200);
      const titles: string[] = body.recordings.map(({ title }: { title: string }) => title);
      const groups = await search(`${path}/groups/search`, { by: 'technology', ...filter }, user).expect(200);
      const counts: number[] = groups.body.groups.map(({ count }: { count: number }) => count);
      // Groups cover every technology.
      if (!('technology' in filter)) expect(counts.reduce((sum, count) => sum + count, 0)).toBe(body.total);
      expect(body.total).toBe(titles.length);
      return titles;
    };
    expect(await found({ text: 'CLOSURES (b' })).toEqual(['Closures (basics)']);
    expect(await found({ text: 'hoist' })).toEqual(['Closures (basics)']);
    expect(await found({ text: 'what is a' })).toEqual(['Joins', 'Closures (basics)']);
    expect(await found({ text: '.*' })).toEqual([]);
    expect(await found({ text: 'what is a', technology: 'SQL' })).toEqual(['Joins']);
    expect(await found({ from: day('02') })).toEqual(['Joins']);
    expect(await found({ to: day('05') })).toEqual(['Closures (basics)']);
    expect(await found({ from: day('01'), to: day('02'), text: 'closure' })).toEqual(['Closures (basics)']);
    // Admins see everyone's sessions, and can search for users too.
    expect(await found({ text: 'closures' }, admin)).toHaveLength(2);
    expect(await found({ text: dev.email }, admin)).toEqual(['Closures of someone else']);
    expect(await found({ text: candidate.email })).toEqual([]);

    const all = await get(own, path, candidate).expect(200);
    expect(all.body.summary).toMatchObject({ answeredCount: 3, judgedCount: 3, average: 70 });
    const narrowed = await search(`${path}/search`, { text: 'closure', limit: 1 }, candidate).expect(200);
    expect(narrowed.body.summary).toMatchObject({ answeredCount: 2, judgedCount: 2, average: 55 });
    expect((await get(own, path, admin)).body.summary).toBeUndefined();
    await search(`${path}/search`, { from: 'yesterday' }, candidate).expect(400);
  });

  it('shows for each session who took it, when, and with which set', async () => {
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
    const first = await get(own, `${path}/groups?by=technology&limit=1`, candidate).expect(200);
    expect(first.body.groups).toEqual(byTechnology.body.groups.slice(0, 1));
    const rest = await get(own, `${path}/groups?by=technology&cursor=${first.body.nextCursor}`, candidate).expect(200);
    expect(rest.body).toEqual({ groups: byTechnology.body.groups.slice(1), nextCursor: null });
    await get(own, `${path}/groups?by=technology&limit=0`, candidate).expect(400);
    const unchanged = { 'If-None-Match': first.headers.etag };
    await get(own, `${path}/groups?by=technology&limit=1`, candidate).set(unchanged).expect(304);
    await get(own, `${path}/groups?by=email`, dev).expect(403);
    await get(own, `${path}/groups?by=technology`, dev).expect(200);
  });

  it.each(['limit=0', 'limit=201', 'limit=ten', 'cursor=nonsense', 'email[$ne]=x&limit=-1'])(
    'rejects %s',
    async (query) => {
      const { body } = await get(own, `${path}?${query}`, candidate).expect(400);
      expect(body).toMatchObject({ code: 'invalid_request', details: [{ path: expect.any(String) }] });
    },
  );

  it('rejects a request without a token and one with an expired token', async () => {
    await request(own).get(path).expect(401);
    const expired = await identity.user('others', { expiresInSeconds: -10 });
    await get(own, path, expired).expect(401);
    await request(own).get(`${path}/groups?by=technology`).expect(401);
  });
});

it('a list can be filtered by part of many emails, page by page', async () => {
  // More users than a query looks up by id.
  const people = await Promise.all(
    Array.from({ length: 108 }, (_, index) =>
      identity.user('others', { email: `${index % 18 ? 'person' : 'guest'}-${index}@example.com` }),
    ),
  );
  await Promise.all(people.map((person) => take(person)));
  const seen: string[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor ? `&cursor=${cursor}` : '';
    const { body } = await get(own, `/api/interviews/history?email=PERSON-&limit=40${query}`, admin).expect(200);
    expect(body.total).toBe(102);
    seen.push(...body.recordings.map((item: { userDetails: { email: string } }) => item.userDetails.email));
    cursor = body.nextCursor;
  } while (cursor);
  expect(new Set(seen).size).toBe(102);
  expect(seen).toHaveLength(102);
  expect(seen.every((email) => email.startsWith('person-'))).toBe(true);
});
