import { createHash, randomUUID } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { ErrorBody } from '@interview-prep/contracts/api/error-body';
import { limits } from '@interview-prep/contracts/api/limits';
import type { SetSnapshot } from '@interview-prep/contracts/events/snapshots';
import { UploadedInterviewRecording, UploadedPracticeRecording } from '@interview-prep/contracts/recording/recordings';
import { AnswerUpload } from '@interview-prep/contracts/recording/uploads';
import { createRateLimits } from '@interview-prep/kit/http/rate-limits';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import request from 'supertest';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { sweepParts } from '../src/answer-parts/answer-parts.ts';
import { exportData } from '../src/export/export-data.ts';
import { ObjectMissing } from '../src/object-store/object-store.ts';
import { createUploadLimits } from '../src/uploads/upload-limits.ts';
import { createVirusScan } from '../src/uploads/virus-scan.ts';
import { type RecordingUnderTest, setOf, startRecording, upload } from './setup/recording-under-test.ts';
import { padded, tone } from './setup/spoken.ts';
import { accountOf } from './setup/stand-in-auth.ts';

let service: RecordingUnderTest;
let candidate: TestUser;
let other: TestUser;
let set: SetSnapshot;
let answer: Buffer;

beforeAll(async () => {
  service = await startRecording();
  [candidate, other] = await Promise.all([service.identity.user('others'), service.identity.user('dev')]);
  set = await service.addSet();
  answer = await tone(440);
});
afterAll(() => service.close());
afterEach(async () => {
  await expect.poll(() => readdir(join(service.spoolDir, 'recording-uploads'))).toEqual([]);
});

const digestOf = (bytes: Buffer) => `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`;

function uploadOf(user: TestUser, id: string = randomUUID(), server = service.server) {
  const path = `/api/uploads/${id}`;
  const call = (method: 'get' | 'put' | 'post' | 'delete', under = '') =>
    request(server)[method](`${path}${under}`).set('Authorization', user.authorization);
  return {
    id,
    begin: (target: object = {}) =>
      call('put').send({ kind: 'interview', setId: set.setId, sessionId: randomUUID(), questionId: 0, ...target }),
    part: (number: number | string, bytes: Buffer, digest = digestOf(bytes)) =>
      call('put', `/parts/${number}`)
        .set('Content-Type', 'application/octet-stream')
        .set('Content-Digest', digest)
        .send(bytes),
    get: () => call('get'),
    complete: (parts: number) => call('post', '/complete').send({ parts }),
    discard: () => call('delete'),
    stored: () => service.models.uploads.findById(id).lean(),
  };
}

/** Splits the answer into parts of this size. */
function split(bytes: Buffer, sizeBytes = Math.ceil(bytes.length / 3)): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += sizeBytes) parts.push(bytes.subarray(at, at + sizeBytes));
  return parts;
}

async function begun(user = candidate, target: object = {}) {
  const one = uploadOf(user);
  const sessionId = randomUUID();
  expect((await one.begin({ sessionId, ...target })).status).toBe(200);
  return { ...one, sessionId };
}

async function partKeys({ id, sessionId }: { id: string; sessionId: string }): Promise<string[]> {
  const { parts = [] } = (await service.models.uploads.findById(id).lean()) ?? {};
  return parts.map(({ number, sha256 }) => `recordings/${sessionId}/parts/${id}/${number}-${sha256}`);
}

function expectError(response: request.Response, status: number, message?: string) {
  const body = ErrorBody.parse(response.body);
  expect({ status: response.status, message: body.message }).toEqual({ status, message: message ?? body.message });
}

describe('an answer in parts', () => {
  it('becomes the same recording as with a single upload, and its parts are deleted', async () => {
    const one = await begun();
    const parts = split(answer);
    for (const [number, part] of parts.entries()) expect((await one.part(number, part)).status).toBe(200);
    const keys = await partKeys(one);
    const { body, status } = await one.complete(parts.length);
    expect(status).toBe(201);
    const recording = UploadedInterviewRecording.parse(body.recording);
    expect(recording).toMatchObject({ sessionId: one.sessionId, questionId: 0, take: 1 });
    const stored = await service.models.recordings.findById(recording._id).orFail();
    expect(stored).toMatchObject({ awaiting: 'media', userId: candidate.id, kind: 'interview', uploadId: one.id });
    expect(await buffer(await service.store.get(stored.original.key))).toEqual(answer);
    expect(keys).toHaveLength(parts.length);
    for (const key of keys) await expect(service.store.get(key)).rejects.toThrow(ObjectMissing);

    // Once more, in parts and as a whole.
    const again = await one.complete(parts.length);
    expect([again.status, again.body.recording._id]).toEqual([200, recording._id]);
    const whole = await upload(service.server, candidate, answer, { setId: set.setId, sessionId: one.sessionId });
    expect([whole.status, whole.body.recording._id]).toEqual([200, recording._id]);
    const found = AnswerUpload.parse((await one.get()).body.upload);
    expect(found).toMatchObject({ state: 'complete', recordingId: recording._id });
    // Late repetitions of a part are harmless; further parts are refused.
    expect((await one.part(0, parts[0] as Buffer)).status).toBe(200);
    expectError(await one.part(9, answer), 409, 'This answer is complete');
    expectError(await one.discard(), 409, 'This answer is complete');
  });

  it('is accepted even if its transcription cannot be queued, which is logged once per outage', async () => {
    const warn = vi.spyOn(service.backing.log, 'warn');
    const add = vi.fn().mockRejectedValue(new Error('Redis is down'));
    const server = await service.listen({ jobs: { ...service.jobs, add } });
    const id = randomUUID();
    const one = uploadOf(candidate, id, server);
    await one.begin().expect(200);
    const parts = split(answer);
    for (const [number, bytes] of parts.entries()) await one.part(number, bytes).expect(200);
    expect(add).toHaveBeenCalledTimes(parts.length);
    expect(warn.mock.calls.filter(([, text]) => /could not queue/.test(text ?? ''))).toHaveLength(1);
    warn.mockRestore();
    await one.discard();
  });

  it('can belong to a practice session, and its parts can arrive in any order', async () => {
    const { setId } = await service.addSet({ kind: 'practice' });
    const one = await begun(candidate, { kind: 'practice', setId });
    const parts = split(answer);
    for (const number of [2, 0, 1]) expect((await one.part(number, parts[number] as Buffer)).status).toBe(200);
    const { body, status } = await one.complete(3);
    expect(status).toBe(201);
    const { _id } = UploadedPracticeRecording.parse(body.recording);
    const stored = await service.models.recordings.findById(_id).orFail();
    expect(await buffer(await service.store.get(stored.original.key))).toEqual(answer);
  });

  it('reports where to continue', async () => {
    const one = await begun();
    const [first, second, third] = split(answer) as [Buffer, Buffer, Buffer];
    expect((await one.get()).body.upload).toMatchObject({
      state: 'open',
      nextPart: 0,
      receivedBytes: 0,
      lastPartAt: null,
    });
    await one.part(0, first);
    const ahead = AnswerUpload.parse((await one.part(2, third)).body.upload);
    expect(ahead).toMatchObject({ nextPart: 1, receivedBytes: first.length + third.length });
    expectError(await one.complete(3), 409, 'Part 1 has not arrived');
    expect((await one.begin({ sessionId: one.sessionId })).body.upload).toMatchObject({ nextPart: 1 });
    const whole = await one.part(1, second);
    expect(whole.body.upload).toMatchObject({ nextPart: 3, receivedBytes: answer.length });
    expectError(await one.complete(2), 409, 'This answer has more parts');
    expect((await one.complete(3)).status).toBe(201);
  });

  it('stores each part once, even if it is sent repeatedly or concurrently, and no other in its place', async () => {
    const one = await begun();
    const part = answer.subarray(0, 5000);
    const sent = await Promise.all(Array.from({ length: 8 }, () => one.part(0, part)));
    expect(sent.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 200));
    expect((await one.get()).body.upload).toMatchObject({ nextPart: 1, receivedBytes: 5000 });
    expectError(await one.part(0, answer.subarray(1, 5001)), 409, 'Another part has this number');
    // Of two concurrent, different versions of a part, one is accepted.
    const both = await Promise.all([one.part(1, answer.subarray(0, 100)), one.part(1, answer.subarray(1, 101))]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await one.get()).body.upload).toMatchObject({ nextPart: 2, receivedBytes: 5100 });
    // Rejected parts are not stored: nothing would count them.
    const bodies = Array.from({ length: 6 }, (_, at) => answer.subarray(at, 100 + at));
    const all = await Promise.all(bodies.map((body) => one.part(2, body)));
    const keys = bodies.map(
      (body) => `recordings/${one.sessionId}/parts/${one.id}/2-${createHash('sha256').update(body).digest('hex')}`,
    );
    const isStored = (key: string) =>
      service.store.get(key).then(
        () => true,
        () => false,
      );
    expect(await Promise.all(keys.map(isStored))).toEqual(all.map(({ status }) => status === 200));
  });

  it('completed twice concurrently is one recording', async () => {
    const one = await begun();
    await one.part(0, answer);
    const both = await Promise.all([one.complete(1), one.complete(1)]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 201]);
    expect(await service.models.recordings.countDocuments({ sessionId: one.sessionId })).toBe(1);
  });

  it('is listed for its owner until it ends', async () => {
    const owner = await service.identity.user('others');
    const one = await begun(owner);
    await one.part(0, answer);
    const list = async () => {
      const { body } = await request(service.server).get('/api/uploads').set('Authorization', owner.authorization);
      return body.uploads as AnswerUpload[];
    };
    const [listed] = await list();
    expect(listed).toMatchObject({ id: one.id, state: 'open', question: set.questions[0], title: set.title });
    const lastPartAt = new Date(Date.now() - 11 * 60_000);
    await service.models.uploads.updateOne({ _id: one.id }, { lastPartAt, durationMs: 42_000 });
    expect(await list()).toMatchObject([{ state: 'cut_off', durationMs: 42_000 }]);
    // The candidate continues.
    const more = await one.part(1, Buffer.alloc(10));
    expect(more.body.upload).toMatchObject({ state: 'open', durationMs: null });
    expect((await one.discard()).status).toBe(204);
    expect(await list()).toEqual([]);
    expectError(await one.get(), 404);
    expectError(await one.begin({ sessionId: one.sessionId }), 404);
  });
});

describe('an answer in parts is rejected', () => {
  it('for an unknown set or question, and in a session of someone else or of another set', async () => {
    const begin = (target: object, user = candidate) => uploadOf(user).begin(target);
    expectError(await begin({ setId: setOf().setId }), 404, 'Interview set not found');
    expectError(await begin({ kind: 'practice' }), 404, 'Practice set not found');
    expectError(await begin({ questionId: 2 }), 400, 'The set has no such question');
    expectError(await begin({ questionId: '0' }), 400);
    expectError(await begin({ sessionId: 'mine' }), 400);
    const { sessionId } = await begun();
    expectError(await begin({ sessionId }, other), 403, 'This session belongs to someone else');
    const { setId } = await service.addSet();
    expectError(await begin({ sessionId, setId }), 403, 'This session was begun with another set');
  });

  it('with an id that belongs to another answer or user, or is not a UUID', async () => {
    const one = await begun();
    expectError(await one.begin({ sessionId: one.sessionId, questionId: 1 }), 409, 'This upload is of another answer');
    expectError(await uploadOf(candidate, 'first').begin(), 400);
    const foreign = uploadOf(other, one.id);
    for (const response of [
      await foreign.begin({ sessionId: one.sessionId }),
      await foreign.get(),
      await foreign.part(0, answer),
      await foreign.complete(1),
      await foreign.discard(),
    ])
      expectError(response, 404, 'Upload not found');
    expect((await one.get()).body.upload).toMatchObject({ nextPart: 0 });
  });

  it('without a token', async () => {
    const path = `/api/uploads/${randomUUID()}`;
    const anyone = request(service.server);
    for (const response of [
      await anyone.put(path),
      await anyone.get(path),
      await anyone.get('/api/uploads'),
      await anyone.put(`${path}/parts/0`),
      await anyone.post(`${path}/complete`),
      await anyone.delete(path),
    ])
      expectError(response, 401);
  });

  it('with a part that is damaged, too large, unnumbered or empty', async () => {
    const one = await begun();
    const message = 'Content-Digest must be the SHA-256 hash of the part';
    expectError(await one.part(0, answer, digestOf(Buffer.from('other'))), 400, message);
    expectError(await one.part(0, answer, 'md5=:AAAA:'), 400, message);
    expectError(await one.part('x', answer), 400);
    expectError(await one.part(limits.partsPerAnswer, answer), 400);
    expectError(await one.part(0, Buffer.alloc(limits.partMaxBytes + 1)), 413);
    const text = request(service.server)
      .put(`/api/uploads/${one.id}/parts/0`)
      .set('Authorization', candidate.authorization);
    expectError(await text.send({ a: 1 }), 415);
    expect((await one.part(0, Buffer.alloc(limits.partMaxBytes))).status).toBe(200);
    expect((await one.get()).body.upload).toMatchObject({ nextPart: 1, receivedBytes: limits.partMaxBytes });
  });

  it('beyond the maximum size', async () => {
    const one = await begun();
    const parts = split(await padded(limits.recordingMaxBytes), limits.partMaxBytes);
    for (const [number, part] of parts.entries()) expect((await one.part(number, part)).status).toBe(200);
    expectError(await one.part(parts.length, Buffer.alloc(1)), 413);
    expect((await one.complete(parts.length)).status).toBe(201);
  });

  it.each([
    ['is too short', Buffer.alloc(limits.recordingMinBytes - 1), 400, 'Recording too short or empty'],
    ['is no media', Buffer.from('a letter. '.repeat(200)), 415, 'Unsupported recording format'],
  ])('as a whole if it %s, and deleted', async (_name, bytes, status, message) => {
    const one = await begun();
    await one.part(0, bytes);
    const [key = ''] = await partKeys(one);
    expectError(await one.complete(1), status, message);
    expectError(await one.get(), 404);
    await expect(service.store.get(key)).rejects.toThrow(ObjectMissing);
  });

  it('if the virus scan has no result, and is kept for a retry', async () => {
    const one = await begun();
    await one.part(0, answer);
    const scanForViruses = createVirusScan('127.0.0.1:1', service.backing.log);
    const unscanned = await service.listen({ scanForViruses });
    expectError(await uploadOf(candidate, one.id, unscanned).complete(1), 503);
    expect((await one.complete(1)).status).toBe(201);
  });

  it('while a hundred others are incomplete', async () => {
    const user = await service.identity.user('others');
    const { _id: _, ...values } = (await (await begun(user)).stored())!;
    const more = Array.from({ length: 99 }, () => ({ ...values, _id: randomUUID() }));
    await service.models.uploads.insertMany(more);
    expectError(
      await uploadOf(user).begin(),
      429,
      'You have many answers that are not complete. Send or discard some first.',
    );
    expect((await uploadOf(user, more[0]!._id).discard()).status).toBe(204);
    expect((await uploadOf(user).begin()).status).toBe(200);
  });

  it('beyond the limits on answers, parts and storage', async () => {
    const { redis, log, settings } = service.backing;
    const limitRate = createRateLimits({ redis, prefix: settings.REDIS_PREFIX, service: 'recording', log });
    const listenWith = (storedMegabytes: number, perMinute: number) =>
      service.listen({
        uploadLimits: createUploadLimits({ storedMegabytes, perMinute, perHour: 0 }, service.models, limitRate),
      });
    const busy = await service.identity.user('others');
    const slow = await listenWith(0, 1);
    const one = uploadOf(busy, randomUUID(), slow);
    const target = { sessionId: randomUUID() };
    // Repeating the upload doesn't count as another answer.
    for (const status of [200, 200]) expect((await one.begin(target)).status).toBe(status);
    expectError(await uploadOf(busy, randomUUID(), slow).begin(), 429);
    for (let number = 0; number < 17; number += 1) expect((await one.part(number, Buffer.from('x'))).status).toBe(200);
    expectError(await one.part(17, Buffer.from('x')), 429);

    const full = uploadOf(await service.identity.user('others'), randomUUID(), await listenWith(1, 0));
    expect((await full.begin()).status).toBe(200);
    for (const number of [0, 1]) expect((await full.part(number, Buffer.alloc(480_000))).status).toBe(200);
    const refused = await full.part(2, Buffer.alloc(480_000));
    expect([refused.status, refused.body.code]).toEqual([429, 'storage_full']);
    // Discarded uploads take up no space.
    expect((await full.discard()).status).toBe(204);
  });
});

describe('remaining parts of an answer', () => {
  it("are in their owner's export", async () => {
    const owner = await service.identity.user('others');
    const one = await begun(owner);
    for (const [number, part] of split(answer).entries()) await one.part(number, part);
    const account = accountOf(owner.id);
    const zip = await fromBufferPromise(await buffer(exportData(account, service, new AbortController().signal)));
    const files = new Map<string, Buffer>();
    for await (const entry of zip.eachEntry())
      files.set(entry.fileName.split('/').at(-1) ?? '', await buffer(await zip.openReadStreamPromise(entry)));
    expect(files.get(`question-1-unfinished-${one.id.slice(0, 8)}.webm`)).toEqual(answer);
  });

  it('are deleted with the session, which then accepts no more', async () => {
    const one = await begun();
    await one.part(0, answer);
    const [key = ''] = await partKeys(one);
    const { _id } = await service.models.sessions.findOne({ sessionId: one.sessionId }).orFail();
    const deleting = request(service.server).delete(`/api/sessions/${_id}`);
    expect((await deleting.set('Authorization', candidate.authorization)).status).toBe(204);
    await expect(service.store.get(key)).rejects.toThrow(ObjectMissing);
    expect(await one.stored()).toBeNull();
    expectError(await one.part(1, answer), 404);
    expectError(await one.begin({ sessionId: one.sessionId }), 404, 'This session was deleted');
  });

  it("are deleted with their owner's account", async () => {
    const owner = await service.identity.user('others');
    const one = await begun(owner);
    await one.part(0, answer);
    const [key = ''] = await partKeys(one);
    await service.deletions.request({ kind: 'user', userId: owner.id });
    await expect(service.store.get(key)).rejects.toThrow(ObjectMissing);
    expect(await one.stored()).toBeNull();
  });

  it('are deleted seven days after the last part, and their record seven days later', async () => {
    const one = await begun();
    await one.part(0, answer);
    const [key = ''] = await partKeys(one);
    const age = async (days: number, changes = {}) => {
      const updatedAt = new Date(Date.now() - days * 24 * 3600_000);
      const set = { $set: { updatedAt, ...changes } };
      await service.models.uploads.updateOne({ _id: one.id }, set, { timestamps: false });
    };
    await age(6.9);
    await sweepParts(service);
    expect((await one.get()).status).toBe(200);
    await age(7.1);
    await sweepParts(service);
    await expect(service.store.get(key)).rejects.toThrow(ObjectMissing);
    expectError(await one.get(), 404);

    // A request that was storing a part at the same time leaves an object for the second pass.
    await service.store.putBytes(key, answer);
    await age(1, { endedAt: new Date(Date.now() - 3600_000), removePartsAt: new Date() });
    await sweepParts(service);
    await expect(service.store.get(key)).rejects.toThrow(ObjectMissing);
    expect((await one.stored())?.removePartsAt).toBeUndefined();
    await age(8, { endedAt: new Date(Date.now() - 8 * 24 * 3600_000) });
    await sweepParts(service);
    expect(await one.stored()).toBeNull();
  });
});
