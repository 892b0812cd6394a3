import { Counter } from '@prometheus-io/client';

/** The attempts at jobs in this process. */
export const jobAttempts = new Counter({
  name: 'job_attempts_total',
  help: 'Attempts at jobs, by queue and outcome: completed, retried (it failed, and is tried again) or failed for good',
  labelNames: ['queue', 'outcome'] as const,
  registers: [],
});
