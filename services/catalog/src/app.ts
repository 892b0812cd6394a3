import { createRouteServer } from '@interview-prep/kit/http/serve-route';
import { createServiceApp, type ServiceAppOptions } from '@interview-prep/kit/http/service-app';
import type { TokenVerifier } from '@interview-prep/kit/tokens/access-tokens';
import type { Express } from 'express';
import type { Catalog } from './catalog.ts';
import { serveInterviewSets } from './interview-sets/routes.ts';
import { servePracticeSets } from './practice-sets/routes.ts';
import { serveTechnologies } from './technologies/routes.ts';

export function createApp(
  deps: { catalog: Catalog; verify: TokenVerifier } & Omit<ServiceAppOptions, 'routes'>,
): Express {
  return createServiceApp({
    ...deps,
    routes: (app) => {
      const server = createRouteServer(app, deps.verify, deps);
      serveTechnologies(server, deps.catalog);
      serveInterviewSets(server, deps.catalog);
      servePracticeSets(server, deps.catalog);
    },
  });
}
