import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { type TrialJob, TrialVerdict } from '@interview-prep/contracts/recording/trials';
import { unavailable } from '@interview-prep/kit/http/http-error';
import type { JobProducer } from '@interview-prep/kit/redis/job-queues';
import type { Redis } from 'ioredis';
import { z } from 'zod';

/** Must be shorter than the services' request deadline. */
const patienceMs = 8000;
const pollMs = 100;

/** A worker's response to the waiting request. Not stored as the job's result, which BullMQ would keep among its events. */
export const TrialOutcome = z.object({ verdict: TrialVerdict.nullable() });
export type TrialOutcome = z.infer<typeof TrialOutcome>;

/** The Redis key of a trial's outcome until it is read. */
export function trialOutcomeKey(prefix: string, trialId: string): string {
  return `${prefix}:trials:outcome:${trialId}`;
}

/** Has workers judge trials, and waits for the outcome. */
export interface TrialQueue {
  /** @throws HttpError 503 if no worker has finished in time, the judge failed, or Redis is down */
  judge(trial: Omit<TrialJob, 'trialId' | 'deadlineMs'>): Promise<TrialVerdict>;
}

/** @param options `waitMs`: how long a trial may take */
export function createTrialQueue(options: {
  jobs: JobProducer;
  redis: Redis;
  prefix: string;
  waitMs?: number;
}): TrialQueue {
  const { jobs, redis, prefix, waitMs = patienceMs } = options;
  return {
    async judge(trial) {
      const trialId = randomUUID();
      const deadlineMs = Date.now() + waitMs;
      await jobs.add('trials', 'judge-trial', { ...trial, trialId, deadlineMs });
      while (Date.now() < deadlineMs) {
        const outcome = await redis.getdel(trialOutcomeKey(prefix, trialId));
        if (outcome !== null) {
          const { verdict } = TrialOutcome.parse(JSON.parse(outcome));
          if (verdict === null) throw unavailable('The judge could not score this answer. Please try again.');
          return verdict;
        }
        await sleep(pollMs);
      }
      // No worker took it. A job in progress can't be removed, and ends by its deadline.
      await jobs.queue('trials').remove(trialId);
      throw unavailable('The judge is busy and did not finish in time. Please try again.');
    },
  };
}
