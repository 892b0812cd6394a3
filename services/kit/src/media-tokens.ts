import { jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';

/** Setting that history (which makes the URLs) and recording (which checks them) share. */
export const mediaTokenSettings = { MEDIA_TOKEN_SECRET: z.string().min(32, 'must be at least 32 characters') };

const lifetime = '6h';
const audience = 'media';

/** Makes and checks the short-lived token with which one recording's media may be fetched. */
export interface MediaTokens {
  /** The path, with its token, from which the recording's media plays. */
  urlOf(recordingId: string): Promise<string>;
  /** The recording that a token is for; null for a bad or expired token. */
  recordingOf(token: string): Promise<string | null>;
}

export function createMediaTokens(secret: string): MediaTokens {
  const key = new TextEncoder().encode(secret);
  return {
    async urlOf(recordingId) {
      const token = await new SignJWT()
        .setProtectedHeader({ alg: 'HS256' })
        .setSubject(recordingId)
        .setAudience(audience)
        .setExpirationTime(lifetime)
        .sign(key);
      return `/api/media/${recordingId}?token=${token}`;
    },
    async recordingOf(token) {
      const verified = await jwtVerify(token, key, { algorithms: ['HS256'], audience }).then(
        ({ payload }) => payload.sub ?? null,
        () => null,
      );
      return verified;
    },
  };
}
