import { createRouteServer } from '@interview-prep/kit/http/serve-route';
import { createServiceApp, type ServiceAppOptions } from '@interview-prep/kit/http/service-app';
import type { TokenVerifier } from '@interview-prep/kit/tokens/access-tokens';
import type { Express } from 'express';
import { serveAnswerParts } from './answer-parts/routes.ts';
import { serveAssignments } from './assignments/routes.ts';
import { serveCalendar } from './calendar/routes.ts';
import type { CalibrationDeps } from './calibration/calibrate.ts';
import { serveCalibration } from './calibration/routes.ts';
import { serveCorrections } from './corrections/routes.ts';
import { type DeletionRouteDeps, serveDeletions } from './deletions/routes.ts';
import { readEngineReports } from './engines/engine-reports.ts';
import { type EngineDeps, serveEngines } from './engines/routes.ts';
import { type ExportRouteDeps, serveDataExport } from './export/routes.ts';
import { serveFollowUps } from './follow-ups/routes.ts';
import { type LiveStreams, serveLiveEvents } from './live/streams.ts';
import { type PlaybackDeps, servePlayback } from './playback/routes.ts';
import { registerProcessingMetrics } from './processing-metrics.ts';
import { serveQueues } from './queues/routes.ts';
import { serveRecordings } from './recordings/routes.ts';
import type { ReprocessDeps } from './recordings/start-run.ts';
import { serveReviews } from './reviews/routes.ts';
import { type LinksAfterResetDeps, serveLinksAfterReset } from './shares/links-after-reset.ts';
import { type ShareDeps, serveShares } from './shares/routes.ts';
import { serveTrials, type TrialDeps } from './trials/routes.ts';
import { serveUploads, type UploadDeps } from './uploads/routes.ts';

type AppDeps = Omit<ServiceAppOptions, 'routes'> &
  UploadDeps &
  PlaybackDeps &
  ReprocessDeps &
  DeletionRouteDeps &
  EngineDeps &
  CalibrationDeps &
  ExportRouteDeps &
  LinksAfterResetDeps &
  TrialDeps &
  ShareDeps & { verify: TokenVerifier; publicUrl: string; streams: LiveStreams };

export function createApp(deps: AppDeps): Express {
  return createServiceApp({
    ...deps,
    reports: { worker: async () => (await readEngineReports(deps.engineReports)).length > 0 },
    metrics(registry) {
      deps.metrics?.(registry);
      registerProcessingMetrics(registry, deps);
    },
    routes: (app) => {
      const server = createRouteServer(app, deps.verify, deps);
      serveUploads(app, server, deps);
      serveAnswerParts(server, deps);
      servePlayback(server, deps);
      serveLiveEvents(server, deps.streams, deps.verify);
      serveEngines(server, deps);
      serveQueues(server, deps);
      serveRecordings(server, deps);
      serveAssignments(server, deps);
      serveCalendar(server, deps);
      serveFollowUps(server, deps);
      serveCorrections(server, deps);
      serveReviews(server, deps);
      serveCalibration(server, deps);
      serveTrials(server, deps);
      serveShares(server, deps);
      serveLinksAfterReset(server, deps);
      serveDeletions(server, deps);
      serveDataExport(server, deps);
    },
  });
}
