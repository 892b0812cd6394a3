import { randomUUID } from 'node:crypto';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDeletions } from '../src/deletions/deletion-log.ts';
import type { ObjectStore } from '../src/object-store/object-store.ts';
import { ObjectMissing } from '../src/object-store/object-store.ts';
import { type RecordingUnderTest, startRecording, upload } from './setup/recording-under-test.ts';
import { tone } from './setup/spoken.ts';

let service: RecordingUnderTest;
let owner: TestUser;
let stranger: TestUser;
let admin: TestUser;
let answers: Buffer[];

beforeAll(async () => {
  service = await startRecording();
  [owner, stranger, admin] = await Promise.all([
    service.identity.user('others'),
    service.identity.user('dev'),
    service.identity.user('admin'),
  ]);
  answers = await Promise.all([300, 400, 500].map((hertz) => tone(hertz)));
});
afterAll(() => service.close());

const remove = (path: string, user: TestUser) =>
  request(service.server).delete(path).set('Authorization', user.authorization);

/** A session with two takes of the first question, and an answer to the second. */
async function newSession(user = owner) {
  const sessionId = randomUUID();
  const { setId } = await service.addSet();
  const [first, second, third] = answers as [Buffer, Buffer, Buffer];
  const send = async (file: Buffer, questionId: string) => {
    const { body, status } = await upload(service.server, user, file, { setId, sessionId, questionId });
    expect(status).toBe(201);
    return body.recording as { _id: string; interviewId: string };
  };
  const takes = [await send(first, '0'), await send(second, '0')];
  const other = await send(third, '1');
  const stored = await service.models.recordings.find({ sessionId }).lean();
  const keyOf = (id: string) => stored.find(({ _id }) => _id.toHexString() === id)?.original.key ?? '';
  return { sessionId, setId, takes, other, entryId: other.interviewId, keyOf };
}

async function isStored(key: string): Promise<boolean> {
  try {
    (await service.store.get(key)).destroy();
    return true;
  } catch (error) {
    if (error instanceof ObjectMissing) return false;
    throw error;
  }
}
const jobOf = (recordingId: string) => service.jobs.queue('media').getJob(`${recordingId}-1`);
const published = async () =>
  (await service.allJobs.queue('history').getJobs(['waiting', 'prioritized'], 0, -1))
    .filter(({ name }) => name === 'deleted')
    .map(({ data }) => data.target);

describe('deleting an answer', () => {
  it('deletes every take with its media and jobs, and leaves other answers', async () => {
    const { sessionId, setId, takes, other, keyOf } = await newSession();
    await remove(`/api/recordings/${takes[1]?._id}`, owner).expect(204);
    for (const { _id } of takes) {
      expect(await isStored(keyOf(_id))).toBe(false);
      expect(await jobOf(_id)).toBeUndefined();
    }
    expect(await service.models.recordings.countDocuments({ sessionId })).toBe(1);
    expect(await isStored(keyOf(other._id))).toBe(true);
    expect(await jobOf(other._id)).toBeDefined();
    const targets = (await published()).filter((target) => target.sessionId === sessionId);
    expect(targets.map(({ recordingId }) => recordingId).sort()).toEqual(takes.map(({ _id }) => _id).sort());
    expect(targets[0]).toMatchObject({ kind: 'answer', questionId: 0 });

    // A late retry of the upload doesn't bring anything back.
    const late = await upload(service.server, owner, answers[0] as Buffer, { setId, sessionId });
    expect(late.status).toBe(404);
    expect(late.body.message).toBe('This answer was deleted');
    await remove(`/api/recordings/${takes[1]?._id}`, owner).expect(404);
    // Another answer to the question is accepted, and survives the second pass.
    const again = await upload(service.server, owner, await tone(700), { setId, sessionId });
    expect(again.status).toBe(201);
    await service.models.deletions.updateMany({}, { $set: { passes: 0, nextPassAt: new Date() } });
    await service.deletions.request(...(await published()));
    expect(
      await isStored((await service.models.recordings.findById(again.body.recording._id).orFail()).original.key),
    ).toBe(true);
  });

  it('is only for its owner and admins', async () => {
    const { takes, other } = await newSession();
    await remove(`/api/recordings/${other._id}`, stranger).expect(404);
    await request(service.server).delete(`/api/recordings/${other._id}`).expect(401);
    await remove(`/api/recordings/${other._id}`, admin).expect(204);
    await remove('/api/recordings/nonsense', owner).expect(400);
    expect(await service.models.recordings.exists({ _id: takes[0]?._id ?? '' })).not.toBeNull();
  });
});

describe('deleting a session', () => {
  it('deletes its answers and media, only for its owner and admins', async () => {
    const { sessionId, entryId, takes, other, keyOf } = await newSession();
    const untouched = await newSession();
    await remove(`/api/sessions/${entryId}`, stranger).expect(404);
    await remove(`/api/sessions/${entryId}`, admin).expect(204);
    for (const { _id } of [...takes, other]) expect(await isStored(keyOf(_id))).toBe(false);
    expect(await service.models.sessions.exists({ sessionId })).toBeNull();
    expect(await service.models.recordings.exists({ sessionId })).toBeNull();
    expect(await service.models.recordings.countDocuments({ sessionId: untouched.sessionId })).toBe(3);
  });

  it('also deletes an upload in progress', async () => {
    const { sessionId, setId, entryId } = await newSession();
    const late = await tone(600);
    const putFile: ObjectStore['putFile'] = async (...file) => {
      await remove(`/api/sessions/${entryId}`, owner).expect(204);
      await service.store.putFile(...file);
    };
    const server = await service.listen({ store: { ...service.store, putFile } });
    expect((await upload(server, owner, late, { setId, sessionId, questionId: '1' })).status).toBe(404);
    expect(await service.models.recordings.exists({ sessionId })).toBeNull();
    expect(await service.models.sessions.exists({ sessionId })).toBeNull();
  });
});

describe('an interrupted deletion', () => {
  it('is completed by the sweeper, and repeated for work that was running', async () => {
    const { sessionId, entryId, other, keyOf } = await newSession();
    const { log, redis, settings } = service.backing;
    const failing = {
      ...service.store,
      removeAll: async () => {
        throw new Error('the object store is down');
      },
    };
    const deps = { models: service.models, jobs: service.jobs, redis, prefix: settings.REDIS_PREFIX, log };
    const interrupted = openDeletions({ ...deps, store: failing, sweeps: false });
    const server = await service.listen({ deletions: interrupted });
    await request(server).delete(`/api/sessions/${entryId}`).set('Authorization', owner.authorization).expect(204);
    expect(await isStored(keyOf(other._id))).toBe(true);

    // Opening starts a sweep.
    const first = openDeletions({ ...deps, store: service.store, sweeps: true });
    await expect.poll(() => isStored(keyOf(other._id))).toBe(false);
    const _id = `session-${sessionId}`;
    await expect.poll(async () => (await service.models.deletions.findById(_id))?.passes).toBe(1);
    await first.stop();
    await service.models.deletions.updateOne({ _id }, { $set: { nextPassAt: new Date() } });
    const second = openDeletions({ ...deps, store: service.store, sweeps: true });
    await expect.poll(async () => (await service.models.deletions.findById(_id))?.passes).toBe(2);
    expect((await service.models.deletions.findById(_id))?.nextPassAt).toBeUndefined();
    await second.stop();
    await interrupted.stop();
  });
});

it('of a user deletes their sessions and no others', async () => {
  const [leaver, other] = await Promise.all([service.identity.user('others'), service.identity.user('others')]);
  const [mine, theirs] = [await newSession(leaver), await newSession(other)];
  await service.deletions.request({ kind: 'user', userId: leaver.id });
  expect(await service.models.sessions.exists({ userId: leaver.id })).toBeNull();
  expect(await service.models.recordings.exists({ userId: leaver.id })).toBeNull();
  expect(await isStored(mine.keyOf(mine.other._id))).toBe(false);
  expect(await service.models.recordings.countDocuments({ userId: other.id })).toBe(3);
  expect(await isStored(theirs.keyOf(theirs.other._id))).toBe(true);
  const late = await upload(service.server, leaver, answers[0] as Buffer, { setId: mine.setId });
  expect(late.status).toBe(404);
});
