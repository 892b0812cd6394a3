import { buildIndexes } from '@interview-prep/kit/mongo/mongo';
import { createTestBacking, type TestBacking } from '@interview-prep/kit/testing/backing';
import { Types } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyDeletion } from '../src/projection/apply-deletion.ts';
import { applyRecording } from '../src/projection/apply-recording.ts';
import { type HistoryModels, historyModels } from '../src/projection/model.ts';
import { recordingOf, sessionOf } from './events.ts';

let backing: TestBacking;
let models: HistoryModels;
const user = (id: string) => ({ id, email: `${id}@example.com`, role: 'others' }) as const;

beforeAll(async () => {
  backing = await createTestBacking('history');
  models = historyModels(backing.mongo);
  await buildIndexes(backing.mongo);
});
afterAll(() => backing.close());

const totalOf = async (userId: string) => (await models.totals.find({ userId }).lean()).map(({ count }) => count);

test('a deleted answer leaves no content and no count; later events for it are ignored', async () => {
  const session = sessionOf(user('ada'));
  const [first, second] = [recordingOf({ correctnessPercentage: 20 }), recordingOf({ questionId: 1 })];
  for (const recording of [first, second]) await applyRecording({ session, recording }, models);
  const { sessionId, entryId } = session;
  const { recordingId } = first;
  const target = { kind: 'answer', recordingId, sessionId, questionId: 0, sha256: 'f' } as const;
  await applyDeletion({ target }, models);
  expect(await applyRecording({ session, recording: { ...first, revision: 9 } }, models)).toBe(false);

  expect(JSON.stringify(await models.recordings.findById(first.recordingId).lean())).not.toContain('a function');
  expect(await models.sessions.findById(entryId)).toMatchObject({ answeredCount: 1, averageCorrectness: 80 });
  // A later change of the other answer is counted.
  await applyRecording({ session, recording: { ...second, revision: 2, correctnessPercentage: 50 } }, models);
  expect(await models.sessions.findById(entryId)).toMatchObject({ answeredCount: 1, averageCorrectness: 50 });
});

test('deleting an answer also deletes the text of its follow-up question', async () => {
  const followUps = [{ questionId: 2, parentQuestionId: 1 }];
  const session = sessionOf(user('grace'), { questions: ['One?', 'Two?', 'You said nothing of it. Why?'], followUps });
  const recording = recordingOf({ questionId: 1 });
  await applyRecording({ session, recording }, models);
  const { sessionId, entryId } = session;
  const target = { kind: 'answer', recordingId: recording.recordingId, sessionId, questionId: 1, sha256: 'f' } as const;
  const otherId = recordingOf().recordingId;
  await applyDeletion({ target: { ...target, recordingId: otherId, questionId: 0 } }, models);
  expect((await models.sessions.findById(entryId))?.questions[2]).toBe('You said nothing of it. Why?');
  await applyDeletion({ target }, models);
  expect((await models.sessions.findById(entryId))?.questions).toEqual(['One?', 'Two?', '']);
});

test('a deleted session is removed from lists, details and totals, even if its events arrive later', async () => {
  const [kept, gone] = [sessionOf(user('bob')), sessionOf(user('bob'))];
  const recording = recordingOf();
  await applyRecording({ session: kept, recording: recordingOf() }, models);
  await applyRecording({ session: gone, recording }, models);
  expect(await totalOf('bob')).toEqual([2]);
  const target = { kind: 'session', sessionId: gone.sessionId } as const;
  await applyDeletion({ target }, models);
  await applyRecording({ session: gone, recording: { ...recording, revision: 3 } }, models);
  expect(await models.sessions.exists({ sessionId: gone.sessionId })).toBeNull();
  expect(await models.recordings.exists({ entryId: new Types.ObjectId(gone.entryId) })).toBeNull();
  expect(await totalOf('bob')).toEqual([1]);
});

test('an interrupted deletion of a session still updates the totals', async () => {
  const session = sessionOf(user('cleo'));
  await applyRecording({ session, recording: recordingOf() }, models);
  const target = { kind: 'session', sessionId: session.sessionId } as const;
  const { listKind, userId, technology } = await models.sessions.findOne({ sessionId: session.sessionId }).orFail();
  // The state after a kill between the last session and the totals.
  const totals = [{ listKind, userId, technology }];
  await models.deletions.collection.insertOne({ _id: `session-${session.sessionId}`, target, totals } as never);
  await models.sessions.deleteOne({ sessionId: session.sessionId });
  await applyDeletion({ target }, models);
  expect(await totalOf('cleo')).toEqual([]);
});

test('a deleted user is removed with all sessions; other users are unaffected', async () => {
  const sessions = [sessionOf(user('dan')), sessionOf(user('dan')), sessionOf(user('eve'))];
  for (const session of sessions) await applyRecording({ session, recording: recordingOf() }, models);
  await applyDeletion({ target: { kind: 'user', userId: 'dan' } }, models);
  expect(await models.sessions.countDocuments({ userId: 'dan' })).toBe(0);
  expect(await totalOf('dan')).toEqual([]);
  expect(await totalOf('eve')).toEqual([1]);
  await applyRecording({ session: sessionOf(user('dan')), recording: recordingOf() }, models);
  expect(await models.sessions.countDocuments({ userId: 'dan' })).toBe(0);
});

test('sessions that arrive while they are being deleted are removed in the end', async () => {
  const sessions = Array.from({ length: 8 }, () => sessionOf(user('fay')));
  const arriving = sessions.map((session) => applyRecording({ session, recording: recordingOf() }, models));
  await applyDeletion({ target: { kind: 'user', userId: 'fay' } }, models);
  await Promise.all(arriving);
  expect(await models.sessions.countDocuments({ userId: 'fay' })).toBe(0);
  expect(await totalOf('fay')).toEqual([]);
});
