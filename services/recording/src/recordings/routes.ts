import { mediaDeletionText } from '@interview-prep/contracts/recording/media-deletion';
import { recordingRoutes } from '@interview-prep/contracts/recording/recordings';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import { conflict, notFound } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import type { CalibratedJudge } from '../calibration/built-in-judge.ts';
import { type EngineReports, readEngineReports } from '../engines/engine-reports.ts';
import type { RecordingModels } from '../models.ts';
import type { Recording } from './model.ts';
import { queueStage } from './queue-stage.ts';
import { pendingAssessment, type ReprocessDeps, startNextRun, startRun } from './start-run.ts';

type RecordingRouteDeps = ReprocessDeps & { engineReports: EngineReports; judge: CalibratedJudge };

/** Serves POST /api/recordings/:id/reprocess. */
export function serveRecordings(server: RouteServer, deps: RecordingRouteDeps): void {
  server.serve(recordingRoutes.reprocess, async ({ params, user, req, res }) => {
    const recording = await deps.models.recordings.findById(params.id);
    const mayReprocess = user.role === 'admin' || recording?.userId === user.sub;
    if (!recording || !mayReprocess) throw notFound('Recording not found');
    if (recording.kind === 'interview') addToAudit(res, { details: { session: String(recording.session) } });
    const requestId = String(req.id);
    const restarted = (await isOldVerdict(recording, deps))
      ? await startAssessment(recording, deps.models, requestId)
      : await startNextRun(recording, deps.models, requestId);
    if (!restarted) {
      const { mediaDeletion } = recording;
      throw conflict(mediaDeletion ? mediaDeletionText(mediaDeletion) : 'There is nothing to process again');
    }
    await Promise.all([queueStage(restarted, deps), deps.outbox.publish(restarted)]);
    return { message: 'The recording is being processed again' };
  });
}

/** Whether an answer's verdict is from neither the current judge nor a reviewer. */
async function isOldVerdict(
  { kind, stage, stageStatus, transcription, assessment: { engine, review } }: Recording,
  { engineReports, judge }: RecordingRouteDeps,
): Promise<boolean> {
  const isJudged = kind === 'interview' && stage === 'assessment' && stageStatus === 'completed';
  // Empty transcripts are never sent to a judge.
  if (!isJudged || review || engine === undefined || transcription.text.trim() === '') return false;
  // Redis may be down.
  const workers = await readEngineReports(engineReports).catch(() => []);
  if (workers.length > 0) return workers.every(({ assess }) => assess !== engine);
  return engine !== judge.engine && engine.startsWith('reference');
}

/** Judges an answer again. @returns null if another request just did */
const startAssessment = (recording: Recording, models: RecordingModels, requestId: string) =>
  startRun(
    recording,
    'assessment',
    { $set: { assessment: pendingAssessment(recording), claim: null } },
    models,
    requestId,
  );
