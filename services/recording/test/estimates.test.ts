import { type OwnedLiveStatus, subscribeLiveStatus } from '@interview-prep/kit/redis/live-status';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createEstimates } from '../src/recordings/estimates.ts';
import { type RecordingUnderTest, sendAnswer, startRecording } from './setup/recording-under-test.ts';
import { tone } from './setup/spoken.ts';

let service: RecordingUnderTest;

beforeAll(async () => {
  service = await startRecording();
});
afterAll(() => service.close());

it('each waiting answer shows how many are ahead, and when it will be ready at the measured speed', async () => {
  const { models, backing, identity } = service;
  const { log } = backing;
  const prefix = backing.settings.REDIS_PREFIX;
  const heard: OwnedLiveStatus[] = [];
  await subscribeLiveStatus(await backing.redisAs('recording'), prefix, (status) => void heard.push(status), log);
  const user = await identity.user('others');
  const ids: string[] = [];
  for (const hertz of [300, 400, 500]) ids.push(await sendAnswer(service, user, await tone(hertz)));
  await models.recordings.updateOne({ _id: String(ids[0]) }, { stageStatus: 'started', durationMs: 20_000 });
  const estimates = createEstimates({ models, redis: await backing.redisAs('worker'), prefix, log });
  const publish = async () => {
    heard.length = 0;
    await estimates.publish();
    await expect.poll(() => heard).toHaveLength(2);
    return heard.map((status) => ({
      userId: status.userId,
      ...('recordingId' in status && 'estimate' in status ? { id: status.recordingId, ...status.estimate } : {}),
    }));
  };
  const told = (second: number, third: number) => [
    { userId: user.id, id: ids[1], ahead: 1, readyInMs: second },
    { userId: user.id, id: ids[2], ahead: 2, readyInMs: third },
  ];
  expect(await publish()).toEqual(told(32_000, 56_000));
  // Ten times slower than assumed.
  estimates.measure(10_000, 40_000);
  const [second, third] = await publish();
  expect(second?.readyInMs).toBeGreaterThan(100_000);
  expect(third?.readyInMs).toBe((second?.readyInMs ?? 0) * 1.75);
});
