import { queues, type StageJob } from '@interview-prep/contracts/events/jobs';
import type { Stage } from '@interview-prep/contracts/recording/recordings';
import type { Logger } from '@interview-prep/kit/process/logger';
import type { JobOptions, JobProducer } from '@interview-prep/kit/redis/job-queues';
import type { RecordingModels } from '../models.ts';
import type { Recording } from './model.ts';

/** The latest pending write of each user in this process. */
const lines = new Map<string, Promise<unknown>>();

/**
 * Assigns a user's next answer its turn in a stage, and writes it: round-robin between users, starting from the turn being served
 * now. Turns are stored in MongoDB, so they survive the loss of Redis.
 * @param write writes the recording with its turn
 */
export function takeTurn<Result>(
  userId: string,
  stage: Stage,
  { recordings }: Pick<RecordingModels, 'recordings'>,
  write: (turn: number) => Promise<Result>,
): Promise<Result> {
  const take = async () => {
    const turnOf = async (of: { userId?: string }, order: 1 | -1) => {
      const found = await recordings
        .findOne({ ...of, awaiting: stage }, { turn: 1 })
        .sort({ turn: order })
        .lean();
      return found?.turn;
    };
    const [now = 1, own = 0] = await Promise.all([turnOf({}, 1), turnOf({ userId }, -1)]);
    return write(Math.max(now, own + 1));
  };
  // Serialize per user, or concurrent answers would get the same turn. Across processes that can still happen.
  const taken = (lines.get(userId) ?? Promise.resolve()).then(take);
  const settled = taken.catch(() => {});
  lines.set(userId, settled);
  void settled.then(() => {
    if (lines.get(userId) === settled) lines.delete(userId);
  });
  return taken;
}

const addJob: Record<Stage, (jobs: JobProducer, job: StageJob, options: JobOptions) => Promise<void>> = {
  media: (jobs, job, options) => jobs.add('media', 'prepare-media', job, options),
  transcription: (jobs, job, options) => jobs.add('transcription', 'transcribe', job, options),
  assessment: (jobs, job, options) => jobs.add('assessment', 'assess', job, options),
};

/** The job id for the stage that a recording awaits; the same for every stage. */
export function stageJobId({ _id, run }: Recording): string {
  return queues.media['prepare-media'].id({ recordingId: _id.toHexString(), run });
}

/** Queues the job of the stage that a recording awaits, if any. @throws while Redis is down */
export async function addStageJob(recording: Recording, jobs: JobProducer): Promise<void> {
  if (!recording.awaiting) return;
  const { run, requestId, turn } = recording;
  const job = { recordingId: recording._id.toHexString(), run, ...(requestId ? { requestId } : {}) };
  await addJob[recording.awaiting](jobs, job, turn === undefined ? {} : { priority: turn });
}

/** Like `addStageJob`, but leaves the job to the sweeper while Redis is down. Call it after writing the recording. */
export async function queueStage(recording: Recording, deps: { jobs: JobProducer; log: Logger }): Promise<void> {
  await addStageJob(recording, deps.jobs).catch((error: unknown) =>
    deps.log.warn({ err: error, recordingId: recording._id }, 'could not queue a stage; the sweeper will retry'),
  );
}
