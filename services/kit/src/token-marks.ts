import type { TokenClaims } from '@interview-prep/contracts/users';
import type { Redis } from 'ioredis';
import { unavailable } from './http-error.ts';

/** How long a request waits for Redis, or for auth to restore marks that Redis has lost. */
const patienceMs = 3000;
const pauseMs = 100;

/**
 * Marks in Redis that end tokens before they expire: per user a time before which tokens are dead, per token its end.
 * auth writes them (its database holds the truth and restores them after Redis was emptied); everyone reads them.
 */
export interface TokenMarks {
  /** Whether the token is dead. @throws HttpError 503 where the marks can't be read in time */
  ended(claims: Pick<TokenClaims, 'sub' | 'jti' | 'iat'>): Promise<boolean>;
  /** Ends all of a user's tokens made before `validAfterMs` (since 1970); the mark lasts `lifetimeMs`, the longest life of a token. */
  endUserTokens(userId: string, validAfterMs: number, lifetimeMs: number): Promise<void>;
  /** Ends one token; the mark lasts as long as the token would have. */
  endToken(jti: string, lifetimeMs: number): Promise<void>;
  /** Whether Redis holds all marks: false after it was emptied. */
  complete(): Promise<boolean>;
  /** Says that all marks have been restored. */
  setComplete(): Promise<void>;
}

export function createTokenMarks(redis: Redis, prefix: string): TokenMarks {
  const userKey = (userId: string) => `${prefix}:marks:user:${userId}`;
  const tokenKey = (jti: string) => `${prefix}:marks:token:${jti}`;
  const completeKey = `${prefix}:marks:complete`;

  return {
    async ended({ sub, jti, iat }) {
      const deadline = Date.now() + patienceMs;
      for (;;) {
        const [read] = await Promise.allSettled([redis.mget(completeKey, userKey(sub), tokenKey(jti))]);
        if (read.status === 'fulfilled' && read.value[0] !== null) {
          const [, validAfterMs, endedToken] = read.value;
          return endedToken !== null || (validAfterMs !== null && Math.round(iat * 1000) < Number(validAfterMs));
        }
        if (Date.now() > deadline) {
          const cause = read.status === 'rejected' ? read.reason : undefined;
          throw unavailable('Sign-in can not be checked right now. Please try again.', cause);
        }
        await new Promise((resolve) => setTimeout(resolve, pauseMs));
      }
    },
    async endUserTokens(userId, validAfterMs, lifetimeMs) {
      await redis.set(userKey(userId), validAfterMs, 'PX', Math.ceil(lifetimeMs));
    },
    async endToken(jti, lifetimeMs) {
      await redis.set(tokenKey(jti), 1, 'PX', Math.max(1, Math.ceil(lifetimeMs)));
    },
    complete: async () => (await redis.exists(completeKey)) === 1,
    setComplete: async () => {
      await redis.set(completeKey, 1);
    },
  };
}
