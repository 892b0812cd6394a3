import { Stage } from '@interview-prep/contracts/recording/recordings';
import type { Logger } from '@interview-prep/kit/process/logger';
import { repeat } from '@interview-prep/kit/process/repeat';
import type { JobProducer } from '@interview-prep/kit/redis/job-queues';
import { takeTurn } from '@interview-prep/kit/redis/redis';
import type { Redis } from 'ioredis';
import { trusted } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import { type Outage, outageKinds } from '../recordings/model.ts';
import { addStageJob } from '../recordings/queue-stage.ts';

/** The most recordings per stage that one sweep queues, in order of their turns. */
const batchSize = 500;

const isUnchangedFor = (unchangedMs: number, now: number) => trusted({ $lte: new Date(now - unchangedMs) });

/**
 * Queues each recording that has awaited a stage for a while: Redis was emptied, a process died between the write and the
 * queue, or the pause of an outage is over. A job that exists is not queued twice, since its id comes from the recording.
 */
export async function sweep(
  { models, jobs }: { models: RecordingModels; jobs: JobProducer },
  unchangedMs: number,
): Promise<void> {
  const now = Date.now();
  for (const awaiting of Stage.options) {
    const waiting = await models.recordings
      .find({
        awaiting,
        updatedAt: isUnchangedFor(unchangedMs, now),
        // Also matches a recording without an outage.
        'outage.nextTryAt': trusted({ $not: { $gt: new Date(now) } }),
      })
      .sort({ turn: 1 })
      .limit(batchSize);
    await Promise.all(waiting.map((recording) => addStageJob(recording, jobs)));
  }
}

/**
 * Queues, for each stage and kind of outage, the recording that was tried longest ago, although its pause is not over:
 * its attempt probes whether the outage is.
 */
async function probe(
  { models, jobs }: { models: RecordingModels; jobs: JobProducer },
  unchangedMs: number,
): Promise<void> {
  const now = Date.now();
  const paused = { awaiting: trusted({ $exists: true }), 'outage.nextTryAt': trusted({ $gt: new Date(now) }) };
  if (!(await models.recordings.exists(paused))) return;
  for (const awaiting of Stage.options) {
    for (const what of outageKinds) {
      const waiting = await models.recordings
        .findOne({
          awaiting,
          'outage.what': what,
          'outage.nextTryAt': trusted({ $gt: new Date(now) }),
          updatedAt: isUnchangedFor(unchangedMs, now),
        })
        .sort({ updatedAt: 1 });
      if (waiting) await addStageJob(waiting, jobs);
    }
  }
}

/** Ends the pauses of all recordings that wait for a dependency that has recovered, and queues them. */
export async function wakeWaiting(
  what: Outage['what'],
  deps: { models: RecordingModels; jobs: JobProducer },
): Promise<void> {
  const now = new Date();
  await deps.models.recordings.updateMany(
    { awaiting: trusted({ $exists: true }), 'outage.what': what, 'outage.nextTryAt': trusted({ $gt: now }) },
    { $set: { 'outage.nextTryAt': now } },
    { timestamps: false },
  );
  await sweep(deps, 0);
}

/** Sweeps and probes every few seconds, in one of several workers. @returns a function that stops it */
export function startSweeper(
  deps: { models: RecordingModels; jobs: JobProducer; redis: Redis; prefix: string; log: Logger },
  { everyMs = 5000, unchangedMs = 5000, probeEveryMs = 2500 } = {},
): () => Promise<void> {
  const logFailure = (error: unknown) =>
    deps.log.warn({ err: error }, 'the sweep of pending recordings failed; it will be retried');
  /** Whether any recording awaited a stage at the last sweep. */
  let isAnyWaiting = false;
  const lookAndSweep = async () => {
    isAnyWaiting = (await deps.models.recordings.exists({ awaiting: trusted({ $exists: true }) })) !== null;
    if (isAnyWaiting && (await takeTurn(deps, 'stages', everyMs))) await sweep(deps, unchangedMs);
  };
  const stops = [
    repeat(everyMs, lookAndSweep, logFailure),
    repeat(probeEveryMs, async () => isAnyWaiting && probe(deps, probeEveryMs), logFailure),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
