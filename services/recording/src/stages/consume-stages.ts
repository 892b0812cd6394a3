import type { StageJob } from '@interview-prep/contracts/jobs';
import type { Stage } from '@interview-prep/contracts/recordings';
import { consumeJobs, type JobContext } from '@interview-prep/kit/job-queues';
import type { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { assessStage } from './assess.ts';
import { prepareMediaStage } from './prepare-media.ts';
import { runStage, type StageHandler } from './run-stage.ts';
import type { StageDeps } from './stage-deps.ts';
import { transcribeStage } from './transcribe.ts';

/**
 * Takes the jobs of all stages.
 * @param options `concurrency`: jobs of each stage at once in this process
 */
export function consumeStages(
  deps: StageDeps,
  options: { connection: Redis; prefix: string; concurrency: number; lockMs: number },
): Worker[] {
  const handle = (stage: Stage, work: StageHandler) => (job: StageJob, context: JobContext) =>
    runStage(stage, job, context, work, deps);
  const consuming = { ...options, log: deps.log };
  return [
    consumeJobs('media', { 'prepare-media': handle('media', prepareMediaStage(deps)) }, consuming),
    consumeJobs('transcription', { transcribe: handle('transcription', transcribeStage(deps)) }, consuming),
    consumeJobs('assessment', { assess: handle('assessment', assessStage(deps)) }, consuming),
  ];
}
