import type { StageJob } from '@interview-prep/contracts/events/jobs';
import type { Stage } from '@interview-prep/contracts/recording/recordings';
import { consumeJobs, type JobContext } from '@interview-prep/kit/redis/job-queues';
import type { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { createAheadHandler } from '../answer-parts/transcribe-ahead.ts';
import { assessStage } from './assess-stage.ts';
import { prepareMediaStage } from './prepare-media-stage.ts';
import { runStage, type StageDeps, type StageHandler } from './run-stage.ts';
import { transcribeStage } from './transcribe-stage.ts';

/**
 * Consumes the queues of the three stages, and of answers that are still being spoken.
 * @param options `concurrency`: jobs of each stage at once in this process; `lockMs`: how long a killed worker's job waits
 */
export function consumeStages(
  deps: StageDeps,
  options: { connection: Redis; prefix: string; concurrency: number; lockMs: number },
): Worker[] {
  const run = (stage: Stage, handler: StageHandler) => (job: StageJob, context: JobContext) =>
    runStage(stage, job, context, handler, deps);
  const consumer = { ...options, log: deps.log };
  return [
    consumeJobs('media', { 'prepare-media': run('media', prepareMediaStage(deps)) }, consumer),
    consumeJobs('transcription', { transcribe: run('transcription', transcribeStage(deps)) }, consumer),
    consumeJobs('ahead', { 'transcribe-ahead': createAheadHandler(deps) }, consumer),
    consumeJobs('assessment', { assess: run('assessment', assessStage(deps)) }, consumer),
  ];
}
