import { recordingRoutes } from '@interview-prep/contracts/recordings';
import { conflict, notFound } from '@interview-prep/kit/http-error';
import type { JobProducer } from '@interview-prep/kit/job-queues';
import type { Logger } from '@interview-prep/kit/logger';
import type { Outbox } from '@interview-prep/kit/outbox';
import type { RouteServer } from '@interview-prep/kit/serve-route';
import type { RecordingModels } from '../models.ts';
import type { Recording } from './model.ts';
import { queueStage } from './queue-stage.ts';
import { restart } from './restart.ts';

export interface ReprocessDeps {
  models: RecordingModels;
  jobs: JobProducer;
  outbox: Outbox<Recording>;
  log: Logger;
}

export function serveRecordings(server: RouteServer, deps: ReprocessDeps): void {
  server.serve(recordingRoutes.reprocess, async ({ params, user, req }) => {
    const recording = await deps.models.recordings.findById(params.id);
    const allowed = user.role === 'admin' || recording?.userId === user.sub;
    if (!recording || !allowed) throw notFound('Recording not found');
    const restarted = await restart(recording, deps.models, String(req.id));
    if (!restarted) throw conflict('There is nothing to process again');
    await Promise.all([queueStage(restarted, deps), deps.outbox.publish(restarted)]);
    return { message: 'The recording is being processed again' };
  });
}
