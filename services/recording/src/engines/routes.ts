import { recordingRoutes } from '@interview-prep/contracts/recording/recordings';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import { type EngineReports, readEngineReports } from './engine-reports.ts';

export interface EngineDeps {
  engineReports: EngineReports;
}

/** Serves the admins' list of the engines that each worker uses. */
export function serveEngines(server: RouteServer, { engineReports }: EngineDeps): void {
  server.serve(recordingRoutes.engines, async () => ({ workers: await readEngineReports(engineReports) }));
}
