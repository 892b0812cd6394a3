import { createRateLimits } from '@interview-prep/kit/http/rate-limits';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { createUploadLimits, type UploadQuota } from '../src/uploads/upload-limits.ts';
import { type RecordingUnderTest, startRecording, upload } from './setup/recording-under-test.ts';
import { padded, tone } from './setup/spoken.ts';

let service: RecordingUnderTest;
let answer: Buffer;
beforeAll(async () => {
  service = await startRecording();
  answer = await tone(440);
});
afterAll(() => service.close());

/** The service with these limits. All others are off. */
function listenWith(limits: Partial<UploadQuota>) {
  const { models, backing } = service;
  const { redis, log, settings } = backing;
  const off = { perMinute: 0, perHour: 0, storedMegabytes: 0 };
  const limitRate = createRateLimits({ redis, prefix: settings.REDIS_PREFIX, service: 'recording', log });
  return service.listen({ uploadLimits: createUploadLimits({ ...off, ...limits }, models, limitRate) });
}

it.each([
  ['perMinute', 60],
  ['perHour', 3600],
] as const)('%s: one upload more gets 429, for that user only', async (name, windowSeconds) => {
  const server = await listenWith({ [name]: 2 });
  const { setId } = await service.addSet();
  const user = await service.identity.user('others');
  for (const kind of ['first', 'second']) {
    expect([kind, (await upload(server, user, answer, { setId })).status]).toEqual([kind, 201]);
  }
  const { status, body, headers } = await upload(server, user, answer, { setId });
  expect(status).toBe(429);
  expect(body.message).toMatch(/^You have sent many answers in a short time\. Please try again in (a|\d+) minutes?\.$/);
  expect(Number(headers['retry-after'])).toBeGreaterThan(windowSeconds - 30);
  expect(Number(headers['retry-after'])).toBeLessThanOrEqual(windowSeconds);
  expect(await service.models.recordings.countDocuments({ userId: user.id })).toBe(2);
  expect((await upload(server, await service.identity.user('others'), answer, { setId })).status).toBe(201);
});

it('two limits on one request are counted separately, and log nothing', async () => {
  const errors = vi.spyOn(service.backing.log, 'error');
  onTestFinished(() => errors.mockRestore());
  const server = await listenWith({ perMinute: 5, perHour: 5 });
  const { setId } = await service.addSet();
  expect((await upload(server, await service.identity.user('others'), answer, { setId })).status).toBe(201);
  expect(errors).not.toHaveBeenCalled();
});

it('storedMegabytes: an upload that would exceed the limit gets 429 until there is space again', async () => {
  const server = await listenWith({ storedMegabytes: 1 });
  const { setId } = await service.addSet();
  const user = await service.identity.user('others');
  const large = await padded(600_000);
  expect((await upload(server, user, large, { setId })).status).toBe(201);
  const refused = await upload(server, user, large, { setId });
  expect(refused.status).toBe(429);
  expect(refused.headers['retry-after']).toBe('3600');
  expect(refused.body).toMatchObject({
    code: 'storage_full',
    message:
      'Your recordings take up all the room that you have (1 MB). Delete some that you no longer need, or ask an admin for more.',
  });
  // A small recording fits. Playback copies count too.
  expect((await upload(server, user, answer, { setId })).status).toBe(201);
  const playback = { key: 'copy', mediaType: 'audio/webm', sizeBytes: 390_000 };
  await service.models.recordings.updateOne({ userId: user.id }, { $set: { playback } });
  expect((await upload(server, user, answer, { setId })).status).toBe(429);
  // Media deleted by retention doesn't count.
  const mediaDeletion = { at: new Date().toISOString(), afterDays: 30 };
  await service.models.recordings.updateMany({ userId: user.id }, { $set: { mediaDeletion } });
  expect((await upload(server, user, large, { setId })).status).toBe(201);
});
