import { Stage } from '@interview-prep/contracts/recordings';
import type { JobProducer } from '@interview-prep/kit/job-queues';
import type { Logger } from '@interview-prep/kit/logger';
import { trusted } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import { addStageJob } from '../recordings/queue-stage.ts';

/** One sweep queues at most this many recordings of each stage, the longest unchanged first. */
const batchSize = 500;

/**
 * Queues each recording that has awaited a stage for a while: Redis was emptied, a process died between the write and the
 * queue, or the pause of an outage is over. A job that exists is not queued twice, since its id comes from the recording. So
 * several processes may sweep.
 * @returns how many recordings await a stage for that long
 */
export async function sweep(
  { models, jobs }: { models: RecordingModels; jobs: JobProducer },
  unchangedMs: number,
): Promise<number> {
  let found = 0;
  const now = Date.now();
  for (const awaiting of Stage.options) {
    const waiting = await models.recordings
      .find({
        awaiting,
        updatedAt: trusted({ $lt: new Date(now - unchangedMs) }),
        'outage.nextTryAt': trusted({ $not: { $gt: new Date(now) } }),
      })
      .sort({ updatedAt: 1 })
      .limit(batchSize);
    await Promise.all(waiting.map((recording) => addStageJob(recording, jobs)));
    found += waiting.length;
  }
  return found;
}

/** Sweeps every few seconds. @returns stops it, after the sweep that is running */
export function startSweeper(
  deps: { models: RecordingModels; jobs: JobProducer; log: Logger },
  { everyMs = 5000, unchangedMs = 5000 } = {},
): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(() =>
      sweep(deps, unchangedMs).catch((error: unknown) => deps.log.warn({ err: error }, 'a sweep failed')),
    );
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
