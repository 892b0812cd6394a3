import { accountSecurityRoutes } from '@interview-prep/contracts/auth/account-security';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import { badRequest, conflict, notFound, unauthorized } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import { accountSecurityOf } from '../account/account-security-of.ts';
import type { Auth } from '../auth.ts';
import { revokeTokensNow } from '../revoked-tokens/revoked-tokens.ts';
import { confirmIdentity, findOwnFactor } from '../second-factor/confirm-identity.ts';
import { clientOf } from '../sign-ins/client-of.ts';
import { requireUser } from '../users/find-user.ts';
import { signIn } from './sign-in.ts';

/** Fields to unset when a user's second factor is removed. */
const withoutFactors = { totp: 1, pendingTotp: 1, recovery: 1, codeGuesses: 1 } as const;

export function serveSecondFactors(server: RouteServer, auth: Auth): void {
  const { users, secondFactors, challenges, passkeyRecords } = auth;
  const { factorRoles, requireFreshSignIn, revokedTokens, locks, limits } = auth;

  server.serveAnyone(
    accountSecurityRoutes.secondFactor,
    async ({ body: { challenge: given, code }, req, res }) => {
      const over = unauthorized('Your sign-in took too long, or too many codes were wrong. Please sign in again.');
      const challenge = await challenges.attempt(given);
      if (!challenge) throw over;
      addToAudit(res, { actor: String(challenge.userId) });
      const user = await users.findOne({ _id: challenge.userId, deletedAt: null }).lean();
      // Changing the password or signing out everywhere also ends unfinished sign-ins.
      if (!user || (user.tokensValidAfter && user.tokensValidAfter > challenge.createdAt)) throw over;

      let recoveryCodes: string[] | undefined;
      if (challenge.totpSecret === undefined) await secondFactors.useCode(user, code);
      // A second factor was set up in the meantime.
      else if ((await findOwnFactor(auth, user)) !== null) throw over;
      else recoveryCodes = await secondFactors.confirm(user._id, challenge.totpSecret, code);
      if (!(await challenges.use(challenge))) throw over;
      const { passwordHash } = user;
      const signedIn = await signIn(auth, user._id, clientOf(req), passwordHash === undefined ? {} : { passwordHash });
      if (!signedIn) throw over;
      return { user: signedIn, ...(recoveryCodes ? { recoveryCodes } : {}) };
    },
    ...limits.secondFactor,
  );

  server.serve(
    accountSecurityRoutes.stepUp,
    async ({ body, user }) => ({ token: await confirmIdentity(auth, user, body) }),
    ...limits.changePassword,
  );

  server.serve(accountSecurityRoutes.accountSecurity, async ({ user: { sub } }) => {
    return accountSecurityOf(await requireUser(users, sub), auth);
  });

  server.serve(accountSecurityRoutes.beginTotp, async ({ user }) => {
    requireFreshSignIn(user);
    const { email } = await requireUser(users, user.sub);
    const { sealed, secret, uri } = secondFactors.newSecret(email);
    await secondFactors.begin(user.sub, sealed);
    return { secret, uri };
  });

  server.serve(accountSecurityRoutes.confirmTotp, async ({ body, user: { sub } }) => {
    const { _id, pendingTotp } = await requireUser(users, sub);
    if (!pendingTotp || pendingTotp.expiresAt < new Date()) {
      throw conflict('Setting up the app took too long. Please start again.');
    }
    return { recoveryCodes: await secondFactors.confirm(_id, pendingTotp.secret, body.code) };
  });

  server.serve(accountSecurityRoutes.removeTotp, async ({ user }) => {
    requireFreshSignIn(user);
    // Use the lock that passkey removal uses, so that concurrent requests can't remove the last two factors.
    await locks.run('ways-in', async () => {
      const { _id, role } = await requireUser(users, user.sub);
      if (factorRoles.has(role) && !(await passkeyRecords.exists({ userId: _id }))) {
        throw conflict('Your role needs a second factor. Set up another app instead.');
      }
      await users.updateOne({ _id, deletedAt: null }, { $unset: withoutFactors });
    });
    return null;
  });

  server.serve(accountSecurityRoutes.renewRecoveryCodes, async ({ user }) => {
    requireFreshSignIn(user);
    const { _id, totp } = await requireUser(users, user.sub);
    if (!totp) throw conflict('Please set up an authenticator app first.');
    return { recoveryCodes: await secondFactors.renewRecoveryCodes(_id) };
  });

  server.serve(accountSecurityRoutes.resetSecondFactor, async ({ params, user }) => {
    requireFreshSignIn(user);
    const id = params.id.toLowerCase();
    if (id === user.sub) throw badRequest('You cannot do this for yourself. Another admin can.');
    await revokedTokens.requireRevocable();
    const changed = await users.findOneAndUpdate(
      { _id: id, deletedAt: null },
      { $unset: withoutFactors, $set: revokeTokensNow().fields },
      { returnDocument: 'after' },
    );
    if (!changed) throw notFound('User not found');
    await passkeyRecords.deleteMany({ userId: changed._id });
    await challenges.forget(changed._id);
    await revokedTokens.revokeUserTokens(changed);
    return null;
  });
}
