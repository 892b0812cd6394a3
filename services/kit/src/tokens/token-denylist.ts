import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import type { Redis } from 'ioredis';
import { unavailable } from '../http/http-error.ts';
import { refusesCommands } from '../process/outages.ts';

/** How long a request waits for Redis, or for auth to restore a denylist lost by Redis. */
const usualWaitMs = { down: 3000, emptied: 7000 };
const pollMs = 100;

/** How long a restore may take before it counts as abandoned. */
const restoreTimeoutMs = 60_000;

const notRevocable = 'Signing out everywhere is not possible right now, so nothing was changed. Please try again.';

/** The entry of a sign-in whose tokens are all revoked, whenever they were issued. */
const revokedForGood = '1';

/** How long a replaced token is still accepted: calls in progress, also in other tabs, still carry it. */
const replacedGraceMs = 10_000;

/** How often a sign-in's last use is written: precise enough, since the idle timeout is at least five minutes. */
const useEveryMs = 30_000;

/** Sets a time unless the key holds a later one, or a permanent revocation. KEYS: entry; ARGV: value (time first), lifetime in ms. */
const setIfLater = `
local current = redis.call('GET', KEYS[1])
local function time(value) return tonumber(string.match(value, '^%d+')) end
if not current or (current ~= '1' and time(current) < time(ARGV[1])) then
  redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
end`;

/** Marks the denylist complete if Redis still holds this restore's id. KEYS: restore, complete; ARGV: the restore's id, the server's run. */
const completeIfRestoring = `
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[2], ARGV[2])
redis.call('DEL', KEYS[1])
return 1`;

/** The value with which release 0.2 marks a complete denylist. */
const completeOfOlderRelease = '1';

/** A user's tokens issued before a time (ms since 1970), except those of one sign-in, if named. */
interface RevokedUser {
  userId: string;
  validAfterMs: number;
  /** The `jti` of the one sign-in that stays valid. */
  keptSignIn?: string | null | undefined;
}

/** One sign-in's tokens: all of them, or those issued before a time (ms since 1970), which stay valid for ten more seconds. */
interface RevokedSignIn {
  jti: string;
  validAfterMs?: number | undefined;
}

/** A signing key, all of whose tokens are revoked. */
interface RevokedKey {
  kid: string;
}

/** When a sign-in was last used, in ms since 1970. */
interface SignInUse {
  jti: string;
  usedAtMs: number;
}

/** An entry in Redis, which drops it after `lifetimeMs`. */
export type DenylistEntry = (RevokedUser | RevokedSignIn | RevokedKey | SignInUse) & { lifetimeMs: number };

/** The sign-in of a token or of a link. */
type CheckedSignIn = Pick<TokenClaims, 'sub' | 'jti' | 'iat' | 'kid' | 'idle'>;

/**
 * Tokens that are refused before they expire, in Redis: revoked ones, and those of sign-ins that were idle for too long. auth
 * writes revocations, and restores everything from MongoDB after Redis has lost it; every service reads the denylist, and
 * records uses.
 */
export interface TokenDenylist {
  /**
   * Why a token is refused; null if it is accepted. An accepted token counts as a use of its sign-in unless `isUse` is
   * false.
   * @throws HttpError 503 if the denylist can't be read, or is incomplete, for 3 s
   */
  refusalOf(claims: CheckedSignIn & Pick<TokenClaims, 'exp'>, isUse?: boolean): Promise<'revoked' | 'unused' | null>;
  /** Whether the sign-in that a media link belongs to has ended. Replacing its token ends no links. @throws as `refusalOf` */
  hasEnded(signIn: CheckedSignIn): Promise<boolean>;
  /** Revokes a user's tokens. @param lifetimeMs the maximum lifetime of a token */
  revokeUserTokens(user: RevokedUser, lifetimeMs: number): Promise<void>;
  /** Revokes a sign-in's tokens. @param lifetimeMs until it expires */
  revokeSignIn(signIn: RevokedSignIn, lifetimeMs: number): Promise<void>;
  /** Revokes every token signed by a key, whatever its claims. @param lifetimeMs the maximum lifetime of a token */
  revokeKey(kid: string, lifetimeMs: number): Promise<void>;
  /** When these sign-ins were last used, in ms since 1970; null if Redis doesn't know. */
  lastUses(ids: readonly string[]): Promise<(number | null)[]>;
  /**
   * Call it before a change that revokes tokens. It doesn't throw while Redis is down, since then no token is accepted.
   * @throws HttpError 503 if Redis is read-only: revoked tokens would still be accepted
   */
  requireWritable(): Promise<void>;
  /** Whether Redis holds every entry: false after a flush, a restart or a failover. */
  isComplete(): Promise<boolean>;
  /**
   * Writes all entries and marks the denylist complete. Later times in existing entries are kept.
   * @returns false if Redis was flushed or another process started a restore in the meantime: the denylist is then incomplete
   */
  restore(entries: readonly DenylistEntry[]): Promise<boolean>;
}

/** The denylist that all services share in one Redis; `prefix` is the prefix of its keys. `waitMs` is shorter only in tests. */
export function createTokenDenylist(redis: Redis, prefix: string, waitMs = usualWaitMs): TokenDenylist {
  const userKey = (userId: string) => `${prefix}:denylist:user:${userId}`;
  const tokenKey = (jti: string) => `${prefix}:denylist:token:${jti}`;
  const signingKeyKey = (kid: string) => `${prefix}:denylist:key:${kid}`;
  const useKey = (jti: string) => `${prefix}:sign-in-uses:${jti}`;
  const completeKey = `${prefix}:denylist:complete`;
  const restoringKey = `${prefix}:denylist:restoring`;
  const writableKey = `${prefix}:denylist:writable`;

  /** The latest outage of Redis, from its first failure to its last: uses may have been lost in between. */
  let failure = { sinceMs: 0, atMs: 0 };
  const noteFailure = () => {
    const now = Date.now();
    failure = { sinceMs: now - failure.atMs > useEveryMs ? now : failure.sinceMs, atMs: now };
  };

  /**
   * The id of the Redis server's current run. After a failover or restart, Redis may lack the latest entries but still have the
   * key that marks the denylist as complete. So that key holds the run for which it is valid.
   */
  let run: Promise<string> | undefined;
  redis.on('close', () => {
    run = undefined;
  });
  const findRun = (): Promise<string> => {
    if (run) return run;
    const asked = redis.info('server').then((text) => /^run_id:(\w+)/m.exec(text)?.[1] ?? 'unnamed');
    asked.catch(() => {
      if (run === asked) run = undefined;
    });
    run = asked;
    return asked;
  };
  const isCompleteIn = (ofRun: string, value: string | null) => value === ofRun || value === completeOfOlderRelease;

  /** Redis accepts only whole milliseconds, at least one. */
  const expiry = (lifetimeMs: number) => Math.max(1, Math.ceil(lifetimeMs));
  const setLater = async (key: string, value: string | number, lifetimeMs: number) => {
    await redis.eval(setIfLater, 1, key, value, expiry(lifetimeMs));
  };
  const revokeUserTokens: TokenDenylist['revokeUserTokens'] = ({ userId, validAfterMs, keptSignIn }, lifetimeMs) =>
    setLater(userKey(userId), keptSignIn ? `${validAfterMs} ${keptSignIn}` : validAfterMs, lifetimeMs);
  const revokeSignIn: TokenDenylist['revokeSignIn'] = async ({ jti, validAfterMs }, lifetimeMs) => {
    if (validAfterMs !== undefined) await setLater(tokenKey(jti), validAfterMs, lifetimeMs);
    else await redis.set(tokenKey(jti), revokedForGood, 'PX', expiry(lifetimeMs));
  };
  const revokeKey = async (kid: string, lifetimeMs: number) => {
    await redis.set(signingKeyKey(kid), 1, 'PX', expiry(lifetimeMs));
  };
  const write = (entry: DenylistEntry): Promise<void> => {
    if ('userId' in entry) return revokeUserTokens(entry, entry.lifetimeMs);
    if ('usedAtMs' in entry) return setLater(useKey(entry.jti), entry.usedAtMs, entry.lifetimeMs);
    return 'jti' in entry ? revokeSignIn(entry, entry.lifetimeMs) : revokeKey(entry.kid, entry.lifetimeMs);
  };

  /** Reads the entries of a sign-in, once the denylist is complete. */
  const read = async ({ sub, jti, kid }: CheckedSignIn) => {
    const startedAt = Date.now();
    for (;;) {
      const keys = [completeKey, userKey(sub), tokenKey(jti), useKey(jti)];
      if (kid !== undefined) keys.push(signingKeyKey(kid));
      const [answer] = await Promise.allSettled([Promise.all([redis.mget(keys), findRun()])]);
      if (answer.status === 'rejected') noteFailure();
      else {
        const [[complete = null, ofUser = null, ofToken = null, usedAt = null, ofKey = null], ofRun] = answer.value;
        if (isCompleteIn(ofRun, complete))
          return { ofUser, ofToken, ofKey, usedAtMs: usedAt === null ? 0 : Number(usedAt) };
      }
      if (Date.now() - startedAt > waitMs[answer.status === 'rejected' ? 'down' : 'emptied']) {
        const cause = answer.status === 'rejected' ? answer.reason : undefined;
        throw unavailable('Sign-in cannot be checked right now. Please try again.', cause, 'redis');
      }
      await pause(pollMs);
    }
  };
  type Entries = Awaited<ReturnType<typeof read>>;

  const isRevoked = ({ jti, iat }: CheckedSignIn, { ofUser, ofToken, ofKey }: Entries) => {
    if (ofToken === revokedForGood || ofKey !== null) return true;
    const [validAfterMs, keptSignIn] = ofUser?.split(' ') ?? [];
    return validAfterMs !== undefined && Math.round(iat * 1000) < Number(validAfterMs) && jti !== keptSignIn;
  };
  const isReplaced = ({ iat }: CheckedSignIn, { ofToken }: Entries) =>
    ofToken !== null && Math.round(iat * 1000) < Number(ofToken) && Date.now() > Number(ofToken) + replacedGraceMs;
  /** Doesn't count time in which Redis could not record uses. A sign-in that was idle for too long before stays ended. */
  const isUnused = ({ iat, idle }: CheckedSignIn, { usedAtMs }: Entries) => {
    if (idle === undefined) return false;
    const lastUseMs = Math.max(usedAtMs, iat * 1000);
    const idleMs = idle * 1000;
    if (failure.sinceMs - lastUseMs > idleMs) return true;
    return Date.now() - Math.max(lastUseMs, failure.atMs) > idleMs;
  };

  return {
    async refusalOf(claims, isUse = true) {
      const entries = await read(claims);
      if (isReplaced(claims, entries) || isRevoked(claims, entries)) return 'revoked';
      if (isUnused(claims, entries)) return 'unused';
      const now = Date.now();
      if (isUse && now - entries.usedAtMs > useEveryMs) {
        redis.set(useKey(claims.jti), now, 'PX', expiry(claims.exp * 1000 - now)).catch(noteFailure);
      }
      return null;
    },
    async hasEnded(signIn) {
      const entries = await read(signIn);
      return isRevoked(signIn, entries) || isUnused(signIn, entries);
    },
    revokeUserTokens,
    revokeSignIn,
    revokeKey,
    async lastUses(ids) {
      if (ids.length === 0) return [];
      return (await redis.mget(ids.map(useKey))).map((usedAt) => (usedAt === null ? null : Number(usedAt)));
    },
    async requireWritable() {
      try {
        await redis.set(writableKey, 1, 'PX', 1);
      } catch (error) {
        if (refusesCommands(error)) throw unavailable(notRevocable, error, 'redis');
      }
    },
    isComplete: async () => isCompleteIn(await findRun(), await redis.get(completeKey)),
    async restore(entries) {
      const id = randomUUID();
      const ofRun = await findRun();
      await redis.set(restoringKey, id, 'PX', restoreTimeoutMs);
      await Promise.all(entries.map(write));
      return (await redis.eval(completeIfRestoring, 2, restoringKey, completeKey, id, ofRun)) === 1;
    },
  };
}
