import { z } from 'zod';
import { routesOf } from '../api/route.ts';
import { GoogleToken, SignInAnswer } from './users.ts';

/** Identity providers: Google through its own button, and the OpenID provider of `OIDC_ISSUER`. */
export const ProviderId = z.enum(['google', 'oidc']);
export type ProviderId = z.infer<typeof ProviderId>;

/** A configured provider, as one user sees it. */
export const LinkedProvider = z.object({
  id: ProviderId,
  /** Display name, such as "Google". */
  name: z.string(),
  /** Whether the user has linked an account of it. */
  isLinked: z.boolean(),
});
export type LinkedProvider = z.infer<typeof LinkedProvider>;

/** The redirect to the provider, and a secret for the browser to keep until it returns. */
export const ProviderRedirect = z.object({
  /** The provider's authorization URL. */
  url: z.string(),
  /** A secret kept only in this browser window, never in a URL: without it the provider's response is useless. */
  attempt: z.string(),
});
export type ProviderRedirect = z.infer<typeof ProviderRedirect>;

const over = 'This sign-in has ended. Please try again.';

const returned = (maxLength: number) => z.string(over).trim().min(1, over).max(maxLength, over);

/** The provider's redirect parameters, with the window's secret. See OpenID Connect Core 3.1.2.5 and RFC 9207. */
export const ProviderAnswer = z.object({
  attempt: returned(200),
  state: returned(500),
  code: returned(4096).optional(),
  /** The issuer, if the provider sends it. */
  iss: returned(2000).optional(),
  /** The error code, if there is no authorization code. */
  error: returned(200).optional(),
});
export type ProviderAnswer = z.infer<typeof ProviderAnswer>;

const auth = routesOf('auth');

/** Auth routes for signing in with an OpenID provider and for linking providers' accounts to a user. */
export const identityRoutes = {
  oidcSignIn: auth.post('/api/auth/oidc', 'anyone', {
    summary: 'Start signing in with the OpenID provider',
    description:
      "Returns the provider's authorization URL (code flow with PKCE, state and nonce) and a single-use secret for the window, valid for ten minutes. The provider sends the browser back to /sign-in/callback.",
    result: ProviderRedirect,
    errorStatuses: [501],
  }),
  finishOidcSignIn: auth.post('/api/auth/oidc/finish', 'anyone', {
    summary: "Finish signing in with the OpenID provider's response",
    description:
      'Signs in the user linked to the account, by issuer and sub. A new account with a verified email creates a user with the role configured in OIDC_OPTIONS; 403 if the domain is not allowed. 409 if the email already has a user, who has to sign in as usual and link the account.',
    body: ProviderAnswer,
    result: SignInAnswer,
    errorStatuses: [401, 403, 409, 429, 501],
    audit: { action: 'sign-in.oidc' },
  }),
  linkOidc: auth.post('/api/auth/oidc/link', 'signed-in', {
    summary: 'Start linking an account of the OpenID provider',
    description: 'Like starting a sign-in, but for the signed-in user. Requires a fresh sign-in.',
    result: ProviderRedirect,
    errorStatuses: [403, 501],
  }),
  finishOidcLink: auth.post('/api/auth/oidc/link/finish', 'signed-in', {
    summary: "Finish linking with the OpenID provider's response",
    description: 'The account can then be used to sign in. Rejected if it is linked to another user.',
    body: ProviderAnswer,
    errorStatuses: [409, 501],
    audit: { action: 'identity.link' },
  }),
  linkGoogle: auth.post('/api/auth/google/link', 'signed-in', {
    summary: 'Link a Google account',
    description: 'Takes a Google access token, like the sign-in. Requires a fresh sign-in.',
    body: GoogleToken,
    errorStatuses: [403, 409, 501],
    audit: { action: 'identity.link' },
  }),
  unlinkIdentity: auth.delete('/api/auth/identities/:provider', 'signed-in', {
    summary: "Unlink a provider's account",
    description: 'Rejected if the user would have no way to sign in. Requires a fresh sign-in.',
    params: z.object({ provider: ProviderId }),
    errorStatuses: [403, 404, 409],
    audit: { action: 'identity.unlink' },
  }),
};
