import { accountDataRoutes } from './account-data.ts';
import { accountSecurityRoutes } from './account-security.ts';
import { auditRoutes } from './audit.ts';
import { calibrationRoutes } from './calibration.ts';
import { correctionRoutes } from './corrections.ts';
import { dataExportRoutes } from './data-export.ts';
import { deletionRoutes } from './deletions.ts';
import { followUpRoutes } from './follow-ups.ts';
import { historyRoutes } from './history.ts';
import { identityRoutes } from './identities.ts';
import { operationRoutes } from './operations.ts';
import { passkeyRoutes } from './passkeys.ts';
import { passwordResetRoutes } from './password-reset.ts';
import { progressRoutes } from './progress.ts';
import { recordingRoutes } from './recordings.ts';
import { reviewRoutes } from './reviews.ts';
import type { Route } from './route.ts';
import { setRoutes } from './sets.ts';
import { shareRoutes } from './shares.ts';
import { signInRoutes } from './sign-ins.ts';
import { technologyRoutes } from './technologies.ts';
import { trialRoutes } from './trials.ts';
import { uploadRoutes } from './uploads.ts';
import { userManagementRoutes } from './user-management.ts';
import { userRoutes } from './users.ts';

/** Every call of the public API by name. The OpenAPI document and the role matrix are made from this table. */
export const routes = {
  ...userRoutes,
  ...accountSecurityRoutes,
  ...passwordResetRoutes,
  ...passkeyRoutes,
  ...signInRoutes,
  ...identityRoutes,
  ...userManagementRoutes,
  ...technologyRoutes,
  ...setRoutes,
  ...recordingRoutes,
  ...uploadRoutes,
  ...followUpRoutes,
  ...correctionRoutes,
  ...reviewRoutes,
  ...calibrationRoutes,
  ...trialRoutes,
  ...shareRoutes,
  ...deletionRoutes,
  ...dataExportRoutes,
  ...accountDataRoutes,
  ...historyRoutes,
  ...progressRoutes,
  ...auditRoutes,
  ...operationRoutes,
};

/** The routes as a list, types erased. */
export const allRoutes: readonly (readonly [name: string, route: Route])[] = Object.entries(routes) as unknown as [
  string,
  Route,
][];
