import { auditRoutes } from '../audit/audit.ts';
import { accountDataRoutes } from '../auth/account-data.ts';
import { accountSecurityRoutes } from '../auth/account-security.ts';
import { apiKeyRoutes } from '../auth/api-keys.ts';
import { groupRoutes } from '../auth/groups.ts';
import { identityRoutes } from '../auth/identities.ts';
import { ltiRoutes } from '../auth/lti.ts';
import { passkeyRoutes } from '../auth/passkeys.ts';
import { passwordResetRoutes } from '../auth/password-reset.ts';
import { signInRoutes } from '../auth/sign-ins.ts';
import { userManagementRoutes } from '../auth/user-management.ts';
import { userRoutes } from '../auth/users.ts';
import { webhookRoutes } from '../auth/webhooks.ts';
import { setRoutes } from '../catalog/sets.ts';
import { technologyRoutes } from '../catalog/technologies.ts';
import { historyRoutes } from '../history/history.ts';
import { progressRoutes } from '../history/progress.ts';
import { rosterRoutes } from '../history/rosters.ts';
import { assignmentRoutes } from '../recording/assignments.ts';
import { calendarRoutes } from '../recording/calendar.ts';
import { calibrationRoutes } from '../recording/calibration.ts';
import { correctionRoutes } from '../recording/corrections.ts';
import { dataExportRoutes } from '../recording/data-export.ts';
import { deletionRoutes } from '../recording/deletions.ts';
import { followUpRoutes } from '../recording/follow-ups.ts';
import { queueRoutes } from '../recording/queues.ts';
import { recordingRoutes } from '../recording/recordings.ts';
import { reviewRoutes } from '../recording/reviews.ts';
import { shareRoutes } from '../recording/shares.ts';
import { trialRoutes } from '../recording/trials.ts';
import { uploadRoutes } from '../recording/uploads.ts';
import { operationRoutes } from './operations.ts';
import type { Route } from './route.ts';

/** Every operation of the public API by name. The OpenAPI document and the role matrix are generated from this table. */
export const routes = {
  ...userRoutes,
  ...accountSecurityRoutes,
  ...passwordResetRoutes,
  ...passkeyRoutes,
  ...signInRoutes,
  ...identityRoutes,
  ...userManagementRoutes,
  ...groupRoutes,
  ...apiKeyRoutes,
  ...webhookRoutes,
  ...ltiRoutes,
  ...technologyRoutes,
  ...setRoutes,
  ...recordingRoutes,
  ...queueRoutes,
  ...uploadRoutes,
  ...assignmentRoutes,
  ...calendarRoutes,
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
  ...rosterRoutes,
  ...auditRoutes,
  ...operationRoutes,
};

/** The routes as a list with erased types. */
export const allRoutes: readonly (readonly [name: string, route: Route])[] = Object.entries(routes) as unknown as [
  string,
  Route,
][];
