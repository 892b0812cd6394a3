import { createRouteServer } from '@interview-prep/kit/serve-route';
import { createServiceApp, type ServiceAppOptions } from '@interview-prep/kit/service-app';
import type { Express } from 'express';
import type { Auth } from './auth.ts';
import { servePasswords } from './passwords/routes.ts';
import { serveSignIn } from './sign-in/routes.ts';
import { serveUsers } from './users/routes.ts';

/** Only the gateway is in front. It passes on the client's address, also through proxies of its own. */
const proxyHops = 1;

/** The auth service's HTTP side. */
export function createApp(deps: { auth: Auth } & Omit<ServiceAppOptions, 'routes'>): Express {
  return createServiceApp({
    ...deps,
    routes: (app) => {
      app.set('trust proxy', proxyHops);
      const server = createRouteServer(app, deps.auth.verify);
      serveSignIn(server, deps.auth);
      servePasswords(server, deps.auth);
      serveUsers(server, deps.auth);
    },
  });
}
