import { createSecretKey } from 'node:crypto';
import { z } from 'zod';
import { InvalidToken, signToken, type TokenProfile, verifyToken } from './signed-token.ts';

/** The secret that history (which signs media URLs) and recording (which verifies them) share. */
export const mediaTokenSettings = { MEDIA_TOKEN_SECRET: z.string().min(32, 'must be at least 32 characters') };

/** The token in a media URL. */
export const mediaTokenProfile = {
  algorithm: 'HS256',
  type: 'media+jwt',
  issuer: 'interview-prep/media-links',
  audience: 'interview-prep/media',
} as const satisfies TokenProfile;

const lifetimeSeconds = 6 * 3600;

/** Signs and verifies the short-lived token with which a player fetches one recording's media. */
export interface MediaTokens {
  /** The path from which the recording's media plays, with its token. */
  urlOf(recordingId: string): string;
  /** The id of the recording that a token is for; null for an invalid or expired token. */
  recordingOf(token: string): string | null;
}

export function createMediaTokens(secret: string): MediaTokens {
  const key = createSecretKey(secret, 'utf8');
  return {
    urlOf(recordingId) {
      const iat = Math.floor(Date.now() / 1000);
      const token = signToken(mediaTokenProfile, key, { sub: recordingId, iat, exp: iat + lifetimeSeconds });
      return `/api/media/${recordingId}?token=${token}`;
    },
    recordingOf(token) {
      try {
        return verifyToken(mediaTokenProfile, key, token).sub ?? null;
      } catch (error) {
        if (error instanceof InvalidToken) return null;
        throw error;
      }
    },
  };
}
