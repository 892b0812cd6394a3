import { createRouteServer } from '@interview-prep/kit/http/serve-route';
import { createServiceApp, type ServiceAppOptions } from '@interview-prep/kit/http/service-app';
import type { TokenVerifier } from '@interview-prep/kit/tokens/access-tokens';
import type { Express } from 'express';
import { serveProgress } from './progress/routes.ts';
import { serveRosters } from './rosters/routes.ts';
import { type HistoryDeps, serveSessions } from './sessions/routes.ts';

export function createApp(deps: HistoryDeps & Omit<ServiceAppOptions, 'routes'> & { verify: TokenVerifier }): Express {
  return createServiceApp({ ...deps, routes });

  function routes(app: Express): void {
    const server = createRouteServer(app, deps.verify, { audit: deps.audit });
    serveSessions(server, deps);
    serveProgress(server, deps);
    serveRosters(server, deps);
  }
}
