import { Stage } from '@interview-prep/contracts/recording/recordings';
import { registerReadGauge } from '@interview-prep/kit/process/read-gauge';
import type { JobProducer } from '@interview-prep/kit/redis/job-queues';
import { secondsSince } from '@interview-prep/kit/redis/outbox-age';
import type { Registry } from '@prometheus-io/client';
import { trusted } from 'mongoose';
import { type EngineReports, readEngineReports } from './engines/engine-reports.ts';
import type { RecordingModels } from './models.ts';

/** The queues that workers consume. */
const workerQueues = [...Stage.options, 'ahead', 'trials'] as const;

/** BullMQ's own states for each of ours: jobs with a priority wait apart. */
const states = { waiting: ['waiting', 'prioritized'], active: ['active'], delayed: ['delayed'] } as const;

/**
 * Registers processing metrics, read at each scrape. They live in the HTTP process, so they work even if no worker runs.
 */
export function registerProcessingMetrics(
  registry: Registry,
  deps: { models: RecordingModels; jobs: JobProducer; engineReports: EngineReports },
): void {
  const { models, jobs, engineReports } = deps;
  registerReadGauge(registry, {
    name: 'recording_workers',
    help: 'Workers that reported in the last 30 seconds',
    read: async () => (await readEngineReports(engineReports)).length,
  });
  registerReadGauge(registry, {
    name: 'recording_queue_jobs',
    help: "Jobs in the workers' queues, by queue and state",
    labelNames: ['queue', 'state'],
    read: () =>
      Promise.all(
        workerQueues.flatMap((queue) =>
          Object.entries(states).map(
            async ([state, parts]) => [{ queue, state }, await jobs.queue(queue).getJobCountByTypes(...parts)] as const,
          ),
        ),
      ),
  });
  registerReadGauge(registry, {
    name: 'recording_worker_jobs',
    help: 'Jobs that wait for a worker or are at work; what the number of workers is scaled by',
    async read() {
      const counts = await Promise.all(
        workerQueues.map((queue) => jobs.queue(queue).getJobCountByTypes(...states.waiting, ...states.active)),
      );
      return counts.reduce((sum, count) => sum + count, 0);
    },
  });
  registerReadGauge(registry, {
    name: 'backup_last_success_timestamp_seconds',
    help: 'When the latest backup ended, in seconds since 1970; 0 for never',
    async read() {
      const backups = models.recordings.db.collection<{ _id: string; endedAt: Date }>('backups');
      return ((await backups.findOne({ _id: 'latest' }))?.endedAt.getTime() ?? 0) / 1000;
    },
  });
  registerReadGauge(registry, {
    name: 'recording_oldest_waiting_job_age_seconds',
    help: 'Age of the oldest job that no worker has begun, by stage; 0 if there is none',
    labelNames: ['stage'],
    read: () =>
      Promise.all(
        Stage.options.map(async (stage) => {
          const waiting = { awaiting: stage, stageStatus: 'pending' } as const;
          const oldest = await models.recordings.findOne(waiting, 'updatedAt').sort({ updatedAt: 1 }).lean();
          return [{ stage }, secondsSince(oldest?.updatedAt)] as const;
        }),
      ),
  });
  registerReadGauge(registry, {
    name: 'recording_oldest_pending_answer_age_seconds',
    help: 'Age of the oldest answer whose processing has not ended; 0 if there is none',
    async read() {
      const pending = { awaiting: trusted({ $exists: true }) };
      const oldest = await models.recordings.findOne(pending, 'createdAt').sort({ createdAt: 1 }).lean();
      return secondsSince(oldest?.createdAt);
    },
  });
}
