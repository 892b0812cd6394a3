import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { TokenClaims } from '@interview-prep/contracts/users';
import type { Redis } from 'ioredis';
import { unavailable } from './http-error.ts';
import { refusesCommands } from './outages.ts';

/** How long a request waits for Redis, or for auth to restore a denylist that Redis has lost. */
const waitMs = 3000;
const pollMs = 100;

/** How long a restore may take before it counts as abandoned. */
const restoreTimeoutMs = 60_000;

const notRevocable = 'Signing out everywhere is not possible right now, so nothing was changed. Please try again.';

/** Sets a user's entry unless it holds a later time. KEYS: entry; ARGV: time, lifetime in ms. */
const setIfLater = `
local current = redis.call('GET', KEYS[1])
if not current or tonumber(current) < tonumber(ARGV[1]) then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end`;

/** Sets "complete" if Redis still holds the id of this restore. KEYS: restore, complete; ARGV: the restore's id. */
const completeIfRestoring = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[2], 1)
redis.call('DEL', KEYS[1])
return 1`;

/**
 * Revokes a user's tokens issued before a time (ms since 1970), one token, or all tokens that a key signed. Redis drops it
 * after `lifetimeMs`.
 */
export type DenylistEntry =
  | { userId: string; validAfterMs: number; lifetimeMs: number }
  | { jti: string; lifetimeMs: number }
  | { kid: string; lifetimeMs: number };

/**
 * Tokens revoked before they expire, in Redis: per user the time before which tokens are revoked, single tokens by id, and
 * signing keys whose tokens are all revoked.
 * auth writes it and restores it from MongoDB after Redis was emptied; every service reads it.
 */
export interface TokenDenylist {
  /** @throws HttpError 503 where the denylist can't be read, or is not complete, for 3 s */
  isRevoked(claims: Pick<TokenClaims, 'sub' | 'jti' | 'iat' | 'kid'>): Promise<boolean>;
  /** Revokes a user's tokens issued before `validAfterMs`. @param lifetimeMs the longest life of a token */
  revokeUserTokens(userId: string, validAfterMs: number, lifetimeMs: number): Promise<void>;
  /** Revokes one token. @param lifetimeMs until it expires */
  revokeToken(jti: string, lifetimeMs: number): Promise<void>;
  /** Revokes every token that a key signed, whatever it claims. @param lifetimeMs the longest life of a token */
  revokeKey(kid: string, lifetimeMs: number): Promise<void>;
  /**
   * Call it before a change that revokes tokens. It passes while Redis is down, since then nobody's token is accepted.
   * @throws HttpError 503 where Redis can be read but not written: what is revoked would still be accepted
   */
  requireWritable(): Promise<void>;
  /** Whether Redis holds every entry: false after it was emptied. */
  isComplete(): Promise<boolean>;
  /**
   * Writes all entries and marks the denylist complete. A later time that a user's entry already holds is kept.
   * @returns false where Redis was emptied meanwhile or another process began to restore: the denylist is not complete then
   */
  restore(entries: readonly DenylistEntry[]): Promise<boolean>;
  /** Marks a denylist without entries complete. */
  markComplete(): Promise<void>;
}

/** The denylist that all services share in one Redis; `prefix` begins its keys. */
export function createTokenDenylist(redis: Redis, prefix: string): TokenDenylist {
  const userKey = (userId: string) => `${prefix}:denylist:user:${userId}`;
  const tokenKey = (jti: string) => `${prefix}:denylist:token:${jti}`;
  const signingKeyKey = (kid: string) => `${prefix}:denylist:key:${kid}`;
  const completeKey = `${prefix}:denylist:complete`;
  const restoringKey = `${prefix}:denylist:restoring`;
  const writableKey = `${prefix}:denylist:writable`;

  /** Redis takes whole milliseconds, at least one. */
  const expiry = (lifetimeMs: number) => Math.max(1, Math.ceil(lifetimeMs));
  const revokeUserTokens = async (userId: string, validAfterMs: number, lifetimeMs: number) => {
    await redis.eval(setIfLater, 1, userKey(userId), validAfterMs, expiry(lifetimeMs));
  };
  const revokeToken = async (jti: string, lifetimeMs: number) => {
    await redis.set(tokenKey(jti), 1, 'PX', expiry(lifetimeMs));
  };
  const revokeKey = async (kid: string, lifetimeMs: number) => {
    await redis.set(signingKeyKey(kid), 1, 'PX', expiry(lifetimeMs));
  };
  const write = (entry: DenylistEntry) => {
    if ('userId' in entry) return revokeUserTokens(entry.userId, entry.validAfterMs, entry.lifetimeMs);
    return 'jti' in entry ? revokeToken(entry.jti, entry.lifetimeMs) : revokeKey(entry.kid, entry.lifetimeMs);
  };

  return {
    async isRevoked({ sub, jti, iat, kid }) {
      const deadline = Date.now() + waitMs;
      const entries = [userKey(sub), tokenKey(jti), ...(kid === undefined ? [] : [signingKeyKey(kid)])];
      for (;;) {
        const [read] = await Promise.allSettled([redis.mget(completeKey, ...entries)]);
        if (read.status === 'fulfilled' && read.value[0] !== null) {
          const [, validAfterMs, ...revoked] = read.value;
          const isOlder = typeof validAfterMs === 'string' && Math.round(iat * 1000) < Number(validAfterMs);
          return isOlder || revoked.some((entry) => entry !== null);
        }
        if (Date.now() > deadline) {
          const cause = read.status === 'rejected' ? read.reason : undefined;
          throw unavailable('Sign-in can not be checked right now. Please try again.', cause, 'redis');
        }
        await pause(pollMs);
      }
    },
    revokeUserTokens,
    revokeToken,
    revokeKey,
    async requireWritable() {
      try {
        await redis.set(writableKey, 1, 'PX', 1);
      } catch (error) {
        if (refusesCommands(error)) throw unavailable(notRevocable, error, 'redis');
      }
    },
    isComplete: async () => (await redis.exists(completeKey)) === 1,
    async restore(entries) {
      const id = randomUUID();
      await redis.set(restoringKey, id, 'PX', restoreTimeoutMs);
      await Promise.all(entries.map(write));
      return (await redis.eval(completeIfRestoring, 2, restoringKey, completeKey, id)) === 1;
    },
    markComplete: async () => {
      await redis.set(completeKey, 1);
    },
  };
}
