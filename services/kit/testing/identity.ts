import { generateKeyPairSync, type JsonWebKey, randomUUID } from 'node:crypto';
import type { Role } from '@interview-prep/contracts/auth/users';
import { Types } from 'mongoose';
import { accessTokenProfile, createTokenVerifier, type TokenVerifier } from '../src/tokens/access-tokens.ts';
import {
  createResetTicketVerifier,
  type ResetTicketVerifier,
  resetTicketProfile,
} from '../src/tokens/reset-tickets.ts';
import { signToken } from '../src/tokens/signed-token.ts';
import type { TokenDenylist } from '../src/tokens/token-denylist.ts';

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
  jwks: { keys: JsonWebKey[] };
  verifyResetTicket: ResetTicketVerifier;
  /** The ticket of a password reset of a user; `expiresInSeconds` may be negative. */
  resetTicket(userId: string, expiresInSeconds?: number): string;
}

export async function createTestIdentity(denylist: TokenDenylist): Promise<TestIdentity> {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const kid = randomUUID();
  await denylist.restore([]);
  return {
    verify: createTokenVerifier(async () => publicKey, denylist),
    verifyResetTicket: createResetTicketVerifier(async () => publicKey, denylist),
    resetTicket(userId, expiresInSeconds = 600) {
      const iat = Date.now() / 1000;
      const claims = { sub: userId, jti: randomUUID(), iat, exp: Math.ceil(iat + expiresInSeconds) };
      return signToken(resetTicketProfile, privateKey, claims, kid);
    },
    jwks: { keys: [{ ...publicKey.export({ format: 'jwk' }), kid, alg: accessTokenProfile.algorithm, use: 'sig' }] },
    async user(role, options = {}) {
      const id = options.id ?? new Types.ObjectId().toHexString();
      const email = options.email ?? `${role}-${id}@example.com`;
      const iat = Date.now() / 1000;
      const exp = Math.ceil(iat + (options.expiresInSeconds ?? 600));
      const claims = { email, role, lastLogin: null, sub: id, jti: randomUUID(), iat, exp };
      const token = signToken(accessTokenProfile, privateKey, claims, kid);
      return { id, email, role, token, authorization: `Bearer ${token}` };
    },
  };
}
