import request from 'supertest';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { reportEngines } from '../src/engines/engine-reports.ts';
import { type RecordingUnderTest, sendAnswer, startRecording } from './setup/recording-under-test.ts';
import { tone } from './setup/spoken.ts';

let service: RecordingUnderTest;
beforeAll(async () => {
  service = await startRecording();
});
afterAll(() => service.close());

const metricsToken = 'metrics';

async function readMetric(name: string): Promise<number> {
  const app = await service.listen({ metricsToken });
  const { text } = await request(app).get('/metrics').set('Authorization', `Bearer ${metricsToken}`).expect(200);
  const line = text.split('\n').find((one) => one.startsWith(`${name} `));
  return Number(line?.slice(name.length + 1));
}

it('the service reports whether a worker runs, and stays ready without one', async () => {
  const ready = async () => (await request(service.server).get('/readyz').expect(200)).body;
  expect(await ready()).toMatchObject({ ready: true, reports: { worker: false } });
  expect(await readMetric('recording_workers')).toBe(0);
  const reports = { redis: await service.backing.redisAs('worker'), prefix: service.backing.settings.REDIS_PREFIX };
  const stop = reportEngines(
    reports,
    () => ({ speech: null, unavailable: [], assess: 'reference' }),
    service.backing.log,
  );
  await expect.poll(ready).toMatchObject({ ready: true, reports: { worker: true } });
  expect(await readMetric('recording_workers')).toBe(1);
  await stop();
  expect(await ready()).toMatchObject({ ready: true, reports: { worker: false } });
});

it('measures waiting work, its age, and unpublished changes', async () => {
  expect(await readMetric('recording_oldest_pending_answer_age_seconds')).toBe(0);
  const id = await sendAnswer(service, await service.identity.user('others'), await tone(440));
  await service.models.recordings.collection.updateOne(
    { _id: (await service.models.recordings.findById(id).orFail())._id },
    { $set: { createdAt: new Date(Date.now() - 90_000), updatedAt: new Date(Date.now() - 60_000), unpublished: true } },
  );
  const age = await readMetric('recording_oldest_pending_answer_age_seconds');
  expect(age).toBeGreaterThanOrEqual(90);
  expect(age).toBeLessThan(120);
  expect(await readMetric('outbox_oldest_change_age_seconds{outbox="recordings"}')).toBeGreaterThanOrEqual(60);
  expect(await readMetric('recording_queue_jobs{queue="media",state="waiting"}')).toBe(1);
  const waiting = await readMetric('recording_oldest_waiting_job_age_seconds{stage="media"}');
  expect(waiting).toBeGreaterThanOrEqual(60);
  expect(waiting).toBeLessThan(90);
  expect(await readMetric('recording_oldest_waiting_job_age_seconds{stage="assessment"}')).toBe(0);
});

it('counts the jobs by which workers are scaled: prioritized, active, or for an answer being spoken', async () => {
  const before = await readMetric('recording_worker_jobs');
  const queue = service.jobs.queue('media');
  const { prioritized, waiting } = await queue.getJobCounts('prioritized', 'waiting');
  // The previous test's answer has a priority: the length of the waiting list alone would be zero.
  expect({ before, prioritized, waiting }).toEqual({ before: 1, prioritized: 1, waiting: 0 });
  await service.jobs.add('ahead', 'transcribe-ahead', { uploadId: 'spoken-now' });
  expect(await readMetric('recording_worker_jobs')).toBe(2);
});

it('reports when the latest backup completed', async () => {
  expect(await readMetric('backup_last_success_timestamp_seconds')).toBe(0);
  const backups = service.models.recordings.db.collection<{ _id: string; endedAt: Date }>('backups');
  await backups.insertOne({ _id: 'latest', endedAt: new Date(1_700_000_000_000) });
  expect(await readMetric('backup_last_success_timestamp_seconds')).toBe(1_700_000_000);
});
