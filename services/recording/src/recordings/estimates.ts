import type { Logger } from '@interview-prep/kit/process/logger';
import { publishLiveStatus } from '@interview-prep/kit/redis/live-status';
import type { Redis } from 'ioredis';
import { trusted } from 'mongoose';
import type { RecordingModels } from '../models.ts';

/** Assumed transcription time per millisecond of an answer, until this worker has measured it. */
const assumedCost = 0.4;
const newestWeight = 0.3;
/** Used before the media stage has determined an answer's length. */
const assumedDurationMs = 60_000;
/** Further back in the queue, estimates mean little. */
const longestLine = 100;

/** Tells open pages when their answers will be transcribed. */
export interface Estimates {
  /** Records how long a transcription took. */
  measure(durationMs: number, tookMs: number): void;
  /** Publishes the queue position and estimate of each waiting answer. Lost messages are repeated at the next change. */
  publish(): Promise<void>;
}

/** Estimates from this worker's own speed, which depends on the machine and its load. */
export function createEstimates({
  models,
  redis,
  prefix,
  log,
}: {
  models: Pick<RecordingModels, 'recordings'>;
  redis: Redis;
  prefix: string;
  log: Logger;
}): Estimates {
  let cost = assumedCost;
  const publishAll = async () => {
    const waiting = await models.recordings
      .find(
        { awaiting: trusted({ $in: ['media', 'transcription'] }) },
        { sessionId: 1, userId: 1, durationMs: 1, awaiting: 1, stageStatus: 1 },
      )
      .sort({ awaiting: -1, turn: 1 })
      .limit(longestLine)
      .lean();
    const inWork = Math.max(1, waiting.filter(({ stageStatus }) => stageStatus === 'started').length);
    let ahead = 0;
    let aheadMs = 0;
    for (const { _id, userId, sessionId, awaiting, stageStatus, durationMs } of waiting) {
      const ownMs = durationMs ?? assumedDurationMs;
      // Stages in progress publish their own progress.
      if (stageStatus !== 'started')
        await publishLiveStatus(redis, prefix, {
          userId,
          sessionId,
          recordingId: _id.toHexString(),
          stage: awaiting === 'media' ? 'media' : 'transcription',
          status: 'pending',
          estimate: { ahead, readyInMs: Math.round((aheadMs / inWork + ownMs) * cost) },
        });
      ahead += 1;
      aheadMs += ownMs;
    }
  };
  return {
    measure(durationMs, tookMs) {
      if (durationMs > 0) cost += newestWeight * (tookMs / durationMs - cost);
    },
    publish: () => publishAll().catch((error: unknown) => log.warn({ err: error }, 'could not publish estimates')),
  };
}
