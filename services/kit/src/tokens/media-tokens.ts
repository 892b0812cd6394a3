import { createSecretKey } from 'node:crypto';
import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import { z } from 'zod';
import { InvalidToken, signToken, type TokenProfile, verifyToken } from './signed-token.ts';

/** The profile of the token in a media URL. */
export const mediaTokenProfile = {
  algorithm: 'HS256',
  type: 'media+jwt',
  issuer: 'interview-prep/media-links',
  audience: 'interview-prep/media',
} as const satisfies TokenProfile;

const lifetimeSeconds = 6 * 3600;

/** When a media link created now expires, given the end of its sign-in. Both in seconds since 1970. */
export function mediaLinkEnd(signedInUntil: number): number {
  return Math.min(Math.floor(Date.now() / 1000) + lifetimeSeconds, Math.ceil(signedInUntil));
}

/** The sign-in that a link belongs to, and ends with. */
export type SignIn = Pick<TokenClaims, 'sub' | 'jti' | 'iat' | 'kid' | 'idle'>;

/** A recording that may be played, and the sign-in that authorizes it. */
export interface MediaLink {
  recordingId: string;
  signIn: SignIn;
}

/** The sign-in in a link's claims. */
export const LinkSignIn = z.object({
  sub: z.string(),
  jti: z.string(),
  iat: z.number(),
  kid: z.string().optional(),
  idle: z.number().optional(),
});

/** The claims of a media token; its subject is the recording. */
const LinkClaims = z.object({ sub: z.string(), signIn: LinkSignIn });

/** Signs and verifies short-lived tokens that let a player fetch one recording's media. */
export interface MediaTokens {
  /** The path of the recording's media, with a token. @param signIn the claims of the user who will play it */
  urlOf(recordingId: string, signIn: SignIn & Pick<TokenClaims, 'exp'>): string;
  /** A token's permissions; null for an invalid or expired token. The caller checks that the sign-in has not been revoked. */
  linkOf(token: string): MediaLink | null;
}

export function createMediaTokens(secret: string): MediaTokens {
  const key = createSecretKey(secret, 'utf8');
  return {
    urlOf(recordingId, claims) {
      const iat = Math.floor(Date.now() / 1000);
      const exp = mediaLinkEnd(claims.exp);
      const token = signToken(mediaTokenProfile, key, { sub: recordingId, iat, exp, signIn: LinkSignIn.parse(claims) });
      return `/api/media/${recordingId}?token=${token}`;
    },
    linkOf(token) {
      try {
        const claims = LinkClaims.safeParse(verifyToken(mediaTokenProfile, key, token));
        // Reject links from earlier releases, which do not end with a sign-in.
        return claims.success ? { recordingId: claims.data.sub, signIn: claims.data.signIn } : null;
      } catch (error) {
        if (error instanceof InvalidToken) return null;
        throw error;
      }
    },
  };
}
