import { TokenClaims } from '@interview-prep/contracts/users';
import { createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import { unauthorized, unavailable } from './http-error.ts';
import type { TokenDenylist } from './token-denylist.ts';

/** What every access token must carry; auth signs with the same values. */
export const tokenIdentity = { issuer: 'interview-prep', audience: 'interview-prep', algorithm: 'ES256' } as const;

/** Checks a token and gives its claims. @throws HttpError 401 for a bad or dead token, 503 where that can't be told */
export type TokenVerifier = (token: string) => Promise<TokenClaims>;

/**
 * The public keys as auth publishes them, fetched when first needed and again when an unknown key turns up. They are kept
 * for as long as the process lives: with auth away those who are signed in go on.
 */
export const remoteKeys = (jwksUrl: string): JWTVerifyGetKey =>
  createRemoteJWKSet(new URL(jwksUrl), {
    cacheMaxAge: Number.POSITIVE_INFINITY,
    cooldownDuration: 2000,
    timeoutDuration: 3000,
  });

/** Verifies signature (algorithm pinned), issuer, audience and expiry, then that no mark has ended the token. */
export function createTokenVerifier(keys: JWTVerifyGetKey, denylist: TokenDenylist): TokenVerifier {
  return async (token) => {
    const claims = TokenClaims.safeParse(await verifiedPayload(token, keys));
    if (!claims.success) throw unauthorized('Your session is not valid. Please sign in again.');
    if (await denylist.isRevoked(claims.data)) throw unauthorized('Your session has ended. Please sign in again.');
    return claims.data;
  };
}

async function verifiedPayload(token: string, keys: JWTVerifyGetKey): Promise<unknown> {
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: [tokenIdentity.algorithm],
      issuer: tokenIdentity.issuer,
      audience: tokenIdentity.audience,
    });
    return payload;
  } catch (error) {
    if (error instanceof errors.JWTExpired) throw unauthorized('Your session has expired. Please sign in again.');
    const aboutToken =
      error instanceof errors.JOSEError &&
      !(error instanceof errors.JWKSTimeout) &&
      // What createRemoteJWKSet throws when the endpoint answers anything but 200: the bare JOSEError.
      error.constructor !== errors.JOSEError;
    if (aboutToken) throw unauthorized('Your session is not valid. Please sign in again.');
    throw unavailable('Sign-in can not be checked right now. Please try again.', error);
  }
}
