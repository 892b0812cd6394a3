import type { KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';

/**
 * One kind of token. Algorithm, type, issuer and audience are pinned, so that a token signed for one purpose is refused for
 * every other. Source: RFC 8725, sections 3.1, 3.8, 3.9, 3.11.
 */
export interface TokenProfile {
  algorithm: 'ES256' | 'HS256';
  /** The header's `typ`. */
  type: string;
  issuer: string;
  audience: string;
}

/** Claims that the caller sets; the profile adds issuer and audience. Times are in seconds since 1970. */
export interface SignedClaims {
  sub: string;
  iat: number;
  exp: number;
  jti?: string;
  [claim: string]: unknown;
}

/** A token is malformed, of another kind, or not signed by this key. */
export class InvalidToken extends Error {
  override name = 'InvalidToken';
}

/** A token was valid until it expired. */
export class ExpiredToken extends InvalidToken {
  override name = 'ExpiredToken';
}

/** Signs a token. A fractional `iat` is kept. */
export function signToken(profile: TokenProfile, key: KeyObject, claims: SignedClaims, kid?: string): string {
  const { algorithm, type, issuer, audience } = profile;
  const header = { alg: algorithm, typ: type, ...(kid === undefined ? {} : { kid }) };
  return jwt.sign(claims, key, { algorithm, issuer, audience, header });
}

/** The `kid` of a token's header, before anything is verified. @throws InvalidToken */
export function keyIdOf(token: string): string | undefined {
  const { kid } = decodeHeader(token);
  if (kid !== undefined && typeof kid !== 'string') throw new InvalidToken('the key id is not text');
  return kid;
}

/**
 * Verifies a token's signature, algorithm, type, issuer, audience and expiry.
 * @returns its claims, which the caller still has to parse
 * @throws ExpiredToken, InvalidToken
 */
export function verifyToken(profile: TokenProfile, key: KeyObject, token: string): jwt.JwtPayload {
  const { algorithm, type, issuer, audience } = profile;
  const header = decodeHeader(token);
  // jsonwebtoken checks neither `typ` nor `crit`.
  if (header.typ !== type) throw new InvalidToken('the token is of another type');
  if ('crit' in header) throw new InvalidToken('the token asks for an extension');
  const claims = verified(() => jwt.verify(token, key, { algorithms: [algorithm], issuer, audience }));
  if (typeof claims === 'string' || claims.exp === undefined) throw new InvalidToken('the token never expires');
  return claims;
}

function decodeHeader(token: string): Record<string, unknown> {
  const decoded = verified(() => jwt.decode(token, { complete: true }));
  if (!decoded) throw new InvalidToken('this is not a token');
  return decoded.header as unknown as Record<string, unknown>;
}

/** Treats any error of the library as a bad token: even a signature of the wrong length causes a TypeError. */
function verified<Result>(check: () => Result): Result {
  try {
    return check();
  } catch (error) {
    if (error instanceof jwt.TokenExpiredError) throw new ExpiredToken('the token has expired', { cause: error });
    throw new InvalidToken('the token is not valid', { cause: error });
  }
}
