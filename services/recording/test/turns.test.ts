import { consumeJobs } from '@interview-prep/kit/redis/job-queues';
import { connectWorker } from '@interview-prep/kit/redis/redis';
import type { TestUser } from '@interview-prep/kit/testing/identity';
import type { Worker } from 'bullmq';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { runStage, type StageDeps } from '../src/stages/run-stage.ts';
import { sweep } from '../src/stages/sweep.ts';
import { type RecordingUnderTest, startRecording, upload } from './setup/recording-under-test.ts';
import { tone } from './setup/spoken.ts';
import { stageDeps } from './setup/worker-under-test.ts';

vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

/** How many answers the busy user has waiting. */
const waitingAnswers = 100;
const workerCount = 2;

let service: RecordingUnderTest;
let deps: StageDeps;
let answer: Buffer;
let busy: TestUser;
/** The users whose answers the workers started, in order. */
let begun: string[] = [];
let stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  service = await startRecording();
  deps = await stageDeps(service);
  answer = await tone(440);
  busy = await service.identity.user('others');
  const { setId } = await service.addSet();
  // All at once, like an attacker.
  const sent = Array.from({ length: waitingAnswers }, () => upload(service.server, busy, answer, { setId }));
  for (const { status } of await Promise.all(sent)) expect(status).toBe(201);
});
afterEach(async () => {
  await Promise.all(stops.map((stop) => stop()));
  stops = [];
  begun = [];
});
afterAll(() => service.close());

/** A worker of the media queue with a slow stage. */
function startMediaWorker(): Worker {
  const { settings, log, redisUrlOf } = service.backing;
  const connection = connectWorker(redisUrlOf('worker'), log);
  const worker = consumeJobs(
    'media',
    {
      'prepare-media': (job, context) =>
        runStage(
          'media',
          job,
          context,
          async ({ recording }) => {
            begun.push(recording.userId);
            await new Promise((resolve) => setTimeout(resolve, 50));
            return { fields: {}, status: 'completed', next: null };
          },
          deps,
        ),
    },
    { connection, prefix: settings.REDIS_PREFIX, log, lockMs: 1500 },
  );
  stops.push(async () => {
    await worker.close();
    connection.disconnect();
  });
  return worker;
}

async function sendOne(): Promise<string> {
  const someone = await service.identity.user('others');
  const { setId } = await service.addSet();
  const { status } = await upload(service.server, someone, answer, { setId });
  expect(status).toBe(201);
  return someone.id;
}

/** How many of the busy user's answers the workers started before another user's. */
async function begunBefore(userId: string, since = 0): Promise<number> {
  await expect.poll(() => begun.includes(userId), { timeout: 60_000, interval: 5 }).toBe(true);
  return begun.slice(since, begun.indexOf(userId)).length;
}

it("each of a user's answers has its own turn, even if all are sent at once", async () => {
  const recordings = await service.models.recordings.find({ userId: busy.id }).lean();
  const turns = recordings.map(({ turn = 0 }) => turn).sort((a, b) => a - b);
  expect(turns).toEqual(Array.from({ length: waitingAnswers }, (_, index) => index + 1));
});

it("another user's only answer goes before those that wait, whoever came first", async () => {
  const other = await sendOne();
  for (let count = 0; count < workerCount; count++) startMediaWorker();
  expect(await begunBefore(other)).toBeLessThanOrEqual(workerCount);
});

it('so does one sent while the workers are busy', async () => {
  for (let count = 0; count < workerCount; count++) startMediaWorker();
  await expect.poll(() => begun.length).toBeGreaterThan(workerCount);
  const other = await sendOne();
  // Jobs already in progress when it arrives continue.
  expect(await begunBefore(other, begun.length)).toBeLessThanOrEqual(workerCount);
});

it('two users with many answers take turns', async () => {
  const second = await service.identity.user('others');
  const { setId } = await service.addSet();
  await Promise.all(Array.from({ length: 10 }, () => upload(service.server, second, answer, { setId })));
  startMediaWorker();
  await expect.poll(() => begun.length, { timeout: 60_000 }).toBeGreaterThan(20);
  const [own, others] = [busy.id, second.id].map((id) => begun.slice(0, 20).filter((user) => user === id).length);
  expect(Math.abs(own! - others!)).toBeLessThanOrEqual(2);
});

it('turns survive an emptied Redis, and a worker that lost its job', async () => {
  const other = await sendOne();
  await service.allJobs.queue('media').obliterate({ force: true });
  await sweep(service, 0);
  const lost = startMediaWorker();
  // As if it was killed: it keeps the job until its lock expires.
  await expect.poll(() => begun.length).toBeGreaterThan(0);
  await lost.close(true);
  const before = begun.length;
  startMediaWorker();
  if (!begun.includes(other)) expect(await begunBefore(other, before)).toBeLessThanOrEqual(1);
  const answersOf = () => service.models.recordings.countDocuments({ userId: other, awaiting: 'media' });
  await expect.poll(answersOf, { timeout: 30_000 }).toBe(0);
});
