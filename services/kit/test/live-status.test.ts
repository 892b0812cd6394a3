import { afterAll, beforeAll, expect, test } from 'vitest';
import { publishLiveStatus, subscribeLiveStatus } from '../src/redis/live-status.ts';
import { connectWorker } from '../src/redis/redis.ts';
import { createTestBacking, type TestBacking } from '../testing/backing.ts';

let backing: TestBacking;
beforeAll(async () => {
  backing = await createTestBacking('kit');
});
afterAll(() => backing.close());

const move = { userId: 'u1', sessionId: 's1', recordingId: 'r1', stage: 'media', status: 'started' } as const;

test('a status reaches subscribers until they unsubscribe; a malformed one reaches none', async () => {
  const prefix = backing.settings.REDIS_PREFIX;
  const own = connectWorker(backing.settings.REDIS_URL, backing.log);
  const heard: unknown[] = [];
  const leave = await subscribeLiveStatus(own, prefix, (status) => heard.push(status), backing.log);
  await backing.redis.publish(`${prefix}:live-status`, 'not json');
  await backing.redis.publish(`${prefix}:live-status`, '{"userId":1}');
  await publishLiveStatus(backing.redis, `${prefix}-other`, move);
  await publishLiveStatus(backing.redis, prefix, move);
  await expect.poll(() => heard).toEqual([move]);
  await leave();
  await publishLiveStatus(backing.redis, prefix, { ...move, status: 'completed' });
  await own.ping();
  expect(heard).toEqual([move]);
  own.disconnect();
});

test('an interruption of the subscription is reported once statuses arrive again', async () => {
  const prefix = backing.settings.REDIS_PREFIX;
  const own = connectWorker(backing.settings.REDIS_URL, backing.log);
  const heard: unknown[] = [];
  const leave = await subscribeLiveStatus(
    own,
    prefix,
    (status) => heard.push(status),
    backing.log,
    () => heard.push('gap'),
  );
  own.disconnect(true);
  await expect.poll(() => heard).toEqual(['gap']);
  await publishLiveStatus(backing.redis, prefix, move);
  await expect.poll(() => heard).toEqual(['gap', move]);
  await leave();
  own.disconnect();
});
