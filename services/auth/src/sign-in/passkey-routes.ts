import { passkeyRoutes } from '@interview-prep/contracts/auth/passkeys';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import { conflict, notFound, unauthorized } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import type { Auth } from '../auth.ts';
import { assertStillHasLogin } from '../identities/link-identities.ts';
import { presentPasskey } from '../passkeys/model.ts';
import { clientOf } from '../sign-ins/client-of.ts';
import { requireUser } from '../users/find-user.ts';
import { signIn } from './sign-in.ts';

export function servePasskeys(server: RouteServer, auth: Auth): void {
  const { users, passkeys, passkeyRecords, locks, factorRoles, requireFreshSignIn, limits } = auth;

  server.serveAnyone(passkeyRoutes.passkeySignInOptions, async () => ({
    options: { ...(await passkeys.beginSignIn()) },
  }));

  server.serveAnyone(
    passkeyRoutes.passkeySignIn,
    async ({ body, req, res }) => {
      const userId = await passkeys.signIn(body.passkey);
      addToAudit(res, { actor: String(userId) });
      await limits.countSignIn(await users.findById(userId, 'email').lean(), req, res);
      const user = await signIn(auth, userId, clientOf(req));
      if (!user) throw unauthorized('This passkey could not be verified. Please try again.');
      return { user };
    },
    ...limits.secondFactor,
  );

  server.serve(passkeyRoutes.newPasskeyOptions, async ({ user: claims }) => {
    requireFreshSignIn(claims);
    const user = await requireUser(users, claims.sub);
    return { options: { ...(await passkeys.beginAdding(user)) } };
  });

  server.serve(passkeyRoutes.addPasskey, async ({ body, user: { sub } }) => {
    const { _id } = await requireUser(users, sub);
    // Use the lock, so that concurrent requests can't exceed the maximum.
    const added = await locks
      .run('ways-in', () => passkeys.add(_id, body.passkey))
      .catch((error: unknown) => {
        throw isDuplicateKey(error) ? conflict('This passkey is in use already.') : error;
      });
    return { passkey: presentPasskey(added) };
  });

  server.serve(passkeyRoutes.removePasskey, async ({ params, user }) => {
    requireFreshSignIn(user);
    const own = { _id: params.passkeyId, userId: user.sub };
    await locks.run('ways-in', async () => {
      if (!(await passkeyRecords.exists(own))) throw notFound('Passkey not found');
      await assertStillHasLogin(auth, user.sub, { withoutPasskey: params.passkeyId });
      const { _id, role, totp } = await requireUser(users, user.sub);
      if (factorRoles.has(role) && !totp && (await passkeyRecords.countDocuments({ userId: _id })) === 1) {
        throw conflict('Your role needs a second factor. Set up an authenticator app or another passkey first.');
      }
      await passkeyRecords.deleteOne(own);
    });
    return null;
  });
}
