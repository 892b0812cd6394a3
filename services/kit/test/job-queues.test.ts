import { once } from 'node:events';
import { productVersion } from '@interview-prep/contracts/api/version';
import { queues } from '@interview-prep/contracts/events/jobs';
import type { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { unavailable } from '../src/http/http-error.ts';
import { jobAttempts } from '../src/redis/job-attempts.ts';
import {
  consumeJobs,
  createJobProducer,
  type JobContext,
  type JobProducer,
  permanentFailure,
} from '../src/redis/job-queues.ts';
import { connectProducer, connectWorker } from '../src/redis/redis.ts';
import { createTestBacking, type TestBacking } from '../testing/backing.ts';
import { createFaultProxy } from '../testing/fault-proxy.ts';

let backing: TestBacking;
let jobs: JobProducer;
let connection: Redis;
let worker: Worker | undefined;
beforeEach(async () => {
  backing = await createTestBacking('kit');
  jobs = createJobProducer(backing.redis, backing.settings.REDIS_PREFIX);
  connection = connectWorker(backing.settings.REDIS_URL, backing.log);
  worker = undefined;
});
afterEach(async () => {
  await worker?.close();
  connection.disconnect();
  await jobs.close();
  await backing.close();
});

const work = { recordingId: '0123456789abcdef01234567', run: 1, requestId: 'req-1' };
function consume(run: (payload: typeof work, context: JobContext) => Promise<void>) {
  worker = consumeJobs(
    'media',
    { 'prepare-media': (payload, context) => run(payload as typeof work, context) },
    { connection, prefix: backing.settings.REDIS_PREFIX, log: backing.log },
  );
  return worker;
}
const counts = () => jobs.queue('media').getJobCounts('waiting', 'active', 'delayed', 'failed', 'completed');
const nothing = { waiting: 0, active: 0, delayed: 0, failed: 0, completed: 0 };

/** The numbers of completed, retried and permanently failed attempts. */
async function countedAttempts(): Promise<number[]> {
  const { values } = await jobAttempts.get();
  return ['completed', 'retried', 'failed'].map(
    (outcome) => values.find(({ labels }) => Object.values(labels).join(' ') === `media ${outcome}`)?.value ?? 0,
  );
}

/** The message of the queue's next permanent failure. */
const nextFailure = (of: Worker) =>
  new Promise<string>((resolve) => of.on('failed', (_job, error) => resolve(error.message)));

test('a job reaches its handler with its whole payload, and is removed when it is done', async () => {
  const seen: unknown[] = [];
  consume(async (payload, { attempt, lastAttempt, signal }) => {
    seen.push({ payload, attempt, lastAttempt, aborted: signal.aborted });
  });
  await jobs.add('media', 'prepare-media', work);
  await expect.poll(() => seen).toEqual([{ payload: work, attempt: 1, lastAttempt: false, aborted: false }]);
  await expect.poll(counts).toEqual(nothing);
});

test('attempts are counted by outcome', async () => {
  const before = await countedAttempts();
  consume(async ({ run }, { attempt }) => {
    if (run === 2) throw permanentFailure('never');
    if (attempt === 1) throw new Error('once');
  });
  await jobs.add('media', 'prepare-media', work);
  await jobs.add('media', 'prepare-media', { ...work, run: 2 });
  await expect.poll(countedAttempts).toEqual(before.map((count) => count + 1));
});

test('a job from a newer release is left for a process of that release, unless there seems to be none', async () => {
  const seen: unknown[] = [];
  const queued = consume(async ({ run }) => void seen.push(run));
  const [major, minor] = productVersion.split('.').map(Number) as [number, number];
  const addOf = (run: number, release: string, ageMs = 0) => {
    const options = { attempts: 1, timestamp: Date.now() - ageMs, removeOnComplete: true, release };
    return jobs.queue('media').add('prepare-media', { ...work, run }, options);
  };
  const newer = await addOf(1, `${major}.${minor + 1}.0`);
  await addOf(2, `${major}.${minor}.99`);
  await addOf(3, '0.0.1');
  await addOf(4, `${major + 1}.0.0`, 11 * 60_000);
  await expect.poll(() => seen).toEqual([2, 3, 4]);
  // The second time, which doesn't count as an attempt.
  await once(queued, 'active');
  await expect.poll(() => newer.getState()).toBe('delayed');
  expect((await jobs.queue('media').getJob(newer.id!))?.attemptsMade).toBe(0);
  expect(seen).toEqual([2, 3, 4]);
});

test('the same work is queued once; another run, or finished work, is queued again', async () => {
  for (let n = 0; n < 5; n += 1) await jobs.add('media', 'prepare-media', work);
  await jobs.add('media', 'prepare-media', { ...work, run: 2 });
  expect(await counts()).toMatchObject({ waiting: 2 });
  let done = 0;
  consume(async () => {
    done += 1;
  });
  await expect.poll(() => done).toBe(2);
  await expect.poll(counts).toEqual(nothing);
  await jobs.add('media', 'prepare-media', work);
  await expect.poll(() => done).toBe(3);
});

test("a failed attempt is retried after longer and longer pauses, and the handler knows the attempt's number", async () => {
  const attempts: [number, boolean][] = [];
  consume(async (_payload, { attempt, lastAttempt }) => {
    attempts.push([attempt, lastAttempt]);
    if (attempt < 3) throw new Error('not yet');
  });
  await jobs.add('media', 'prepare-media', work);
  const expected: typeof attempts = [
    [1, false],
    [2, false],
    [3, true],
  ];
  for (const [at, pauseMs] of [2000, 4000].entries()) {
    await expect
      .poll(async () => (await jobs.queue('media').getDelayed()).map(({ delay }) => delay))
      .toEqual([pauseMs]);
    expect(attempts).toEqual(expected.slice(0, at + 1));
    await jobs.queue('media').promoteJobs();
  }
  await expect.poll(() => attempts).toEqual(expected);
});

describe('fails permanently:', () => {
  test('a permanent failure, after one attempt', async () => {
    let tries = 0;
    const consumer = consume(async () => {
      tries += 1;
      throw permanentFailure('this is no recording');
    });
    const failure = nextFailure(consumer);
    await jobs.add('media', 'prepare-media', work);
    expect(await failure).toBe('this is no recording');
    await expect.poll(counts).toEqual(nothing);
    expect(tries).toBe(1);
  });

  test.each([
    ['a job that nobody declared', 'format-disk', work],
    ['a job with a bad payload', 'prepare-media', { recordingId: { $gt: '' }, run: 1 }],
    ['a job named like a part of every object', 'constructor', work],
  ])('%s, without reaching a handler', async (_what, name, payload) => {
    let tries = 0;
    const consumer = consume(async () => {
      tries += 1;
    });
    const failure = nextFailure(consumer);
    await jobs.queue('media').add(name, payload, { attempts: 5, backoff: 10, removeOnFail: true });
    expect(await failure).toBe(`Job ${name} in queue media has an unknown name or an invalid payload`);
    await expect.poll(counts).toEqual(nothing);
    expect(tries).toBe(0);
  });
});

describe('an event', () => {
  const user = { email: 'a@example.com', role: 'dev', lastLogin: null, deletedAt: null, revision: 1 } as const;
  const lines: { level: number; msg: string; job: string; attempt: number }[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line)) });
  const apply = (handle: (userId: string) => void) => {
    worker = consumeJobs(
      'history',
      {
        'recording-changed': async () => undefined,
        'user-changed': async ({ userId }) => handle(userId),
        'group-changed': async () => undefined,
        deleted: async () => undefined,
        republished: async () => undefined,
      },
      { connection, prefix: backing.settings.REDIS_PREFIX, log },
    );
    return worker;
  };
  const queue = () => jobs.queue('history');

  test('is retried without limit, while others are applied', async () => {
    const failures = 15;
    const applied: string[] = [];
    const pauses: number[] = [];
    let tries = 0;
    const consumer = apply((userId) => {
      if (userId === 'u1') tries += 1;
      if (userId === 'u1' && tries <= failures) throw new Error('MongoDB is down');
      applied.push(userId);
    });
    consumer.on('failed', async (job) => {
      pauses.push(job?.delay ?? 0);
      if (job?.attemptsMade === 1) await jobs.add('history', 'user-changed', { ...user, userId: 'u2' });
      await job?.promote();
    });
    await jobs.add('history', 'user-changed', { ...user, userId: 'u1' });

    await expect.poll(() => applied).toEqual(['u2', 'u1']);
    await expect
      .poll(() => queue().getJobCounts('waiting', 'active', 'delayed', 'failed'))
      .toEqual({
        waiting: 0,
        active: 0,
        delayed: 0,
        failed: 0,
      });
    expect(pauses).toEqual([1, 2, 4, 8, 16, 32, ...Array<number>(failures - 6).fill(60)].map((s) => s * 1000));
    const loud = lines.filter(({ level, msg }) => msg === 'job failed' && level === pino.levels.values.error);
    expect(loud.map(({ job, attempt }) => [job, attempt])).toEqual(
      [10, 11, 12, 13, 14, 15].map((attempt) => ['user-u1-1', attempt]),
    );
  });

  test('that meets an outage is retried within five seconds, however often it has failed', async () => {
    const pauses: number[] = [];
    const consumer = apply(() => {
      throw unavailable('MongoDB is down', undefined, 'mongodb');
    });
    consumer.on('failed', async (job) => {
      pauses.push(job?.delay ?? 0);
      if (pauses.length < 8) await job?.promote();
    });
    await jobs.add('history', 'user-changed', { ...user, userId: 'u1' });
    await expect.poll(() => pauses).toEqual([1, 2, 4, 5, 5, 5, 5, 5].map((s) => s * 1000));
  });

  test('unknown to this process waits for a process that knows it', async () => {
    const consumer = apply(() => undefined);
    const failure = nextFailure(consumer);
    const { attempts } = queues.history['user-changed'];
    await queue().add('user-renamed', { userId: 'u1' }, { attempts, backoff: 60_000, jobId: 'renamed-u1' });
    expect(await failure).toBe('Job user-renamed in queue history has an unknown name or an invalid payload');
    await expect.poll(() => queue().getDelayedCount()).toBe(1);
  });
});

test('an invalid payload or an unknown job is not queued', async () => {
  const loose = jobs as unknown as { add(queue: string, name: string, payload: unknown): Promise<void> };
  await expect(loose.add('media', 'prepare-media', { run: 0 })).rejects.toThrow('has a bad payload');
  await expect(loose.add('media', 'format-disk', work)).rejects.toThrow('There is no job format-disk in queue media');
  expect(await counts()).toEqual(nothing);
});

test('a delayed job waits', async () => {
  await jobs.add('media', 'prepare-media', work, { delayMs: 60_000 });
  expect(await counts()).toMatchObject({ waiting: 0, delayed: 1 });
});

test('closing aborts the running job, and waits for it', async () => {
  let aborted = false;
  let begun: () => void = () => undefined;
  const beginning = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const consumer = consume(async (_payload, { signal }) => {
    begun();
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
    aborted = true;
  });
  await jobs.add('media', 'prepare-media', work);
  await beginning;
  await consumer.close();
  expect(aborted).toBe(true);
});

test('while Redis is down, adding fails at once; afterward it works again', async () => {
  const proxy = await createFaultProxy(backing.settings.REDIS_URL);
  const redis = await connectProducer(proxy.url, backing.log);
  const cut = createJobProducer(redis, backing.settings.REDIS_PREFIX);
  await cut.add('media', 'prepare-media', work);
  proxy.cut();
  await expect(cut.add('media', 'prepare-media', { ...work, run: 2 })).rejects.toThrow();
  proxy.mend();
  await expect
    .poll(
      () =>
        cut.add('media', 'prepare-media', { ...work, run: 3 }).then(
          () => true,
          () => false,
        ),
      { timeout: 10_000 },
    )
    .toBe(true);
  await cut.close();
  redis.disconnect();
  await proxy.close();
});
