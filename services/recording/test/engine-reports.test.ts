import request from 'supertest';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { reportEngines } from '../src/engines/engine-reports.ts';
import { type RecordingUnderTest, startRecording } from './setup/recording-under-test.ts';

let service: RecordingUnderTest;
beforeAll(async () => {
  service = await startRecording();
});
afterAll(() => service.close());

const engines = {
  speech: 'pocketsphinx en-us',
  unavailable: [{ engine: 'whisper', reason: 'There is no build of @napi-rs/whisper for linux-arm64-glibc.' }],
  assess: 'reference',
};

const reports = async () => ({
  redis: await service.backing.redisAs('worker'),
  prefix: service.backing.settings.REDIS_PREFIX,
});

async function asked(role: 'admin' | 'others') {
  const { token } = await service.identity.user(role);
  return request(service.server).get('/api/recordings/engines').set('Authorization', `Bearer ${token}`);
}

describe("workers' engines", () => {
  it('are shown to admins while the worker runs', async () => {
    const stop = reportEngines(await reports(), () => engines, service.backing.log);
    await vi.waitFor(async () => {
      expect((await asked('admin')).body).toEqual({ workers: [{ ...engines, worker: expect.any(String) }] });
    });
    expect((await asked('others')).status).toBe(403);
    await stop();
    expect((await asked('admin')).body).toEqual({ workers: [] });
  });

  it('are forgotten if a worker was killed or hangs', async () => {
    const { redis, prefix } = await reports();
    const said = { ...engines, worker: 'gone', atMs: Date.now() - 31_000 };
    await redis.hset(`${prefix}:engines`, 'gone', JSON.stringify(said));
    expect((await asked('admin')).body).toEqual({ workers: [] });
    expect(await redis.hlen(`${prefix}:engines`)).toBe(0);
  });
});
