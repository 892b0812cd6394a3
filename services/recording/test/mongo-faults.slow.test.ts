import { randomUUID } from 'node:crypto';
import { unavailable } from '@interview-prep/kit/http/http-error';
import type { JobContext } from '@interview-prep/kit/redis/job-queues';
import { createFaultyMongo, type FaultyMongo, type WriteCase } from '@interview-prep/kit/testing/faulty-mongo';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import { writeFaults } from '@interview-prep/kit/testing/mongo-faults';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { applySet } from '../src/sets/apply-set.ts';
import { runStage, type StageDeps } from '../src/stages/run-stage.ts';
import { forgetUser } from '../src/users/forget-user.ts';
import { type RecordingUnderTest, setOf, startRecording, upload } from './setup/recording-under-test.ts';
import { tone } from './setup/spoken.ts';
import { stageDeps } from './setup/worker-under-test.ts';

let backing: FaultyMongo;
let service: RecordingUnderTest;
let deps: StageDeps;
let answers: [Buffer, Buffer];
beforeAll(async () => {
  backing = await createFaultyMongo('recording');
  service = await startRecording(backing);
  deps = await stageDeps(service);
  answers = await Promise.all([tone(440, 0.2), tone(550, 0.2)]);
});
afterAll(async () => {
  await service.close();
  await backing.close();
});

/** The status of an API call: 503 is an outage, after which the user retries. */
async function answered(call: PromiseLike<{ status: number }>, ...expected: number[]): Promise<void> {
  const { status } = await call;
  if (status === 503) throw unavailable('503', undefined, 'mongodb');
  expect(expected).toContain(status);
}

const newUser = () => service.identity.user('others');

/** Sends answers of one session. @returns the session's id */
async function send(user: TestUser, ...files: Buffer[]): Promise<string> {
  const parts = { setId: (await service.addSet()).setId, sessionId: randomUUID() };
  for (const file of files) await answered(upload(service.server, user, file, parts), 201);
  return parts.sessionId;
}

const places: Record<string, () => Promise<WriteCase>> = {
  'the same answer, twice': async () => {
    const user = await newUser();
    const parts = { setId: (await service.addSet()).setId, sessionId: randomUUID() };
    const sendOnce = () => answered(upload(service.server, user, answers[0], parts), 200, 201);
    return {
      calls: [sendOnce, sendOnce],
      async check() {
        const { sessionId } = parts;
        expect(await service.models.sessions.countDocuments({ sessionId })).toBe(1);
        expect(await service.models.recordings.find({ sessionId }).lean()).toMatchObject([{ take: 1 }]);
      },
    };
  },
  'two takes of one question': async () => {
    const user = await newUser();
    const parts = { setId: (await service.addSet()).setId, sessionId: randomUUID() };
    return {
      calls: answers.map((file) => () => answered(upload(service.server, user, file, parts), 200, 201)),
      async check() {
        const takes = await service.models.recordings.find({ sessionId: parts.sessionId }).sort({ take: 1 }).lean();
        expect(takes.map(({ take }) => take)).toEqual([1, 2]);
      },
    };
  },
  'two revisions of a set': async () => {
    const updatedAt = (day: number) => new Date(Date.UTC(2026, 0, day)).toISOString();
    const older = setOf({ updatedAt: updatedAt(1) });
    const newer = { ...older, revision: 2, title: 'Scopes', updatedAt: updatedAt(2) };
    const { setId } = older;
    return {
      calls: [older, newer].map((set) => () => applySet(set, service.models)),
      async check() {
        expect(await service.models.sets.findById(setId).lean()).toMatchObject({ revision: 2, title: 'Scopes' });
        expect(await service.models.setRevisions.find({ setId }).lean()).toMatchObject([{ revision: 1 }]);
      },
    };
  },
  'a stage, by two workers': async () => {
    const sessionId = await send(await newUser(), answers[0]);
    const { _id } = await service.models.recordings.findOne({ sessionId }).orFail();
    const context = { log: backing.log, signal: new AbortController().signal, lastAttempt: false } as JobContext;
    const job = { recordingId: _id.toHexString(), run: 1 };
    const handler = async () => ({ fields: { durationMs: 200 }, status: 'completed', next: 'transcription' }) as const;
    const run = () =>
      runStage('media', job, context, handler, deps).catch(async () => {
        // The queue or the sweeper repeats the stage until it has ended.
        const { awaiting } = await service.models.recordings.findById(_id).orFail();
        if (awaiting === 'media') throw unavailable('again', undefined, 'mongodb');
      });
    return {
      calls: [run, run],
      async check() {
        const ended = { awaiting: 'transcription', stage: 'media', stageStatus: 'completed', durationMs: 200, run: 1 };
        expect(await service.models.recordings.findById(_id).lean()).toMatchObject(ended);
      },
    };
  },
  'an answer that is processed again': async () => {
    const user = await newUser();
    const sessionId = await send(user, answers[0]);
    const failed = { $set: { stageStatus: 'failed', assessment: { status: 'failed' } }, $unset: { awaiting: 1 } };
    const { _id } = await service.models.recordings.findOneAndUpdate({ sessionId }, failed).orFail();
    const again = () =>
      answered(
        request(service.server).post(`/api/recordings/${_id}/reprocess`).set('Authorization', user.authorization),
        202,
        409,
      );
    return {
      calls: [again, again],
      async check() {
        expect(await service.models.recordings.findById(_id).lean()).toMatchObject({ run: 2, awaiting: 'media' });
      },
    };
  },
  'a deleted session': async () => {
    const user = await newUser();
    const sessionId = await send(user, ...answers);
    const { _id } = await service.models.sessions.findOne({ sessionId }).orFail();
    const remove = () =>
      answered(
        request(service.server).delete(`/api/sessions/${_id}`).set('Authorization', user.authorization),
        204,
        404,
      );
    return {
      calls: [remove, remove],
      async check() {
        expect(await service.models.deletions.countDocuments({ 'target.sessionId': sessionId })).toBe(1);
        // The sweeper's pass deletes data that the first pass left behind.
        await service.deletions.request({ kind: 'session', sessionId });
        expect(await service.models.recordings.countDocuments({ sessionId })).toBe(0);
      },
    };
  },
  'a deleted user': async () => {
    const user = await newUser();
    const sessionId = await send(user, answers[0]);
    const gone = {
      userId: user.id,
      email: '',
      role: 'others' as const,
      lastLogin: null,
      revision: 2,
      deletedAt: new Date().toISOString(),
      eraseData: false,
    };
    const forget = () => forgetUser(gone as never, service.models, service.deletions);
    return {
      calls: [forget, forget],
      async check() {
        const session = await service.models.sessions.findOne({ sessionId }).lean();
        expect(session?.user).toMatchObject({ email: null, role: null });
        expect(await service.models.deletedUsers.countDocuments({ _id: user.id })).toBe(1);
      },
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
