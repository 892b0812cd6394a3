import { Stage } from '@interview-prep/contracts/recording/recordings';
import type { JobProducer } from '@interview-prep/kit/redis/job-queues';
import { Gauge, Histogram, type Registry } from '@prometheus-io/client';

/** The duration of stages, by stage and outcome. */
export function createStageSeconds() {
  return new Histogram({
    name: 'recording_stage_duration_seconds',
    help: 'Time that a stage of a recording took, by stage and outcome',
    labelNames: ['stage', 'outcome'] as const,
    buckets: [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300, 600],
    registers: [],
  });
}

/** BullMQ's own states for each of ours: jobs with a priority wait apart. */
const states = { waiting: ['waiting', 'prioritized'], active: ['active'], delayed: ['delayed'] } as const;

/** Registers the depth of the stages' queues, read at each scrape. */
export function registerQueueDepth(registry: Registry, jobs: JobProducer): void {
  new Gauge({
    name: 'recording_queue_jobs',
    help: 'Jobs in the queues of the stages, by queue and state',
    labelNames: ['queue', 'state'] as const,
    registers: [registry],
    async collect() {
      for (const queue of Stage.options) {
        for (const [state, parts] of Object.entries(states))
          this.set({ queue, state }, await jobs.queue(queue).getJobCountByTypes(...parts));
      }
    },
  });
}
