import { randomUUID } from 'node:crypto';
import type { Logger } from '@interview-prep/kit/process/logger';
import { Types } from 'mongoose';
import request from 'supertest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { applyRetention } from '../src/deletions/retention.ts';
import { ObjectMissing } from '../src/object-store/object-store.ts';
import { type RecordingUnderTest, startRecording, upload } from './setup/recording-under-test.ts';
import { tone } from './setup/spoken.ts';

let service: RecordingUnderTest;
beforeAll(async () => {
  service = await startRecording();
});
afterAll(() => service.close());

const dayMs = 24 * 3600 * 1000;
const keepAll = { RETENTION_DAYS: 0, RETENTION_MEDIA_DAYS: 0, RETENTION_DRY_RUN: false };
const silent = { info: () => {}, warn: () => {} } as unknown as Logger;

test('sessions older than RETENTION_DAYS are deleted, after a dry run that only lists them', async () => {
  const user = await service.identity.user('others');
  const { setId } = await service.addSet();
  const [old, young] = [randomUUID(), randomUUID()];
  const answer = await tone(440);
  for (const sessionId of [old, young]) await upload(service.server, user, answer, { setId, sessionId });
  for (const [sessionId, days] of [
    [old, 31],
    [young, 29],
  ] as const) {
    await service.models.sessions.updateOne(
      { sessionId },
      { $set: { createdAt: new Date(Date.now() - days * dayMs) } },
    );
  }
  const lines: { sessionId?: string }[] = [];
  const log = { info: (line: (typeof lines)[number]) => lines.push(line), warn: () => {} } as unknown as Logger;
  const run = (RETENTION_DAYS: number, RETENTION_DRY_RUN = false) =>
    applyRetention({ ...service, log }, { ...keepAll, RETENTION_DAYS, RETENTION_DRY_RUN });
  const left = async () => (await service.models.sessions.find().lean()).map(({ sessionId }) => sessionId).sort();

  expect(await run(0)).toBe(0);
  expect(await run(30, true)).toBe(1);
  expect(lines.map(({ sessionId }) => sessionId)).toEqual([old, undefined]);
  expect(await left()).toEqual([old, young].sort());

  expect(await run(30)).toBe(1);
  expect(await left()).toEqual([young]);
  expect(await service.models.recordings.countDocuments({ sessionId: old })).toBe(0);
  expect(await service.models.recordings.countDocuments({ sessionId: young })).toBe(1);
  expect(await run(30)).toBe(0);
});

/** Uploads an answer, as if recorded and transcribed this many days ago. */
async function storeOldAnswer(days: number, changes: object = {}) {
  const user = await service.identity.user('others');
  const { setId } = await service.addSet();
  const sessionId = randomUUID();
  const { body } = await upload(service.server, user, await tone(300 + days), { setId, sessionId });
  const { _id, audioUrl } = body.recording as { _id: string; audioUrl: string };
  // Bypass Mongoose, which never changes createdAt.
  await service.models.recordings.collection.updateOne(
    { _id: new Types.ObjectId(_id) },
    {
      $set: {
        createdAt: new Date(Date.now() - days * dayMs),
        stage: 'assessment',
        stageStatus: 'completed',
        transcription: { status: 'completed', text: 'A closure.', completedAt: new Date() },
        correctnessPercentage: 70,
        ...changes,
      },
      $unset: { awaiting: 1 },
    },
  );
  const { original } = await service.models.recordings.findById(_id).orFail();
  return { user, _id, audioUrl, key: original.key, sessionId };
}

test('media is deleted after RETENTION_MEDIA_DAYS; transcript and verdict stay, and playback gives the reason', async () => {
  const [old, young] = [await storeOldAnswer(31), await storeOldAnswer(29)];
  const busy = await storeOldAnswer(32);
  await service.models.recordings.updateOne({ _id: busy._id }, { $set: { awaiting: 'media' } });
  const lines: { recordingId?: string }[] = [];
  const log = { info: (line: (typeof lines)[number]) => lines.push(line), warn: () => {} } as unknown as Logger;
  const settings = { ...keepAll, RETENTION_MEDIA_DAYS: 30 };
  const isStored = ({ key }: { key: string }) =>
    service.store.get(key).then(
      (media) => !!media.destroy(),
      (error: unknown) => {
        if (error instanceof ObjectMissing) return false;
        throw error;
      },
    );

  expect(await applyRetention({ ...service, log }, { ...settings, RETENTION_DRY_RUN: true })).toBe(1);
  expect(lines.map(({ recordingId }) => recordingId)).toEqual([old._id, undefined]);
  expect(await isStored(old)).toBe(true);

  expect(await applyRetention({ ...service, log: silent }, settings)).toBe(1);
  expect([await isStored(old), await isStored(young), await isStored(busy)]).toEqual([false, true, true]);
  const recording = await service.models.recordings.findById(old._id).orFail();
  expect(recording).toMatchObject({ correctnessPercentage: 70, mediaDeletion: { afterDays: 30 } });
  expect(recording.transcription.text).toBe('A closure.');
  const reason = 'This recording was deleted after 30 days. Its transcript and scores are kept.';
  const played = await request(service.server).get(old.audioUrl).expect(410);
  expect(played.body).toMatchObject({ code: 'media_deleted', message: reason });
  await request(service.server).get(young.audioUrl).expect(200);
  expect(await applyRetention({ ...service, log: silent }, settings)).toBe(0);

  const jobs = await service.allJobs.queue('history').getJobs(['waiting', 'prioritized', 'delayed']);
  const published = jobs.map(({ data }) => data as { recording?: { recordingId: string; mediaDeletion?: unknown } });
  expect(published.map(({ recording: sent }) => sent)).toContainEqual(
    expect.objectContaining({ recordingId: old._id, mediaDeletion: expect.objectContaining({ afterDays: 30 }) }),
  );
});

test('a failed answer without media is not processed again; one that lacks only a verdict is', async () => {
  const [failed, unscored] = [
    await storeOldAnswer(40, { stage: 'transcription', stageStatus: 'failed' }),
    await storeOldAnswer(41, { stageStatus: 'unscored' }),
  ];
  await applyRetention({ ...service, log: silent }, { ...keepAll, RETENTION_MEDIA_DAYS: 35 });
  const reprocess = ({ _id, user }: typeof failed) =>
    request(service.server).post(`/api/recordings/${_id}/reprocess`).set('Authorization', user.authorization);
  const refused = await reprocess(failed).expect(409);
  expect(refused.body.message).toBe('This recording was deleted after 35 days. Its transcript and scores are kept.');
  await reprocess(unscored).expect(202);
});
