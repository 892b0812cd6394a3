import { randomUUID } from 'node:crypto';
import type { TokenClaims } from '@interview-prep/contracts/users';
import { accessTokenProfile } from '@interview-prep/kit/access-tokens';
import { signToken } from '@interview-prep/kit/signed-token';
import type { UserRecord } from '../users/model.ts';
import type { Keyring } from './keyring.ts';

/**
 * Signs an access token for a user. Its claims are contracts' `TokenClaims`.
 * @param issuedAtMs the token's issue time, since 1970: taken before the user was checked, so that a change made in between
 * revokes the token
 * @param signIn the sign-in that the token goes on with: it keeps its id and its end
 * @throws HttpError 503 where no key may sign
 */
export type SignAccessToken = (
  user: UserRecord,
  issuedAtMs: number,
  signIn?: Pick<TokenClaims, 'jti' | 'exp'>,
) => string;

/** Signs tokens that are valid for `lifetimeMs`, with the key that signs at that moment. */
export function createAccessTokenSigner(keyring: Pick<Keyring, 'signing'>, lifetimeMs: number): SignAccessToken {
  return (user, issuedAtMs, signIn) => {
    const claims = {
      sub: user._id.toHexString(),
      email: user.email,
      role: user.role,
      lastLogin: user.lastLogin?.toISOString() ?? null,
      jti: signIn?.jti ?? randomUUID(),
      // With milliseconds as the fraction: the denylist compares to the millisecond.
      iat: issuedAtMs / 1000,
      exp: signIn?.exp ?? Math.ceil((issuedAtMs + lifetimeMs) / 1000),
    };
    const { kid, privateKey } = keyring.signing();
    return signToken(accessTokenProfile, privateKey, claims, kid);
  };
}
