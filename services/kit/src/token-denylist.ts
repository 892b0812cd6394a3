import { randomUUID } from 'node:crypto';
import type { TokenClaims } from '@interview-prep/contracts/users';
import type { Redis } from 'ioredis';
import { unavailable } from './http-error.ts';

/** How long a request waits for Redis, or for auth to restore marks that Redis has lost. */
const patienceMs = 3000;
const pauseMs = 100;

/** How long a restoration may take before it counts as given up. */
const restoringMs = 60_000;

/** Sets a user's mark unless a later one stands: KEYS mark; ARGV time, lifetime. */
const setIfLater = `
local stands = redis.call('GET', KEYS[1])
if not stands or tonumber(stands) < tonumber(ARGV[1]) then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end`;

/** Says that all marks are there, if Redis still has what the restoration began with: KEYS begun, complete; ARGV its id. */
const setCompleteIfBegun = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[2], 1)
redis.call('DEL', KEYS[1])
return 1`;

/** One mark: it ends a user's tokens made before a time (since 1970), or one token. It lasts `lifetimeMs`. */
export type DenylistEntry =
  | { userId: string; validAfterMs: number; lifetimeMs: number }
  | { jti: string; lifetimeMs: number };

/**
 * Marks in Redis that end tokens before they expire: per user a time before which tokens are dead, per token its end.
 * auth writes them (its database holds the truth and restores them after Redis was emptied); everyone reads them.
 */
export interface TokenDenylist {
  /** Whether the token is dead. @throws HttpError 503 where the marks can't be read in time */
  isRevoked(claims: Pick<TokenClaims, 'sub' | 'jti' | 'iat'>): Promise<boolean>;
  /** Ends all of a user's tokens made before `validAfterMs` (since 1970); the mark lasts `lifetimeMs`, the longest life of a token. */
  revokeUserTokens(userId: string, validAfterMs: number, lifetimeMs: number): Promise<void>;
  /** Ends one token; the mark lasts as long as the token would have. */
  revokeToken(jti: string, lifetimeMs: number): Promise<void>;
  /** Whether Redis holds all marks: false after it was emptied. */
  isComplete(): Promise<boolean>;
  /**
   * Puts all marks back and says that they are complete; a later mark of a user that stands already is kept.
   * False where Redis was emptied meanwhile, or someone else began to restore: then nothing is said.
   */
  restore(denylist: readonly DenylistEntry[]): Promise<boolean>;
  /** Says that all marks are there; for a beginning without any. */
  markComplete(): Promise<void>;
}

export function createTokenDenylist(redis: Redis, prefix: string): TokenDenylist {
  const userKey = (userId: string) => `${prefix}:denylist:user:${userId}`;
  const tokenKey = (jti: string) => `${prefix}:denylist:token:${jti}`;
  const completeKey = `${prefix}:denylist:complete`;
  const restoringKey = `${prefix}:denylist:restoring`;

  const lasting = (lifetimeMs: number) => Math.max(1, Math.ceil(lifetimeMs));
  const revokeUserTokens = async (userId: string, validAfterMs: number, lifetimeMs: number) => {
    await redis.eval(setIfLater, 1, userKey(userId), validAfterMs, lasting(lifetimeMs));
  };
  const revokeToken = async (jti: string, lifetimeMs: number) => {
    await redis.set(tokenKey(jti), 1, 'PX', lasting(lifetimeMs));
  };

  return {
    async isRevoked({ sub, jti, iat }) {
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
    revokeUserTokens,
    revokeToken,
    isComplete: async () => (await redis.exists(completeKey)) === 1,
    async restore(denylist) {
      const id = randomUUID();
      await redis.set(restoringKey, id, 'PX', restoringMs);
      await Promise.all(
        denylist.map((mark) =>
          'userId' in mark
            ? revokeUserTokens(mark.userId, mark.validAfterMs, mark.lifetimeMs)
            : revokeToken(mark.jti, mark.lifetimeMs),
        ),
      );
      return (await redis.eval(setCompleteIfBegun, 2, restoringKey, completeKey, id)) === 1;
    },
    markComplete: async () => {
      await redis.set(completeKey, 1);
    },
  };
}
