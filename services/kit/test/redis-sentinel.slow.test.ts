import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLogger } from '../src/process/logger.ts';
import { consumeJobs, createJobProducer } from '../src/redis/job-queues.ts';
import { publishLiveStatus, subscribeLiveStatus } from '../src/redis/live-status.ts';
import { connectProducer, connectWorker } from '../src/redis/redis.ts';
import { type RedisGroup, startRedisGroup } from '../testing/redis-group.ts';

const log = createLogger('test', process.env.LOG_LEVEL ?? 'silent');
const trusted = getCACertificates();
let folder: string;
let group: RedisGroup;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'redis-sentinel-'));
  group = await startRedisGroup(folder);
  setDefaultCACertificates([...trusted, await readFile(group.certificate, 'utf8')]);
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  await group?.stop();
  await rm(folder, { recursive: true });
});

test('after the primary is killed, jobs and live statuses continue on the new one, over TLS', async () => {
  const [redis, prefix] = [await connectProducer(group.url, log), 'test'];
  const consumer = connectWorker(group.url, log);
  const subscriber = connectWorker(group.url, log);
  const jobs = createJobProducer(redis, prefix);
  const [done, heard] = [new Set<string>(), new Set<string>()];
  const ignored = async () => undefined;
  const worker = consumeJobs(
    'assessment',
    { assess: async (stage) => void done.add(stage.recordingId) },
    { connection: consumer, prefix, log },
  );
  await subscribeLiveStatus(
    subscriber,
    prefix,
    (status) => 'recordingId' in status && heard.add(status.recordingId),
    log,
  );

  /** Like a sweeper: repeated until it succeeds. */
  const doWork = async () => {
    const recordingId = randomUUID();
    const status = { userId: 'u', sessionId: 's', recordingId, stage: 'media', status: 'completed' } as const;
    for (let attempt = 0; !(done.has(recordingId) && heard.has(recordingId)); attempt += 1) {
      expect(attempt).toBeLessThan(300);
      if (!done.has(recordingId)) await jobs.add('assessment', 'assess', { recordingId, run: 1 }).catch(ignored);
      if (!heard.has(recordingId)) await publishLiveStatus(redis, prefix, status).catch(ignored);
      await pause(100);
    }
  };
  const infoOf = async (key: string) => new RegExp(`${key}:(\\S+)`).exec(await redis.info())?.[1];
  await doWork();
  await expect.poll(() => infoOf('connected_slaves'), { timeout: 30_000 }).toBe('1');
  const [pid, port] = [Number(await infoOf('process_id')), await infoOf('tcp_port')];
  process.kill(pid, 'SIGKILL');
  await doWork();
  expect(await infoOf('role')).toBe('master');
  expect(await infoOf('tcp_port')).not.toBe(port);
  // The killed server comes back as a replica.
  await expect.poll(() => infoOf('connected_slaves'), { timeout: 60_000 }).toBe('1');

  await worker.close();
  await jobs.close();
  for (const connection of [redis, consumer, subscriber]) connection.disconnect();
});
