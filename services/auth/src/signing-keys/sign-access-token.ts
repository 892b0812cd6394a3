import { randomUUID } from 'node:crypto';
import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import { accessTokenProfile } from '@interview-prep/kit/tokens/access-tokens';
import { signToken } from '@interview-prep/kit/tokens/signed-token';
import type { UserRecord } from '../users/model.ts';
import type { Keyring } from './keyring.ts';

/**
 * Signs an access token for a user. Its claims are contracts' `TokenClaims`.
 * @param issuedAtMs the token's issue time, in ms since 1970: taken before the user was checked, so that a change in between
 * revokes the token
 * @param signIn the sign-in that the token belongs to, or the API key; without it a new one begins
 * @throws HttpError 503 where no key may sign
 */
export type SignAccessToken = (
  user: UserRecord,
  issuedAtMs: number,
  signIn?: Pick<TokenClaims, 'jti' | 'exp' | 'scopes'>,
) => string;

/** Gives a new sign-in its id, its expiry, and how many seconds it may go without use. */
export type NewSignIn = (issuedAtMs: number) => Pick<TokenClaims, 'jti' | 'exp' | 'idle'>;

/** @param idleSeconds 0 for sign-ins that do not end for inactivity */
export function createNewSignIn(lifetimeMs: number, idleSeconds: number): NewSignIn {
  return (issuedAtMs) => ({
    jti: randomUUID(),
    exp: Math.ceil((issuedAtMs + lifetimeMs) / 1000),
    ...(idleSeconds === 0 ? {} : { idle: idleSeconds }),
  });
}

/** Signs access tokens with the current signing key. */
export function createAccessTokenSigner(keyring: Pick<Keyring, 'signing'>, newSignIn: NewSignIn): SignAccessToken {
  return (user, issuedAtMs, signIn) => {
    const { idle, ...fresh } = newSignIn(issuedAtMs);
    const { jti, exp, scopes }: NonNullable<typeof signIn> = signIn ?? fresh;
    const claims = {
      sub: user._id.toHexString(),
      email: user.email,
      role: user.role,
      lastLogin: user.lastLogin?.toISOString() ?? null,
      jti,
      // With milliseconds as the fraction: the denylist compares to the millisecond.
      iat: issuedAtMs / 1000,
      exp,
      ...(scopes ? { scopes } : idle === undefined ? {} : { idle }),
    };
    const { kid, privateKey } = keyring.signing();
    return signToken(accessTokenProfile, privateKey, claims, kid);
  };
}
