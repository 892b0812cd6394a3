import { mediaDeletionText } from '@interview-prep/contracts/media-deletion';
import { recordingRoutes } from '@interview-prep/contracts/recordings';
import { conflict, notFound } from '@interview-prep/kit/http-error';
import type { RouteServer } from '@interview-prep/kit/serve-route';
import type { HydratedDocument } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import type { Recording } from './model.ts';
import { pendingAssessment } from './pending-assessment.ts';
import { queueStage } from './queue-stage.ts';
import { type ReprocessDeps, startRun } from './start-run.ts';

/** Serves POST /api/recordings/:id/reprocess. */
export function serveRecordings(server: RouteServer, deps: ReprocessDeps): void {
  server.serve(recordingRoutes.reprocess, async ({ params, user, req }) => {
    const recording = await deps.models.recordings.findById(params.id);
    const mayReprocess = user.role === 'admin' || recording?.userId === user.sub;
    if (!recording || !mayReprocess) throw notFound('Recording not found');
    const restarted = await startNextRun(recording, deps.models, String(req.id));
    if (!restarted) {
      const { mediaDeletion } = recording;
      throw conflict(mediaDeletion ? mediaDeletionText(mediaDeletion) : 'There is nothing to process again');
    }
    await Promise.all([queueStage(restarted, deps), deps.outbox.publish(restarted)]);
    return { message: 'The recording is being processed again' };
  });
}

/**
 * Starts the next run of a recording that failed or was left unscored, from the stage where it ended.
 * @returns null where there is nothing to do, or another request has just done it
 */
async function startNextRun(
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
        // A transcript stays where only the assessment runs again.
        ...(stage === 'assessment' ? {} : { transcription: { status: 'pending', text: '', completedAt: null } }),
        ...(kind === 'interview' ? { assessment: pendingAssessment(recording) } : {}),
      },
      ...(stage === 'assessment' ? {} : { $unset: { delivery: 1 } }),
    },
    models,
    requestId,
  );
}
