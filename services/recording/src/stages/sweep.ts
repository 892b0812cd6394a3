import { Stage } from '@interview-prep/contracts/recordings';
import type { JobProducer } from '@interview-prep/kit/job-queues';
import type { Logger } from '@interview-prep/kit/logger';
import { trusted } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import { addStageJob } from '../recordings/queue-stage.ts';

/** A look takes up at most this many of each stage, the longest untouched first. */
const batchSize = 500;

/**
 * Queues the jobs of all recordings that await a stage and have not been bumpRevision for a while: Redis was emptied, a
 * process died between its write and the queue, a job was given up as stalled, or what was away is due to be looked for.
 * Where the job exists nothing happens, since its id is the recording's; so several sweepers do no harm.
 * @returns how many recordings await a stage for that long
 */
export async function sweep(
  { models, jobs }: { models: RecordingModels; jobs: JobProducer },
  untouchedMs: number,
): Promise<number> {
  let found = 0;
  const now = Date.now();
  for (const awaiting of Stage.options) {
    const waiting = await models.recordings
      .find({
        awaiting,
        updatedAt: trusted({ $lt: new Date(now - untouchedMs) }),
        'outage.nextTryAt': trusted({ $not: { $gt: new Date(now) } }),
      })
      .sort({ updatedAt: 1 })
      .limit(batchSize);
    await Promise.all(waiting.map((recording) => addStageJob(recording, jobs)));
    found += waiting.length;
  }
  return found;
}

/** Sweeps again and again. @returns stops it, once a look that is under way has ended */
export function startSweeper(
  deps: { models: RecordingModels; jobs: JobProducer; log: Logger },
  { everyMs = 5000, untouchedMs = 5000 } = {},
): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(() =>
      sweep(deps, untouchedMs).catch((error: unknown) => deps.log.warn({ err: error }, 'sweeping failed')),
    );
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
