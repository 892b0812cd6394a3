import type { ApiScope } from '@interview-prep/contracts/api/scopes';
import { TokenClaims } from '@interview-prep/contracts/auth/users';
import type { Redis } from 'ioredis';
import { forbidden, unauthorized, unavailable } from '../http/http-error.ts';
import { type KeySource, remoteKeys } from './remote-keys.ts';
import { ExpiredToken, InvalidToken, keyIdOf, type TokenProfile, verifyToken } from './signed-token.ts';
import { createTokenDenylist, type TokenDenylist } from './token-denylist.ts';

/** The access token, which auth signs and every service verifies. Source: RFC 9068. */
export const accessTokenProfile = {
  algorithm: 'ES256',
  type: 'at+jwt',
  issuer: 'interview-prep',
  audience: 'interview-prep',
} as const satisfies TokenProfile;

/**
 * Verifies a token and returns its claims. It counts as a use of the sign-in unless `isUse` is false.
 * @param scopes the API key scopes that suffice; if omitted, API keys are refused
 * @throws HttpError 403 for an API key without such a scope; 401 for a token that is invalid, expired or revoked, or whose
 * sign-in was idle for too long; 503 while keys or denylist can't be read
 */
export type TokenVerifier = (token: string, isUse?: boolean, scopes?: readonly ApiScope[]) => Promise<TokenClaims>;

/** Creates a verifier with any source of keys: auth passes its own keys. */
export function createTokenVerifier(keys: KeySource, denylist: TokenDenylist): TokenVerifier {
  return async (token, isUse, scopes = []) => {
    const claims = await verifiedClaims(token, keys);
    const refusal = await denylist.refusalOf(claims, isUse);
    if (refusal && claims.scopes) throw unauthorized('This API key does not work any more.');
    if (refusal === 'unused') throw hasExpired(new ExpiredToken('the sign-in was not used for too long'));
    if (refusal === 'revoked') throw unauthorized('You have been signed out. Please sign in again.');
    if (claims.scopes && !claims.scopes.some((scope) => scopes.includes(scope)))
      throw forbidden('This API key may not do this.');
    return claims;
  };
}

/** Creates the verifier of every service but auth, with the keys that auth publishes and the denylist in Redis. */
export function createRemoteTokenVerifier(jwksUrl: string, redis: Redis, prefix: string): TokenVerifier {
  return createTokenVerifier(remoteKeys(jwksUrl), createTokenDenylist(redis, prefix));
}

const hasExpired = (cause: ExpiredToken) => unauthorized('Your sign-in has expired. Please sign in again.', cause);

async function verifiedClaims(token: string, keys: KeySource): Promise<TokenClaims> {
  try {
    const kid = keyIdOf(token);
    const key = await findKey(keys, kid);
    if (!key) throw new InvalidToken('the signing key is unknown');
    const claims = TokenClaims.safeParse(verifyToken(accessTokenProfile, key, token));
    if (!claims.success) throw new InvalidToken('a claim is missing or malformed', { cause: claims.error });
    return { ...claims.data, kid };
  } catch (error) {
    if (error instanceof ExpiredToken) throw hasExpired(error);
    if (error instanceof InvalidToken) throw unauthorized('Your sign-in is not valid. Please sign in again.');
    throw error;
  }
}

async function findKey(keys: KeySource, kid: string | undefined) {
  try {
    return await keys(kid);
  } catch (error) {
    throw unavailable('Sign-in cannot be checked right now. Please try again.', error);
  }
}
