import { randomUUID } from 'node:crypto';
import { tokenIdentity } from '@interview-prep/kit/access-tokens';
import { SignJWT } from 'jose';
import type { UserRecord } from '../users/model.ts';
import type { SigningKey } from './signing-key.ts';

/**
 * Signs an access token for a user.
 * @param madeAtMs when the token counts as made (since 1970): before what was checked of the user, so that a change which
 * came in between ends it
 */
export type SignAccessToken = (user: UserRecord, madeAtMs: number) => Promise<string>;

/** The claims are contracts' `TokenClaims`; `iat` has the milliseconds as its fraction. */
export function createAccessTokenSigner(key: SigningKey, lifetimeMs: number): SignAccessToken {
  return (user, madeAtMs) =>
    new SignJWT({ email: user.email, role: user.role, lastLogin: user.lastLogin?.toISOString() ?? null })
      .setProtectedHeader({ alg: tokenIdentity.algorithm, kid: key.kid })
      .setSubject(user._id.toHexString())
      .setJti(randomUUID())
      .setIssuer(tokenIdentity.issuer)
      .setAudience(tokenIdentity.audience)
      .setIssuedAt(madeAtMs / 1000)
      .setExpirationTime(Math.ceil((madeAtMs + lifetimeMs) / 1000))
      .sign(key.privateKey);
}
