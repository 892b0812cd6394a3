import type { DeletionTarget } from '@interview-prep/contracts/recording/deletions';
import { buildIndexes } from '@interview-prep/kit/mongo/mongo';
import { createFaultyMongo, type FaultyMongo, type WriteCase } from '@interview-prep/kit/testing/faulty-mongo';
import { writeFaults } from '@interview-prep/kit/testing/mongo-faults';
import { Types } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applyUser } from '../src/consume-events.ts';
import { applyDeletion } from '../src/projection/apply-deletion.ts';
import { applyRecording } from '../src/projection/apply-recording.ts';
import { type HistoryModels, historyModels } from '../src/projection/model.ts';
import { finishRebuild, projectionVersion } from '../src/projection/rebuild.ts';
import { recordingOf, sessionOf } from './events.ts';

let backing: FaultyMongo;
let models: HistoryModels;
beforeAll(async () => {
  backing = await createFaultyMongo('history');
  models = historyModels(backing.mongo);
  await buildIndexes(backing.mongo);
});
afterAll(() => backing.close());

const newUser = () => ({ id: new Types.ObjectId().toHexString(), email: 'ada@example.com', role: 'others' }) as const;

/** An applied event, and what history shows of it. */
async function appliedEvent() {
  const session = sessionOf(newUser());
  const recording = recordingOf();
  await applyRecording({ session, recording }, models);
  const { userId, sessionId, entryId } = session;
  const { recordingId } = recording;
  return {
    session,
    recording,
    shown: async () => ({
      session: await models.sessions.findById(entryId).lean(),
      recording: await models.recordings.findById(recordingId).lean(),
      totals: await models.totals.find({ userId }).lean(),
    }),
    deletion: (kind: 'session' | 'user'): DeletionTarget =>
      kind === 'session' ? { kind, sessionId } : { kind, userId },
  };
}

/** Each place where history writes. */
const places: Record<string, () => Promise<WriteCase>> = {
  'an event and a newer one': async () => {
    const session = sessionOf(newUser());
    const recording = recordingOf();
    const older = { session, recording };
    const newer = { session: { ...session, revision: 2, title: 'Scopes' }, recording: { ...recording, revision: 2 } };
    return {
      calls: [older, newer].map((event) => () => applyRecording(event, models)),
      async check() {
        const stored = await models.sessions.findById(session.entryId).lean();
        expect(stored).toMatchObject({ revision: 2, title: 'Scopes', answeredCount: 1 });
        expect(await models.recordings.findById(recording.recordingId).lean()).toMatchObject({ revision: 2 });
        expect(await models.totals.find({ userId: session.userId }).lean()).toMatchObject([{ count: 1 }]);
      },
    };
  },
  'two sessions of one user': async () => {
    const user = newUser();
    const events = [sessionOf(user), sessionOf(user)].map((session) => ({ session, recording: recordingOf() }));
    return {
      calls: events.map((event) => () => applyRecording(event, models)),
      async check() {
        expect(await models.totals.find({ userId: user.id }).lean()).toMatchObject([{ count: 2 }]);
      },
    };
  },
  ...Object.fromEntries(
    (['session', 'user'] as const).map((kind) => [
      `a deleted ${kind}, twice`,
      async () => {
        const { deletion, shown } = await appliedEvent();
        const apply = () => applyDeletion({ target: deletion(kind) }, models);
        const check = async () => expect(await shown()).toEqual({ session: null, recording: null, totals: [] });
        return { calls: [apply, apply], check };
      },
    ]),
  ),
  'a deleted answer, twice': async () => {
    const { session, recording, shown } = await appliedEvent();
    const target = {
      kind: 'answer' as const,
      recordingId: recording.recordingId,
      sessionId: session.sessionId,
      questionId: recording.questionId,
      sha256: 'a'.repeat(64),
    };
    const apply = () => applyDeletion({ target }, models);
    return {
      calls: [apply, apply],
      async check() {
        const { session: left, recording: erased } = await shown();
        expect(erased).toMatchObject({ deleted: true, snapshot: {}, revision: 2 });
        expect(left).toMatchObject({ answeredCount: 0 });
      },
    };
  },
  'a deleted user, whose details are erased': async () => {
    const { session, shown } = await appliedEvent();
    const { userId } = session;
    const deleted = {
      userId,
      email: null,
      role: 'others' as const,
      lastLogin: null,
      revision: 2,
      deletedAt: new Date().toISOString(),
    };
    return {
      calls: [() => applyUser(deleted as never, models)],
      async check() {
        const { session: left, totals } = await shown();
        expect(left?.user).toMatchObject({ email: null, role: null });
        expect(totals).toMatchObject([{ email: null, count: 1 }]);
      },
    };
  },
  'a projection that is built, by two processes': async () => {
    await models.projections.deleteMany({});
    const finish = () => finishRebuild({ attempt: 1, log: backing.log }, models);
    return {
      calls: [finish, finish],
      check: async () => expect(await models.projections.find().lean()).toMatchObject([{ version: projectionVersion }]),
    };
  },
};

describe.each(Object.entries(places))('%s', (_place, prepare) => {
  test('is stored correctly if upserts race as on a server that looks and inserts in two steps', () =>
    backing.raceUpserts(prepare));
  test.each(writeFaults)('is stored correctly if any write meets $name', async (fault) => {
    expect(await backing.failEachWrite(fault, prepare)).toBeGreaterThan(0);
  });
});
