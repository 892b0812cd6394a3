import { randomUUID } from 'node:crypto';
import type { Logger } from '@interview-prep/kit/logger';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteOldSessions } from '../src/deletions/retention.ts';
import { type RecordingUnderTest, startRecording, upload } from './setup/recording-under-test.ts';
import { tone } from './setup/spoken.ts';

let service: RecordingUnderTest;
beforeAll(async () => {
  service = await startRecording();
});
afterAll(() => service.close());

const dayMs = 24 * 3600 * 1000;

test('sessions older than RETENTION_DAYS are deleted, after a dry run that only names them', async () => {
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
    deleteOldSessions({ ...service, log }, { RETENTION_DAYS, RETENTION_DRY_RUN });
  const left = async () => (await service.models.sessions.find().lean()).map(({ sessionId }) => sessionId).sort();

  expect(await run(0)).toBe(0);
  expect(await run(30, true)).toBe(1);
  expect(lines.map(({ sessionId }) => sessionId)).toEqual([old, undefined, undefined]);
  expect(await left()).toEqual([old, young].sort());

  expect(await run(30)).toBe(1);
  expect(await left()).toEqual([young]);
  expect(await service.models.recordings.countDocuments({ sessionId: old })).toBe(0);
  expect(await service.models.recordings.countDocuments({ sessionId: young })).toBe(1);
  expect(await run(30)).toBe(0);
});

test('interviews and practice may be kept for different times', async () => {
  const user = await service.identity.user('others');
  const { setId } = await service.addSet();
  const sessionId = randomUUID();
  await upload(service.server, user, await tone(550), { setId, sessionId });
  await service.models.sessions.updateOne({ sessionId }, { $set: { createdAt: new Date(Date.now() - 10 * dayMs) } });
  const log = { info: () => {}, warn: () => {} } as unknown as Logger;
  const days = { RETENTION_DAYS: 5, RETENTION_DRY_RUN: false };
  const isThere = async () => (await service.models.sessions.exists({ sessionId })) !== null;
  await deleteOldSessions({ ...service, log }, { ...days, RETENTION_INTERVIEW_DAYS: 0 });
  expect(await isThere()).toBe(true);
  await deleteOldSessions({ ...service, log }, { ...days, RETENTION_PRACTICE_DAYS: 0 });
  expect(await isThere()).toBe(false);
});
