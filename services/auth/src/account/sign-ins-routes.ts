import { signInRoutes } from '@interview-prep/contracts/auth/sign-ins';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import { notFound } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import type { Auth } from '../auth.ts';
import { revokeTokensNow } from '../revoked-tokens/revoked-tokens.ts';
import { clientOf } from '../sign-ins/client-of.ts';
import { requireUser } from '../users/find-user.ts';

export function serveSignIns(server: RouteServer, auth: Auth): void {
  const { users, signIns, challenges, revokedTokens, requireFreshSignIn } = auth;

  server.serve(signInRoutes.listSignIns, async ({ user: claims, req }) => ({
    signIns: await signIns.list(await requireUser(users, claims.sub), { claims, client: clientOf(req) }),
  }));

  server.serve(signInRoutes.endSignIn, async ({ params: { signInId }, user }) => {
    requireFreshSignIn(user);
    const expiresAt = await signIns.endOf(user.sub, signInId);
    if (!expiresAt) throw notFound('This sign-in has ended already');
    await revokedTokens.revokeSignIn({ jti: signInId, exp: expiresAt.getTime() / 1000 });
    await signIns.forget(user.sub, signInId);
    return null;
  });

  server.serve(signInRoutes.endOtherSignIns, async ({ user, res }) => {
    requireFreshSignIn(user);
    addToAudit(res, { target: `user:${user.sub}`, details: { which: 'all others' } });
    const { _id } = await requireUser(users, user.sub);
    await revokedTokens.requireRevocable();
    const changed = await users.findOneAndUpdate(
      { _id, deletedAt: null },
      { $set: revokeTokensNow(user.jti).fields },
      { returnDocument: 'after' },
    );
    if (!changed) throw notFound('User not found');
    await challenges.forget(_id);
    await revokedTokens.revokeUserTokens(changed);
    return null;
  });
}
