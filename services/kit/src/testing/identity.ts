import { randomUUID } from 'node:crypto';
import type { Role } from '@interview-prep/contracts/users';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { Types } from 'mongoose';
import { createTokenVerifier, type TokenVerifier, tokenIdentity } from '../access-tokens.ts';
import type { TokenDenylist } from '../token-denylist.ts';

/** A user of a test, with the header that signs requests. */
export interface TestUser {
  id: string;
  email: string;
  role: Role;
  token: string;
  authorization: string;
}

/** Signs tokens as auth does, with a key of its own, for tests of the services that only verify. */
export interface TestIdentity {
  verify: TokenVerifier;
  /** A signed-in user; `expiresInSeconds` may be negative for an expired token. */
  user(role: Role, options?: { id?: string; email?: string; expiresInSeconds?: number }): Promise<TestUser>;
  jwks: { keys: unknown[] };
}

export async function createTestIdentity(denylist: TokenDenylist): Promise<TestIdentity> {
  const { privateKey, publicKey } = await generateKeyPair(tokenIdentity.algorithm);
  const kid = randomUUID();
  await denylist.markComplete();
  return {
    verify: createTokenVerifier(async () => publicKey, denylist),
    jwks: { keys: [{ ...(await exportJWK(publicKey)), kid, alg: tokenIdentity.algorithm, use: 'sig' }] },
    async user(role, options = {}) {
      const id = options.id ?? new Types.ObjectId().toHexString();
      const email = options.email ?? `${role}-${id}@example.com`;
      const now = Date.now() / 1000;
      const token = await new SignJWT({ email, role, lastLogin: null })
        .setProtectedHeader({ alg: tokenIdentity.algorithm, kid })
        .setSubject(id)
        .setJti(randomUUID())
        .setIssuer(tokenIdentity.issuer)
        .setAudience(tokenIdentity.audience)
        .setIssuedAt(now)
        .setExpirationTime(Math.ceil(now + (options.expiresInSeconds ?? 600)))
        .sign(privateKey);
      return { id, email, role, token, authorization: `Bearer ${token}` };
    },
  };
}
