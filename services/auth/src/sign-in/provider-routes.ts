import { identityRoutes } from '@interview-prep/contracts/auth/identities';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import { badRequest, HttpError, unauthorized } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import type { Auth } from '../auth.ts';
import { identityUser } from '../identities/identity-user.ts';
import { linkIdentity, unlinkIdentity } from '../identities/link-identities.ts';
import { clientOf } from '../sign-ins/client-of.ts';
import type { Identity } from '../users/identity-key.ts';
import { passFirstFactor } from './sign-in.ts';

/** Returns the provider. @throws HttpError 501 if its settings are missing */
export function requireSetUp<Provider>(provider: Provider | null, message: string): Provider {
  if (provider === null) throw new HttpError(501, 'not_configured', message);
  return provider;
}

/** Turns a 401 into a 400: on a signed-in route, 401 would mean that our own token is invalid. */
async function forSignedIn(proof: Promise<Identity>): Promise<Identity> {
  return proof.catch((error: unknown) => {
    throw error instanceof HttpError && error.status === 401 ? badRequest(error.message) : error;
  });
}

/** Routes to sign in with the OpenID provider, and to link and unlink provider accounts. */
export function serveIdentities(server: RouteServer, auth: Auth): void {
  const { users, googleAccounts, oidcProvider, requireFreshSignIn, limits } = auth;
  const oidc = () => requireSetUp(oidcProvider, 'Sign-in with an OpenID provider is not set up');
  const google = () => requireSetUp(googleAccounts, 'Google sign-in is not set up');

  server.serveAnyone(identityRoutes.oidcSignIn, () => oidc().begin(null));

  server.serveAnyone(
    identityRoutes.finishOidcSignIn,
    async ({ body, req, res }) => {
      const provider = oidc();
      const user = await identityUser(users, await provider.finish(null, body));
      addToAudit(res, { actor: String(user._id) });
      await limits.countSignIn(user, req, res);
      const answer = await passFirstFactor(auth, user._id, clientOf(req));
      if (!answer) throw unauthorized(`${provider.name} did not sign you in.`);
      return answer;
    },
    ...limits.google,
  );

  server.serve(identityRoutes.linkOidc, async ({ user }) => {
    requireFreshSignIn(user);
    return oidc().begin(user.sub);
  });

  server.serve(identityRoutes.finishOidcLink, async ({ body, user: { sub }, res }) => {
    const identity = await forSignedIn(oidc().finish(sub, body));
    addToAudit(res, { details: { provider: 'oidc' } });
    await linkIdentity(auth, sub, 'oidc', identity);
    return null;
  });

  server.serve(identityRoutes.linkGoogle, async ({ body, user, res }) => {
    requireFreshSignIn(user);
    addToAudit(res, { details: { provider: 'google' } });
    await linkIdentity(auth, user.sub, 'google', await forSignedIn(google()(body.accessToken)));
    return null;
  });

  server.serve(identityRoutes.unlinkIdentity, async ({ params: { provider }, user, res }) => {
    requireFreshSignIn(user);
    addToAudit(res, { details: { provider } });
    await unlinkIdentity(auth, user.sub, provider);
    return null;
  });
}
