import type { Assessment, Stage } from '@interview-prep/contracts/recording/recordings';
import type { Logger } from '@interview-prep/kit/process/logger';
import type { JobProducer } from '@interview-prep/kit/redis/job-queues';
import type { Outbox } from '@interview-prep/kit/redis/outbox';
import type { HydratedDocument } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import type { Recording } from './model.ts';
import { takeTurn } from './queue-stage.ts';

/** Resets a verdict to pending. Keeps the appeal, and the points if some are claimed. */
export function pendingAssessment({ assessment }: Pick<Recording, 'assessment'>): Assessment {
  const { points = [] } = assessment;
  const claimed = points.some(({ claim }) => claim) ? { points } : {};
  return { status: 'pending', ...claimed, ...keptAppeal({ assessment }) };
}

/** The part of a verdict that the next verdict keeps. */
export function keptAppeal({ assessment: { appeal } }: Pick<Recording, 'assessment'>): Pick<Assessment, 'appeal'> {
  return appeal ? { appeal } : {};
}

export interface ReprocessDeps {
  models: RecordingModels;
  jobs: JobProducer;
  outbox: Outbox<Recording>;
  log: Logger;
}

/**
 * Starts the next run of a recording whose processing has ended, at a stage. The caller queues the stage and publishes.
 * @param change fields to write in the same update
 * @returns null if another request was faster, or the stage needs media that was deleted
 */
export function startRun(
  { _id, run, stageStatus, userId }: Recording,
  stage: Stage,
  change: { $set: Partial<Recording>; $unset?: Record<string, 1> },
  models: RecordingModels,
  requestId: string,
): Promise<HydratedDocument<Recording> | null> {
  const $set = {
    ...change.$set,
    awaiting: stage,
    stage,
    stageStatus: 'pending',
    interruptions: 0,
    outage: null,
    requestId,
    unpublished: true,
  } as const;
  // A verdict needs no media.
  const needsMedia = stage !== 'assessment';
  return takeTurn(userId, stage, models, (turn) =>
    models.recordings.findOneAndUpdate(
      { _id, run, stageStatus, awaiting: null, ...(needsMedia ? { mediaDeletion: null } : {}) },
      { $set: { ...$set, turn }, $unset: { ...change.$unset, givenUpAt: 1 }, $inc: { run: 1, revision: 1 } },
      { returnDocument: 'after' },
    ),
  );
}

/**
 * Starts the next run of a recording that failed or was left unscored, from the stage where it ended.
 * @returns null if there is nothing to do, or another request just did it
 */
export async function startNextRun(
  recording: Recording,
  models: RecordingModels,
  requestId: string,
): Promise<HydratedDocument<Recording> | null> {
  const { kind, stage, stageStatus, awaiting } = recording;
  const canRunAgain = stageStatus === 'failed' || (stageStatus === 'unscored' && kind === 'interview');
  if (awaiting !== undefined || !canRunAgain) return null;
  return startRun(
    recording,
    stage,
    {
      $set: {
        // Keep the transcript if only the assessment runs again.
        ...(stage === 'assessment' ? {} : { transcription: { status: 'pending', text: '', completedAt: null } }),
        ...(kind === 'interview' ? { assessment: pendingAssessment(recording) } : {}),
      },
      ...(stage === 'assessment' ? {} : { $unset: { delivery: 1 } }),
    },
    models,
    requestId,
  );
}
