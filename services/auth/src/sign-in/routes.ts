import { userRoutes } from '@interview-prep/contracts/auth/users';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import { unauthorized } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import type { Auth } from '../auth.ts';
import { identityUser } from '../identities/identity-user.ts';
import { clientOf } from '../sign-ins/client-of.ts';
import { requireSetUp } from './provider-routes.ts';
import { passFirstFactor } from './sign-in.ts';

const invalidCredentials = () => unauthorized('Invalid credentials');

/** Routes for sign-in by password and by Google, logout, and the public keys. `limits` reject too many failed attempts. */
export function serveSignIn(server: RouteServer, auth: Auth): void {
  const { users, passwords, googleAccounts, revokedTokens, signIns, keyring, limits } = auth;

  server.serveAnyone(
    userRoutes.login,
    async ({ body: { email, password }, req, res }) => {
      const known = await users.findOne({ email, deletedAt: null }, 'passwordHash').lean();
      addToAudit(res, { actor: known ? String(known._id) : null });
      const passwordHash = known?.passwordHash;
      // An unknown email takes as long as a wrong password.
      const isCorrect = await passwords.verify(passwordHash, password);
      if (!isCorrect || !known || !passwordHash) throw invalidCredentials();
      const answer = await passFirstFactor(auth, known._id, clientOf(req), { passwordHash });
      if (!answer) throw invalidCredentials();
      return answer;
    },
    ...limits.login,
  );

  server.serveAnyone(
    userRoutes.googleSignIn,
    async ({ body, req, res }) => {
      const accounts = requireSetUp(googleAccounts, 'Google sign-in is not set up');
      const known = await identityUser(users, await accounts(body.accessToken));
      addToAudit(res, { actor: String(known._id) });
      await limits.countSignIn(known, req, res);
      const answer = await passFirstFactor(auth, known._id, clientOf(req));
      if (!answer) throw unauthorized('Google authentication failed');
      return answer;
    },
    ...limits.google,
  );

  server.serve(userRoutes.logout, async ({ user, res }) => {
    auth.mediaCookie.clear(res);
    await revokedTokens.revokeSignIn(user);
    await signIns.forget(user.sub, user.jti);
    return null;
  });

  server.serveAnyone(userRoutes.jwks, async () => ({ keys: keyring.published().map((key) => ({ ...key })) }));
}
