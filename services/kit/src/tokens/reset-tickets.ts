import type { Redis } from 'ioredis';
import { z } from 'zod';
import { badRequest, unavailable } from '../http/http-error.ts';
import { type KeySource, remoteKeys } from './remote-keys.ts';
import { InvalidToken, keyIdOf, type TokenProfile, verifyToken } from './signed-token.ts';
import { createTokenDenylist, type TokenDenylist } from './token-denylist.ts';

/** The profile of a password reset's ticket, signed by auth. It is not an access token: it only lists and removes other access. */
export const resetTicketProfile = {
  algorithm: 'ES256',
  type: 'reset+jwt',
  issuer: 'interview-prep',
  audience: 'interview-prep/after-reset',
} as const satisfies TokenProfile;

const TicketClaims = z.object({ sub: z.string(), jti: z.string(), iat: z.number(), exp: z.number() });

/**
 * Verifies a ticket. It is revoked together with all sign-ins of its user.
 * @returns its user's id
 * @throws HttpError 400 for an invalid, expired or revoked ticket, 503 while keys or denylist can't be read
 */
export type ResetTicketVerifier = (ticket: string) => Promise<string>;

/** Creates a verifier with any source of keys: auth passes its own keys. */
export function createResetTicketVerifier(keys: KeySource, denylist: TokenDenylist): ResetTicketVerifier {
  return async (ticket) => {
    const ended = badRequest('This page has expired. Sign in, and look at “Sign-in and Security”.');
    const claims = await readClaims(ticket, keys);
    if (!claims || (await denylist.refusalOf(claims, false)) !== null) throw ended;
    return claims.sub;
  };
}

/** Creates the verifier of a service other than auth, with the keys that auth publishes and the denylist in Redis. */
export function createRemoteResetTicketVerifier(jwksUrl: string, redis: Redis, prefix: string): ResetTicketVerifier {
  return createResetTicketVerifier(remoteKeys(jwksUrl), createTokenDenylist(redis, prefix));
}

async function readClaims(ticket: string, keys: KeySource) {
  try {
    const kid = keyIdOf(ticket);
    const key = await keys(kid).catch((error: unknown) => {
      throw unavailable('This cannot be checked right now. Please try again.', error);
    });
    return key ? { ...TicketClaims.parse(verifyToken(resetTicketProfile, key, ticket)), kid } : null;
  } catch (error) {
    if (error instanceof InvalidToken || error instanceof z.ZodError) return null;
    throw error;
  }
}
