import type { StageJob } from '@interview-prep/contracts/jobs';
import type { Stage } from '@interview-prep/contracts/recordings';
import type { JobProducer } from '@interview-prep/kit/job-queues';
import type { Logger } from '@interview-prep/kit/logger';
import type { Recording } from './model.ts';

const adds: Record<Stage, (jobs: JobProducer, work: StageJob) => Promise<void>> = {
  media: (jobs, work) => jobs.add('media', 'prepare-media', work),
  transcription: (jobs, work) => jobs.add('transcription', 'transcribe', work),
  assessment: (jobs, work) => jobs.add('assessment', 'assess', work),
};

/** Queues the job of the stage that a recording awaits. @throws where Redis is away */
export async function addStageJob(recording: Recording, jobs: JobProducer): Promise<void> {
  if (!recording.awaiting) return;
  const { run, requestId } = recording;
  const work = { recordingId: recording._id.toHexString(), run, ...(requestId ? { requestId } : {}) };
  await adds[recording.awaiting](jobs, work);
}

/** Queues the job of the stage that a recording awaits; without Redis the sweeper does it later. Call after the write. */
export async function queueStage(recording: Recording, deps: { jobs: JobProducer; log: Logger }): Promise<void> {
  await addStageJob(recording, deps.jobs).catch((error: unknown) =>
    deps.log.warn({ err: error, recordingId: recording._id }, 'queueing failed; it is queued later'),
  );
}
