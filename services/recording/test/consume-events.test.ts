import { randomUUID } from 'node:crypto';
import type { UserSnapshot } from '@interview-prep/contracts/events/snapshots';
import { connectWorker } from '@interview-prep/kit/redis/redis';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import type { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { consumeEvents } from '../src/consume-events.ts';
import type { ObjectStore } from '../src/object-store/object-store.ts';
import { type RecordingUnderTest, setOf, startRecording, upload } from './setup/recording-under-test.ts';
import { tone } from './setup/spoken.ts';

let service: RecordingUnderTest;
let connection: Redis;
let worker: Worker;
let answer: Buffer;

beforeAll(async () => {
  service = await startRecording();
  const { settings, log } = service.backing;
  connection = connectWorker(settings.REDIS_URL, log);
  worker = consumeEvents({ ...service, connection, prefix: settings.REDIS_PREFIX, log });
  answer = await tone(440);
});
afterAll(async () => {
  await worker.close();
  connection.disconnect();
  await service.close();
});

/** The jobs waiting for history, oldest first. */
const queuedForHistory = () =>
  service.allJobs.queue('history').getJobs(['waiting', 'prioritized', 'delayed'], 0, -1, true);

/** A session's events that were published to history, oldest first. */
async function published(sessionId: string) {
  const jobs = await queuedForHistory();
  return jobs.map(({ data }) => data).filter(({ session }) => session?.sessionId === sessionId);
}
const deleted = (user: TestUser, changes: Partial<UserSnapshot> = {}): UserSnapshot => ({
  userId: user.id,
  email: user.email,
  role: user.role,
  lastLogin: null,
  revision: 2,
  deletedAt: new Date().toISOString(),
  ...changes,
});

describe('a set published by catalog', () => {
  it('is stored, in whatever order its revisions arrive', async () => {
    const set = setOf({ questions: ['First?'], expertAnswers: [''] });
    await service.jobs.add('recording', 'set-changed', { ...set, revision: 3, title: 'Newest' });
    await service.jobs.add('recording', 'set-changed', { ...set, revision: 2, title: 'Older' });
    await service.jobs.add('recording', 'set-changed', { ...set, revision: 1 });
    await expect.poll(() => service.jobs.queue('recording').getJobCountByTypes('waiting', 'active')).toBe(0);
    expect(await service.models.sets.findById(set.setId)).toMatchObject({ title: 'Newest', revision: 3 });
  });
});

describe("a user's deletion", () => {
  it('erases their details from all their sessions, and publishes that', async () => {
    const [user, other] = await Promise.all([service.identity.user('others'), service.identity.user('others')]);
    const { setId } = await service.addSet();
    const [sessionId, othersId] = [randomUUID(), randomUUID()];
    await upload(service.server, user, answer, { setId, sessionId });
    await upload(service.server, other, answer, { setId, sessionId: othersId });
    const [before] = await published(sessionId);
    expect(before.session.user).toMatchObject({ email: user.email });

    await service.jobs.add('recording', 'user-changed', deleted(user));
    await expect
      .poll(async () => (await service.models.sessions.findOne({ sessionId }).orFail()).user.email)
      .toBeNull();
    await expect.poll(() => service.models.recordings.findOne({ sessionId, unpublished: true })).not.toBeNull();
    await service.outbox.publishAll();
    const after = (await published(sessionId)).at(-1);
    expect(after.session.user).toEqual({ email: null, role: null, lastLogin: null });
    expect(after.session.revision).toBeGreaterThan(before.session.revision);
    expect(after.recording.revision).toBeGreaterThan(before.recording.revision);
    expect((await service.models.sessions.findOne({ sessionId: othersId }).orFail()).user.email).toBe(other.email);
  });

  it('also erases the details of an upload in progress', async () => {
    const user = await service.identity.user('others');
    await service.jobs.add('recording', 'user-changed', deleted(user));
    await expect.poll(() => service.models.deletedUsers.exists({ _id: user.id })).not.toBeNull();
    const sessionId = randomUUID();
    const { setId } = await service.addSet();
    expect((await upload(service.server, user, answer, { setId, sessionId })).status).toBe(201);
    expect((await service.models.sessions.findOne({ sessionId }).orFail()).user.email).toBeNull();
  });

  it('also erases the details of a session that starts at the same moment', async () => {
    const user = await service.identity.user('others');
    const { setId } = await service.addSet();
    const sessionId = randomUUID();
    // The deletion arrives after the session was drafted, but before it is written.
    const putFile: ObjectStore['putFile'] = async (...file) => {
      await service.jobs.add('recording', 'user-changed', deleted(user));
      await expect.poll(() => service.jobs.queue('recording').getJobCountByTypes('waiting', 'active')).toBe(0);
      expect(await service.models.deletedUsers.exists({ _id: user.id })).not.toBeNull();
      await service.store.putFile(...file);
    };
    const server = await service.listen({ store: { ...service.store, putFile } });
    expect((await upload(server, user, answer, { setId, sessionId })).status).toBe(201);
    const session = await service.models.sessions.findOne({ sessionId }).orFail().lean();
    expect(session).toMatchObject({ user: { email: null, role: null, lastLogin: null }, revision: 2 });
    expect((await published(sessionId)).at(-1).session).toMatchObject({
      user: { email: null, role: null },
      revision: 2,
    });
  });

  it('is the only change of a user that changes a session', async () => {
    const user = await service.identity.user('others');
    const sessionId = randomUUID();
    await upload(service.server, user, answer, { setId: (await service.addSet()).setId, sessionId });
    const change = deleted(user, { email: 'new@example.com', deletedAt: null });
    await service.jobs.add('recording', 'user-changed', change);
    await expect.poll(() => service.jobs.queue('recording').getJobCountByTypes('waiting', 'active')).toBe(0);
    expect((await service.models.sessions.findOne({ sessionId }).orFail()).user.email).toBe(user.email);
  });
});

it('publishes everything again, or changes since a given time', async () => {
  const user = await service.identity.user('others');
  const sessionIds = [randomUUID(), randomUUID()];
  const { setId } = await service.addSet();
  for (const sessionId of sessionIds) await upload(service.server, user, answer, { setId, sessionId });
  const [old = '', recent = ''] = sessionIds;
  const update = { $set: { updatedAt: new Date('2020-01-01') } };
  await service.models.recordings.updateOne({ sessionId: old }, update, { timestamps: false });
  const emptied = async () => {
    await service.allJobs.queue('history').drain(true);
    expect(await published(recent)).toEqual([]);
  };
  await emptied();
  await service.jobs.add('recording', 'republish', { since: '2021-01-01T00:00:00.000Z' });
  await expect.poll(async () => (await published(recent)).length).toBe(1);
  expect(await published(old)).toEqual([]);
  await emptied();
  await service.jobs.add('recording', 'republish', { since: null });
  await expect.poll(async () => (await published(old)).length).toBe(1);
  await expect.poll(async () => (await published(recent)).length).toBe(1);
  // The end of a full republish comes after all of its events.
  await expect.poll(async () => (await queuedForHistory()).at(-1)?.name).toBe('republished');
});
