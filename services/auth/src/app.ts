import { accountDataRoutes } from '@interview-prep/contracts/auth/account-data';
import { userRoutes } from '@interview-prep/contracts/auth/users';
import { createRouteServer } from '@interview-prep/kit/http/serve-route';
import { createServiceApp, type ServiceAppOptions } from '@interview-prep/kit/http/service-app';
import type { Express } from 'express';
import { serveUserManagement } from './account/manage-users.ts';
import { serveUsers } from './account/routes.ts';
import { serveAccountData } from './account/serve-account-data.ts';
import { serveSignIns } from './account/sign-ins-routes.ts';
import { serveApiKeys } from './api-keys/routes.ts';
import { serveAudit } from './audit/routes.ts';
import type { Auth } from './auth.ts';
import { serveJoining } from './groups/join-routes.ts';
import { serveGroups } from './groups/routes.ts';
import { serveLtiLaunches } from './lti/launch-routes.ts';
import { serveLti } from './lti/routes.ts';
import { servePasswords } from './passwords/routes.ts';
import { servePasskeys } from './sign-in/passkey-routes.ts';
import { serveIdentities } from './sign-in/provider-routes.ts';
import { serveSignIn } from './sign-in/routes.ts';
import { serveSecondFactors } from './sign-in/second-factor-routes.ts';
import { serveWebhooks } from './webhooks/routes.ts';

export function createApp(deps: { auth: Auth } & Omit<ServiceAppOptions, 'routes'>): Express {
  return createServiceApp({
    ...deps,
    metrics: (registry) => deps.auth.mails.registerMetrics(registry),
    openPaths: [userRoutes.jwks.path, accountDataRoutes.accountData.path],
    routes: (app) => {
      const server = createRouteServer(app, deps.auth.verify, deps);
      serveSignIn(server, deps.auth);
      serveSignIns(server, deps.auth);
      servePasswords(server, deps.auth);
      servePasskeys(server, deps.auth);
      serveIdentities(server, deps.auth);
      serveSecondFactors(server, deps.auth);
      serveUserManagement(server, deps.auth);
      serveUsers(server, deps.auth);
      serveGroups(server, deps.auth);
      serveJoining(server, deps.auth);
      serveApiKeys(server, deps.auth);
      serveWebhooks(server, deps.auth);
      serveLtiLaunches(server, deps.auth);
      serveLti(server, deps.auth);
      serveAccountData(server, deps.auth);
      serveAudit(server, deps.auth);
    },
  });
}
