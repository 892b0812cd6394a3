import { randomUUID } from 'node:crypto';
import type { SetSnapshot } from '@interview-prep/contracts/events/snapshots';
import { mixedSetId } from '@interview-prep/contracts/recording/mixed-sessions';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Session, withSetOfQuestion } from '../src/sessions/model.ts';
import { applySet } from '../src/sets/apply-set.ts';
import { type RecordingUnderTest, setOf, startRecording, upload } from './setup/recording-under-test.ts';
import { tone } from './setup/spoken.ts';

let service: RecordingUnderTest;
let candidate: TestUser;
let answer: Buffer;
let loops: SetSnapshot;
let joins: SetSnapshot;

beforeAll(async () => {
  service = await startRecording();
  candidate = await service.identity.user('others');
  answer = await tone(440);
  loops = await service.addSet({
    title: 'Loops',
    technology: 'Go',
    questions: ['1. How do you write a loop?', '2. What is a goroutine?'],
    expertAnswers: ['With for.', 'A light thread.'],
    language: 'de',
    vocabulary: ['goroutine'],
    lengthHintSeconds: 90,
  });
  joins = await service.addSet({
    title: 'Joins',
    technology: 'SQL',
    questions: ['What is a join?'],
    expertAnswers: ['It combines rows.'],
  });
});
afterAll(() => service.close());

type Named = [set: { setId: string }, questionId: number, setUpdatedAt?: string];
const named = (...questions: Named[]) =>
  JSON.stringify(questions.map(([{ setId }, questionId, setUpdatedAt]) => ({ setId, questionId, setUpdatedAt })));
const send = (sources: string | undefined, parts: { sessionId?: string; questionId?: string; setId?: string } = {}) =>
  upload(service.server, candidate, answer, { setId: mixedSetId, sources, ...parts });
const sessionOf = (sessionId: string) => service.models.sessions.findOne({ sessionId }).orFail().lean<Session>();

test('a session can take its questions from several sets, and stores the set of each', async () => {
  const sessionId = randomUUID();
  const sources = named([joins, 0], [loops, 1]);
  expect((await send(sources, { sessionId })).status).toBe(201);
  // The first upload determines its list, so later ones needn't send it.
  expect((await send(undefined, { sessionId, questionId: '1' })).status).toBe(201);
  expect((await send(sources, { sessionId, questionId: '1' })).status).toBe(200);
  expect((await send(sources, { sessionId, questionId: '2' })).status).toBe(400);
  expect((await send(sources, { sessionId, setId: loops.setId })).status).toBe(403);

  const session = await sessionOf(sessionId);
  expect(session).toMatchObject({
    title: 'Review of 2 questions',
    technology: 'Several technologies',
    setId: mixedSetId,
    questions: ['What is a join?', '2. What is a goroutine?'],
    expertAnswers: ['It combines rows.', 'A light thread.'],
    sources: [
      { setId: joins.setId, title: 'Joins', technology: 'SQL', questionId: 0 },
      { setId: loops.setId, title: 'Loops', technology: 'Go', questionId: 1 },
    ],
  });
  // An answer's language, vocabulary and suggested length come from its question's own set.
  const settings = { language: 'de', vocabulary: ['goroutine'], lengthHintSeconds: 90 };
  expect(withSetOfQuestion(session, 1)).toMatchObject({ setId: loops.setId, ...settings });
  expect(withSetOfQuestion(session, 0)).toMatchObject({ language: undefined, lengthHintSeconds: undefined });
  const published = await service.allJobs.queue('history').getJobs(['waiting']);
  expect(published.map(({ data }) => data.session.sources).find(Boolean)).toEqual(
    session.sources?.map(({ setId, title, technology, questionId }) => ({ setId, title, technology, questionId })),
  );
});

test('a session with questions of one technology has that technology', async () => {
  const sessionId = randomUUID();
  expect((await send(named([loops, 0]), { sessionId })).status).toBe(201);
  expect(await sessionOf(sessionId)).toMatchObject({ title: 'Review of 1 question', technology: 'Go' });
});

test('each question is stored as it was shown, even if its set was edited later', async () => {
  const shownAt = '2026-11-01T10:00:00.000Z';
  const first = setOf({ questions: ['As shown?'], expertAnswers: ['Yes.'], updatedAt: shownAt });
  await applySet(first, service.models);
  const edited = { ...first, questions: ['Edited?'], updatedAt: '2026-11-01T11:00:00.000Z', revision: 2 };
  await applySet(edited, service.models);
  const [before, after] = [randomUUID(), randomUUID()];
  expect((await send(named([first, 0, shownAt], [joins, 0]), { sessionId: before })).status).toBe(201);
  expect((await send(named([first, 0], [joins, 0]), { sessionId: after })).status).toBe(201);
  expect((await sessionOf(before)).questions[0]).toBe('As shown?');
  expect((await sessionOf(after)).questions[0]).toBe('Edited?');
});

test.each([
  ['an unknown set', () => named([{ setId: 'f'.repeat(24) }, 0]), {}, 404],
  ['a question that its set does not have', () => named([loops, 2]), {}, 400],
  ['no questions', () => '[]', {}, 400],
  ['too many questions', () => named(...Array.from({ length: 21 }, (): Named => [loops, 0])), {}, 400],
  ['what is not JSON', () => '[{', {}, 400],
  ['what is not a list', () => '{}', {}, 400],
  ['the id of a set', () => named([loops, 0]), { setId: 'f'.repeat(24) }, 400],
])('%s in the sources is rejected, and nothing starts', async (_what, sources, parts, status) => {
  const sessionId = randomUUID();
  const response = await send(sources(), { sessionId, ...parts });
  expect(response.status).toBe(status);
  expect(await service.models.sessions.exists({ sessionId })).toBeNull();
});

test('without its questions such a session belongs to an unknown set', async () => {
  const response = await send(undefined);
  expect({ status: response.status, message: response.body.message }).toEqual({
    status: 404,
    message: 'Interview set not found',
  });
});
