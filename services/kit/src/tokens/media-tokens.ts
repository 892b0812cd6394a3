import { createSecretKey } from 'node:crypto';
import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import { z } from 'zod';
import { InvalidToken, signToken, type TokenProfile, verifyToken } from './signed-token.ts';

/** The token in a media URL. */
export const mediaTokenProfile = {
  algorithm: 'HS256',
  type: 'media+jwt',
  issuer: 'interview-prep/media-links',
  audience: 'interview-prep/media',
} as const satisfies TokenProfile;

const lifetimeSeconds = 6 * 3600;

/** When a link to media ends that is made now for a sign-in which lasts until then, both in seconds since 1970. */
export function mediaLinkEnd(signedInUntil: number): number {
  return Math.min(Math.floor(Date.now() / 1000) + lifetimeSeconds, Math.ceil(signedInUntil));
}

/** The sign-in that a link belongs to. A link ends with it. */
export type SignIn = Pick<TokenClaims, 'sub' | 'jti' | 'iat' | 'kid' | 'idle'>;

/** A recording that may be played, and the sign-in that permits it. */
export interface MediaLink {
  recordingId: string;
  signIn: SignIn;
}

/** The sign-in in the claims of a link. */
export const LinkSignIn = z.object({
  sub: z.string(),
  jti: z.string(),
  iat: z.number(),
  kid: z.string().optional(),
  idle: z.number().optional(),
});

/** The claims of a media token; its subject is the recording. */
const LinkClaims = z.object({ sub: z.string(), signIn: LinkSignIn });

/** Signs and verifies the short-lived token with which a player fetches one recording's media. */
export interface MediaTokens {
  /** The path from which the recording's media plays, with its token. @param signIn the claims of who is to play it */
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
        // A release before this one signed links that no sign-in ends.
        return claims.success ? { recordingId: claims.data.sub, signIn: claims.data.signIn } : null;
      } catch (error) {
        if (error instanceof InvalidToken) return null;
        throw error;
      }
    },
  };
}
