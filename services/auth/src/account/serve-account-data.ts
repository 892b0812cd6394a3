import { accountDataRoutes, accountEventsMax } from '@interview-prep/contracts/auth/account-data';
import { forbidden, notFound } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import { presentApiKey } from '../api-keys/routes.ts';
import type { Auth } from '../auth.ts';
import { clientOf } from '../sign-ins/client-of.ts';
import { googleIssuer, issuerPrefix } from '../users/identity-key.ts';
import { presentUser } from '../users/present-user.ts';
import { accountSecurityOf } from './account-security-of.ts';

/** Serves auth's data about a user, to the user and to admins who export it on their behalf. */
export function serveAccountData(server: RouteServer, auth: Auth): void {
  server.serve(accountDataRoutes.accountData, async ({ query, user: claims, req }) => {
    const userId = query.userId ?? claims.sub;
    if (userId !== claims.sub) {
      if (claims.role !== 'admin') throw forbidden();
      auth.requireFreshSignIn(claims);
    }
    const user = await auth.users.findOne({ _id: userId, deletedAt: null }).lean();
    if (!user) throw notFound('User not found');
    const own = userId === claims.sub ? claims : null;
    const done = auth.auditLog.entries.find({ actor: userId }).sort({ _id: -1 }).limit(accountEventsMax).lean();
    return {
      user: presentUser(user),
      google: user.identities?.some((key) => key.startsWith(issuerPrefix(googleIssuer))) ?? false,
      groups: await auth.groups.of(userId),
      apiKeys: (await auth.apiKeys.find({ userId }).sort({ createdAt: -1 }).lean()).map((key) =>
        presentApiKey(key, ''),
      ),
      webhooks: (await auth.webhooks.webhooks.find({ userId }).lean()).map(({ url, events, createdAt }) => ({
        url,
        events,
        createdAt: createdAt.toISOString(),
      })),
      ...(await auth.lti.dataOf(user)),
      security: await accountSecurityOf(user, auth),
      signIns: await auth.signIns.list(user, { claims: own, client: clientOf(req) }),
      events: (await done).map(({ at, ...event }) => ({ ...event, at: at.toISOString() })),
    };
  });
}
