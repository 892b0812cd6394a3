import type { SessionSnapshot } from '@interview-prep/contracts/events/snapshots';
import { Types } from 'mongoose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { applyUser } from '../src/consume-events.ts';
import { applyRecording } from '../src/projection/apply-recording.ts';
import { recordingOf, sessionOf } from './events.ts';
import { openTappedModels, type TappedModels } from './tapped-models.ts';

const candidate = { id: new Types.ObjectId().toHexString(), email: 'ada@example.com', role: 'others' } as const;

let opened: TappedModels;
let tap: TappedModels['tap'];
let models: TappedModels['models'];
beforeAll(async () => {
  opened = await openTappedModels();
  ({ tap, models } = opened);
});
afterAll(() => opened.close());
beforeEach(async () => {
  await Promise.all([models.sessions.deleteMany({}), models.recordings.deleteMany({}), models.totals.deleteMany({})]);
});

const apply = (session: SessionSnapshot) => applyRecording({ session, recording: recordingOf() }, models);
const totals = () => models.totals.find({}).lean();

test('concurrent sessions of one user are all counted', async () => {
  const [first, second] = [sessionOf(candidate), sessionOf(candidate)];
  const stale = tap.hold((command) => command.update === 'totals');
  const slow = apply(first);
  await stale.reached;
  await apply(second);
  stale.release();
  await slow;
  expect(await totals()).toMatchObject([{ count: 2, latest: new Date(second.createdAt) }]);
});

test('many concurrent sessions of one user are all counted, once each', async () => {
  const sessions = Array.from({ length: 40 }, (_, index) =>
    sessionOf(candidate, { technology: index % 2 ? 'SQL' : 'React' }),
  );
  await Promise.all([...sessions, ...sessions].map(apply));
  expect((await totals()).map(({ technology, count }) => [technology, count]).sort()).toEqual([
    ['React', 20],
    ['SQL', 20],
  ]);
});

test("a deleted user's email does not come back with a count that was already running", async () => {
  const user = { userId: candidate.id, email: candidate.email, role: candidate.role, lastLogin: null, revision: 2 };
  const stale = tap.hold((command) => command.update === 'totals');
  const slow = apply(sessionOf(candidate));
  await stale.reached;
  await applyUser({ ...user, deletedAt: new Date().toISOString() }, models);
  stale.release();
  await slow;
  expect(await totals()).toMatchObject([{ email: null, count: 1 }]);
});

test('of two concurrent first events of a recording the newer one is kept', async () => {
  const session = sessionOf(candidate);
  const recording = recordingOf();
  await applyRecording({ session, recording }, models);
  // MongoDB's upsert first queries and then inserts: the newer one finds nothing and collides with the older one.
  tap.answer((command) => command.findAndModify === 'recordings', {
    ok: 0,
    code: 11_000,
    errmsg: 'E11000 duplicate key error',
  });
  const newer = { session: { ...session, revision: 2, title: 'Scopes' }, recording: { ...recording, revision: 2 } };
  expect(await applyRecording(newer, models)).toBe(true);
  expect(await models.sessions.findOne().lean()).toMatchObject({ revision: 2, title: 'Scopes' });
  expect(await models.recordings.findOne().lean()).toMatchObject({ revision: 2, snapshot: { revision: 2 } });
});
