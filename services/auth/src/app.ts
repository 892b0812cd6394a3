import { accountDataRoutes } from '@interview-prep/contracts/auth/account-data';
import { userRoutes } from '@interview-prep/contracts/auth/users';
import { createRouteServer } from '@interview-prep/kit/http/serve-route';
import { createServiceApp, type ServiceAppOptions } from '@interview-prep/kit/http/service-app';
import type { Express } from 'express';
import { serveAudit } from './audit/routes.ts';
import type { Auth } from './auth.ts';
import { serveIdentities } from './identities/routes.ts';
import { servePasskeys } from './passkeys/routes.ts';
import { servePasswords } from './passwords/routes.ts';
import { serveSecondFactors } from './second-factor/routes.ts';
import { serveSignIn } from './sign-in/routes.ts';
import { serveSignIns } from './sign-ins/routes.ts';
import { serveUserManagement } from './users/manage-users.ts';
import { serveUsers } from './users/routes.ts';
import { serveAccountData } from './users/serve-account-data.ts';

/** The auth service's HTTP side. */
export function createApp(deps: { auth: Auth } & Omit<ServiceAppOptions, 'routes'>): Express {
  return createServiceApp({
    ...deps,
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
      serveAccountData(server, deps.auth);
      serveAudit(server, deps.auth);
    },
  });
}
