import {
  type JobKind,
  type JobName,
  type JobPayload,
  type QueueName,
  queues,
  unlimitedAttempts,
} from '@interview-prep/contracts/jobs';
import { type Job, type MinimalJob, Queue, UnrecoverableError, WaitingError, Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { unavailable } from './http-error.ts';
import type { Logger } from './logger.ts';

const kindsOf = (queue: QueueName) => queues[queue] as Record<string, JobKind<unknown>>;

const kindOf = (queue: QueueName, name: string) =>
  Object.hasOwn(queues[queue], name) ? kindsOf(queue)[name] : undefined;

const cappedBackoffType = 'paced';

/** The pause before the next try: doubled each time up to the longest, never shorter than the error's `retryAfterMs`. */
function cappedBackoff(attemptsMade: number, _type?: string, error?: Error, job?: MinimalJob): number {
  const { backoff } = job?.opts ?? {};
  const delayMs = typeof backoff === 'object' ? (backoff.delay ?? 0) : 0;
  const askedMs = error && 'retryAfterMs' in error && typeof error.retryAfterMs === 'number' ? error.retryAfterMs : 0;
  return Math.max(Math.min(delayMs * 2 ** (attemptsMade - 1), longestPauseMs), Math.min(askedMs, longestAskedMs));
}

/** What is tried until it is done is done so soon after what stood in its way has gone. */
const longestPauseMs = 60_000;

/** A server may ask to be left alone for this long at most. */
const longestAskedMs = 10 * 60_000;

/** Puts jobs into queues. */
export interface JobProducer {
  /**
   * Adds a job; the same work (by its kind's id) already queued is not queued twice.
   * @throws where Redis is away: work that must happen has been written to MongoDB before, and a sweeper adds it again
   */
  add<Q extends QueueName, N extends JobName<Q>>(
    queue: Q,
    name: N,
    payload: JobPayload<Q, N>,
    options?: { delayMs?: number },
  ): Promise<void>;
  /** The queue's BullMQ object: for a sweeper that asks what is waiting, and for figures. */
  queue(name: QueueName): Queue;
  /** Closes the queues, not the connection. */
  close(): Promise<void>;
}

export function createJobProducer(connection: Redis, prefix: string): JobProducer {
  const open = new Map<QueueName, Queue>();
  const queueOf = (name: QueueName) => {
    const known = open.get(name);
    if (known) return known;
    const queue = new Queue(name, { connection, prefix });
    // The connection's own listener logs it; without one here BullMQ would print it.
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
      // BullMQ would wait until it is.
      if (connection.status !== 'ready') throw unavailable('Redis is not connected', undefined, 'redis');
      await queueOf(queue).add(name, data, {
        jobId: kind.id(data),
        attempts: kind.attempts,
        backoff: { type: cappedBackoffType, delay: kind.backoffMs },
        ...(options.delayMs ? { delay: options.delayMs } : {}),
        // A finished job gives its id back, so that the same work can be asked for again (reprocess, republish).
        removeOnComplete: true,
        removeOnFail: true,
        // All tries' traces would grow without end.
        stackTraceLimit: 1,
      });
    },
    queue: queueOf,
    async close() {
      await Promise.all([...open.values()].map((queue) => queue.close()));
    },
  };
}

/** What a handler may need to know of its job. `signal` aborts when the process shuts down or the lock is lost. */
export interface JobContext {
  log: Logger;
  signal: AbortSignal;
  /** 1 for the first try. */
  attempt: number;
  lastAttempt: boolean;
}

/** A handler for each of a queue's jobs: a missing one does not compile. */
export type JobHandlers<Q extends QueueName> = {
  [N in JobName<Q>]: (payload: JobPayload<Q, N>, context: JobContext) => Promise<void>;
};

/** A failure that no retry can mend: the job is not tried again. */
export const permanentFailure = (message: string): Error => new UnrecoverableError(message);

/** A failure of this many tries is more than an outage that passes: someone must look. */
const worrying = 10;

/**
 * Takes a queue's jobs. A payload that its schema refuses fails for good, unless the job is to be tried until it is done:
 * the process may be older than the one that wrote it.
 * A handler that fails once the process shuts down gives its job back, and the try does not count.
 * @param options `concurrency`: jobs at once in this process; `lockMs`: how long after its last sign of life a killed
 * process's job may be taken by another
 */
export function consumeJobs<Q extends QueueName>(
  queue: Q,
  handlers: JobHandlers<Q>,
  options: { connection: Redis; prefix: string; log: Logger; concurrency?: number; lockMs?: number },
): Worker {
  const run = async (job: Job, lock?: string, lost?: AbortSignal) => {
    const handler = (handlers as Record<string, ((payload: never, context: JobContext) => Promise<void>) | undefined>)[
      job.name
    ];
    const payload = kindOf(queue, job.name)?.payload.safeParse(job.data);
    const attempts = job.opts.attempts ?? 1;
    if (!handler || !payload?.success) {
      const fault = `Job ${job.name} in queue ${queue} is not understood`;
      throw attempts < unlimitedAttempts ? permanentFailure(fault) : new Error(fault);
    }
    const log = options.log.child({ queue, job: job.id, requestId: (job.data as { requestId?: string }).requestId });
    try {
      await handler(payload.data as never, {
        log,
        signal: lost ? AbortSignal.any([lost, stopping.signal]) : stopping.signal,
        attempt: job.attemptsMade + 1,
        lastAttempt: job.attemptsMade + 1 >= attempts,
      });
    } catch (error) {
      if (!stopping.signal.aborted || lock === undefined) throw error;
      await job.moveToWait(lock);
      throw new WaitingError();
    }
  };
  const stopping = new AbortController();
  const lockMs = options.lockMs ?? 15_000;
  const neverGivenUp = Object.values(kindsOf(queue)).every(({ attempts }) => attempts === unlimitedAttempts);
  const worker = new Worker(queue, run, {
    connection: options.connection,
    prefix: options.prefix,
    concurrency: options.concurrency ?? 1,
    // Given back soon after a killed process: the lock is renewed every half of this while a job runs.
    lockDuration: lockMs,
    stalledInterval: Math.ceil((lockMs * 2) / 3),
    maxStalledCount: neverGivenUp ? unlimitedAttempts : 3,
    settings: { backoffStrategy: cappedBackoff },
  });
  worker.on('failed', (job, error) => {
    const attempt = job?.attemptsMade ?? 0;
    const level = attempt < worrying ? 'warn' : 'error';
    options.log[level]({ queue, job: job?.id, attempt, err: error }, 'job failed');
  });
  worker.on('error', (error) => options.log.warn({ queue, err: error }, 'worker'));
  worker.on('closing', () => stopping.abort());
  return worker;
}
