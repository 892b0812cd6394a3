import { Job, type Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Logger } from './logger.ts';

const checkEveryMs = 5000;
/** One check wakes at most this many jobs. */
const batchSize = 100;
/** BullMQ's scores of delayed jobs are milliseconds times this, and a number of order. */
const scoreFactor = 0x1000;

/**
 * Wakes the delayed jobs of a worker's queue that are due later than any pause lasts: a clock was ahead when they were delayed,
 * and has been set back since. Checks at once, and every few seconds until the worker closes.
 * @param maxDelayMs the longest pause of a job
 */
export function wakeStrandedRetries(
  worker: Worker,
  { connection, log, maxDelayMs }: { connection: Redis; log: Logger; maxDelayMs: number },
): void {
  const check = async () => {
    const latest = (Date.now() + maxDelayMs) * scoreFactor;
    const ids = await connection.zrangebyscore(worker.toKey('delayed'), `(${latest}`, '+inf', 'LIMIT', 0, batchSize);
    for (const id of ids) await (await Job.fromId(worker, id))?.promote();
    if (ids.length > 0) log.warn({ queue: worker.name, jobs: ids.length }, 'retries were due far too late');
  };
  const checkNow = () =>
    void check().catch((err: unknown) => log.warn({ queue: worker.name, err }, 'looking for stranded retries failed'));
  const timer = setInterval(checkNow, checkEveryMs);
  worker.on('closing', () => clearInterval(timer));
  checkNow();
}
