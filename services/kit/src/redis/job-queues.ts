import { setTimeout as pause } from 'node:timers/promises';
import { productVersion } from '@interview-prep/contracts/api/version';
import {
  type JobKind,
  type JobName,
  type JobPayload,
  type QueueName,
  queues,
  unlimitedAttempts,
} from '@interview-prep/contracts/events/jobs';
import {
  DelayedError,
  type Job,
  type JobsOptions,
  type MinimalJob,
  Queue,
  UnrecoverableError,
  WaitingError,
  Worker,
} from 'bullmq';
import type { Redis } from 'ioredis';
import { unavailable } from '../http/http-error.ts';
import type { Logger } from '../process/logger.ts';
import { outageOf } from '../process/outages.ts';
import { tracedJobs } from '../process/tracing.ts';
import { jobAttempts } from './job-attempts.ts';
import { longestBlockS } from './redis.ts';

/** The pause after Redis has refused a request for a job. */
const refusedPauseMs = 1000;

/**
 * BullMQ's worker, with a pause after Redis has refused a command. Otherwise the worker would retry immediately while Redis
 * is full or read-only, thousands of times a second.
 */
class PacedWorker extends Worker {
  protected override async moveToActive(token: string, name?: string): Promise<Job> {
    try {
      return await super.moveToActive(token, name);
    } catch (error) {
      await pause(refusedPauseMs);
      throw error;
    }
  }
}

const kindsOf = (queue: QueueName) => queues[queue] as Record<string, JobKind<unknown>>;

const kindOf = (queue: QueueName, name: string) =>
  Object.hasOwn(queues[queue], name) ? kindsOf(queue)[name] : undefined;

const backoffType = 'capped';

/** The longest pause between two attempts. */
const maxBackoffMs = 60_000;

/** The longest pause during an outage: work resumes at most this long after it has ended. */
const maxOutageBackoffMs = 5000;

/** The longest pause that an error's `retryAfterMs` may ask for. */
const maxRetryAfterMs = 10 * 60_000;

/** The backoff before the next attempt: doubled each time up to a cap, never shorter than the error's `retryAfterMs`. */
function cappedBackoff(attemptsMade: number, _type?: string, error?: Error, job?: MinimalJob): number {
  const { backoff } = job?.opts ?? {};
  const delayMs = typeof backoff === 'object' ? (backoff.delay ?? 0) : 0;
  const retryAfterMs =
    error && 'retryAfterMs' in error && typeof error.retryAfterMs === 'number' ? error.retryAfterMs : 0;
  const maxMs = outageOf(error) === null ? maxBackoffMs : maxOutageBackoffMs;
  return Math.max(Math.min(delayMs * 2 ** (attemptsMade - 1), maxMs), Math.min(retryAfterMs, maxRetryAfterMs));
}

/** How long a newer release's job waits for a consumer of that release: an older one might drop unknown fields. */
const waitForNewerMs = 10 * 60_000;
const newerPauseMs = 2000;

/** Whether a job was queued by a newer release than this process, by major and minor version. */
function isOfNewerRelease({ release = '0.0' }: JobsOptions & { release?: string }): boolean {
  const numbersOf = (version: string) => version.split('.').map(Number) as [number, number];
  const [[major, minor], [ownMajor, ownMinor]] = [numbersOf(release), numbersOf(productVersion)];
  return major > ownMajor || (major === ownMajor && minor > ownMinor);
}

/** The lowest priority that BullMQ knows. */
const lowestPriority = 2 ** 21;

/** `priority`: 1 is the highest; equal priorities are first in, first out. A job without one goes before all others. */
export interface JobOptions {
  delayMs?: number;
  priority?: number;
}

/** Adds jobs to queues. */
export interface JobProducer {
  /**
   * Adds a job, unless one with the same id is already queued.
   * @throws HttpError 503 while Redis is down. Write work that must happen to MongoDB first, so that a sweeper can queue it later
   */
  add<Q extends QueueName, N extends JobName<Q>>(
    queue: Q,
    name: N,
    payload: JobPayload<Q, N>,
    options?: JobOptions,
  ): Promise<void>;
  /** The BullMQ queue, for queries such as which jobs are waiting. */
  queue(name: QueueName): Queue;
  /** Closes the queues, but not the connection. */
  close(): Promise<void>;
}

/** A producer on one connection to Redis; `prefix` is the prefix of BullMQ's keys. */
export function createJobProducer(connection: Redis, prefix: string): JobProducer {
  const open = new Map<QueueName, Queue>();
  const queueOf = (name: QueueName) => {
    const known = open.get(name);
    if (known) return known;
    const queue = new Queue(name, { connection, prefix, ...tracedJobs() });
    // The connection already logs its errors. Without a listener, BullMQ would print them too.
    queue.on('error', () => {});
    open.set(name, queue);
    return queue;
  };
  return {
    async add(queue, name, payload, options = {}) {
      const kind = kindOf(queue, name);
      if (!kind) throw new Error(`There is no job ${name} in queue ${queue}`);
      const parsed = kind.payload.safeParse(payload);
      if (!parsed.success) throw new Error(`Job ${name} in queue ${queue} has a bad payload`, { cause: parsed.error });
      const data = parsed.data;
      // Fail fast: BullMQ would wait for the connection.
      if (connection.status !== 'ready') throw unavailable('Redis is not connected', undefined, 'redis');
      const opts: JobsOptions & { release: string } = {
        jobId: kind.id(data),
        attempts: kind.attempts,
        backoff: { type: backoffType, delay: kind.backoffMs },
        ...(options.delayMs ? { delay: options.delayMs } : {}),
        ...(options.priority ? { priority: Math.min(options.priority, lowestPriority) } : {}),
        // A finished job frees its id, so that the same work can be queued again (reprocess, republish).
        removeOnComplete: true,
        removeOnFail: true,
        // Otherwise each attempt would add a stack trace, without limit.
        stackTraceLimit: 1,
        release: productVersion,
      };
      await queueOf(queue).add(name, data, opts);
    },
    queue: queueOf,
    async close() {
      await Promise.all([...open.values()].map((queue) => queue.close()));
    },
  };
}

/** One attempt at a job. `signal` aborts when the process shuts down or the job's lock is lost. */
export interface JobContext {
  log: Logger;
  signal: AbortSignal;
  /** 1 for the first attempt. */
  attempt: number;
  lastAttempt: boolean;
}

/** A handler for each of a queue's jobs. A missing one is a compile error. */
type JobHandlers<Q extends QueueName> = {
  [N in JobName<Q>]: (payload: JobPayload<Q, N>, context: JobContext) => Promise<void>;
};

/** An error that fails a job without retries: none could succeed. */
export function permanentFailure(message: string): Error {
  return new UnrecoverableError(message);
}

/** The id of the request that queued a job, if its payload has it. */
const requestIdOf = (job: Job | undefined) => (job?.data as { requestId?: string } | undefined)?.requestId;

/** From this attempt on, failures are logged as errors: an outage would probably be over. */
const errorFromAttempt = 10;

/**
 * Consumes a queue's jobs. A newer release's job is left for a process of that release, unless there seems to be none. A job
 * with an invalid payload fails permanently; if its attempts are unlimited, it is retried instead, since a newer process may
 * understand it.
 * A handler that fails while the process shuts down returns its job to the queue, and the attempt does not count.
 * @param options `concurrency`: concurrent jobs in this process; `lockMs`: how soon another process takes over a killed
 * process's job
 */
export function consumeJobs<Q extends QueueName>(
  queue: Q,
  handlers: JobHandlers<Q>,
  options: { connection: Redis; prefix: string; log: Logger; concurrency?: number; lockMs?: number },
): Worker {
  const run = async (job: Job, lock?: string, lockLost?: AbortSignal) => {
    const handler = (handlers as Record<string, ((payload: never, context: JobContext) => Promise<void>) | undefined>)[
      job.name
    ];
    if (lock && isOfNewerRelease(job.opts) && Date.now() - job.timestamp < waitForNewerMs) {
      await job.moveToDelayed(Date.now() + newerPauseMs, lock);
      throw new DelayedError();
    }
    const payload = kindOf(queue, job.name)?.payload.safeParse(job.data);
    const attempts = job.opts.attempts ?? 1;
    if (!handler || !payload?.success) {
      const message = `Job ${job.name} in queue ${queue} has an unknown name or an invalid payload`;
      throw attempts < unlimitedAttempts ? permanentFailure(message) : new Error(message);
    }
    const requestId = requestIdOf(job);
    const log = options.log.child({ queue, job: job.id, requestId });
    const startedAt = performance.now();
    try {
      await handler(payload.data as never, {
        log,
        signal: lockLost ? AbortSignal.any([lockLost, stopping.signal]) : stopping.signal,
        attempt: job.attemptsMade + 1,
        lastAttempt: job.attemptsMade + 1 >= attempts,
      });
      log[requestId ? 'info' : 'debug']({ ms: Math.round(performance.now() - startedAt) }, 'job completed');
    } catch (error) {
      if (!stopping.signal.aborted || lock === undefined) throw error;
      await job.moveToWait(lock);
      throw new WaitingError();
    }
  };
  const stopping = new AbortController();
  const lockMs = options.lockMs ?? 15_000;
  const isUnlimited = Object.values(kindsOf(queue)).every(({ attempts }) => attempts === unlimitedAttempts);
  const worker = new PacedWorker(queue, run, {
    connection: options.connection,
    prefix: options.prefix,
    concurrency: options.concurrency ?? 1,
    // BullMQ renews a running job's lock every half of this.
    lockDuration: lockMs,
    stalledInterval: lockMs,
    drainDelay: longestBlockS,
    maxStalledCount: isUnlimited ? unlimitedAttempts : 3,
    settings: { backoffStrategy: cappedBackoff },
    ...tracedJobs(),
  });
  worker.on('completed', () => jobAttempts.inc({ queue, outcome: 'completed' }));
  worker.on('failed', (job, error) => {
    const attempt = job?.attemptsMade ?? 0;
    const isFinal = error instanceof UnrecoverableError || attempt >= (job?.opts.attempts ?? 1);
    jobAttempts.inc({ queue, outcome: isFinal ? 'failed' : 'retried' });
    const level = attempt < errorFromAttempt ? 'warn' : 'error';
    options.log[level]({ queue, job: job?.id, requestId: requestIdOf(job), attempt, err: error }, 'job failed');
  });
  worker.on('error', (error) => options.log.warn({ queue, err: error }, 'queue worker error'));
  worker.on('closing', () => stopping.abort());
  return worker;
}
