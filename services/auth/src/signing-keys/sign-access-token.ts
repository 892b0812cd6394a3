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
 * @param signIn the sign-in or API key that the token belongs to; if omitted, a new sign-in begins
 * @throws HttpError 503 if no key may sign
 */
export type SignAccessToken = (
  user: UserRecord,
  issuedAtMs: number,
  signIn?: Pick<TokenClaims, 'jti' | 'exp' | 'scopes'>,
) => string;

/** Creates a new sign-in's id, expiry and idle timeout in seconds. */
export type NewSignIn = (issuedAtMs: number) => Pick<TokenClaims, 'jti' | 'exp' | 'idle'>;

/** @param idleSeconds 0 for no idle timeout */
export function createNewSignIn(lifetimeMs: number, idleSeconds: number): NewSignIn {
  return (issuedAtMs) => ({
    jti: randomUUID(),
    exp: Math.ceil((issuedAtMs + lifetimeMs) / 1000),
    ...(idleSeconds === 0 ? {} : { idle: idleSeconds }),
  });
}

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
      // Keep milliseconds as a fraction: the denylist compares them.
      iat: issuedAtMs / 1000,
      exp,
      ...(scopes ? { scopes } : idle === undefined ? {} : { idle }),
    };
    const { kid, privateKey } = keyring.signing();
    return signToken(accessTokenProfile, privateKey, claims, kid);
  };
}
