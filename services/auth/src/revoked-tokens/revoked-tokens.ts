import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import { unauthorized, unavailable } from '@interview-prep/kit/http/http-error';
import { upsertById } from '@interview-prep/kit/mongo/mongo';
import type { Logger } from '@interview-prep/kit/process/logger';
import { repeat } from '@interview-prep/kit/process/repeat';
import { maxTokenLifetimeMs } from '@interview-prep/kit/setting-types';
import type { DenylistEntry, TokenDenylist } from '@interview-prep/kit/tokens/token-denylist';
import type { Redis } from 'ioredis';
import { trusted } from 'mongoose';
import type { SignInModel } from '../sign-ins/model.ts';
import type { RevokedToken, RevokedTokenModel } from '../store/revoked-token-model.ts';
import type { UserModel, UserRecord } from '../users/model.ts';

/** How soon a lost denylist is restored, and failures are retried. Until then, every service refuses requests. */
const sweepMs = 500;
/** How often the denylist is checked if nothing was lost or has failed. */
const usualCheckEveryMs = 5000;
/** How often the sweep looks for entries that another process left pending. */
const usualPendingEveryMs = 15_000;
/** How soon after a revocation started the sweep checks for a pending entry: a write can fail and yet be stored. */
const pendingAfterMs = 2000;

/**
 * Part of an update that revokes all of a user's tokens issued until now. `nextTokenMs`, one millisecond ahead, is the earliest
 * issue time of a valid token, so that a token issued in this very millisecond is revoked.
 * @param keptSignIn the `jti` of the one sign-in that stays valid
 */
export function revokeTokensNow(keptSignIn: string | null = null) {
  const nextTokenMs = Date.now() + 1;
  return { nextTokenMs, fields: { tokensValidAfter: new Date(nextTokenMs), keptSignIn, denylistPending: true } };
}

type RevokedUser = Pick<UserRecord, '_id' | 'tokensValidAfter' | 'keptSignIn'>;

/** Revokes tokens. MongoDB keeps revocations; a sweep copies them to the denylist in Redis, and restores it when it is lost. */
export interface RevokedTokens {
  /** Call it before a write that sets `tokensValidAfter`. @throws HttpError 503 if the tokens would still be accepted */
  requireRevocable(): Promise<void>;
  /** Copies a user's `tokensValidAfter` to the denylist; while Redis is down the sweep does it later. Call it after the write. */
  revokeUserTokens(user: RevokedUser): Promise<void>;
  /** Ends a sign-in. @throws HttpError 503 if its tokens are still accepted. The sweep revokes them once it can write to Redis. */
  revokeSignIn(signIn: Pick<TokenClaims, 'jti' | 'exp'>): Promise<void>;
  /** Revokes a sign-in's earlier tokens, which a new one replaces. @throws HttpError 401 if the sign-in has ended in the meantime */
  replaceTokens(signIn: Pick<TokenClaims, 'jti' | 'exp'>, validAfterMs: number): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the sweep. Until its first run has restored the denylist, every service refuses requests. */
export function syncRevokedTokens(deps: {
  users: UserModel;
  revokedTokens: RevokedTokenModel;
  /** The signing keys whose tokens are all revoked. */
  revokedKids: () => Promise<string[]>;
  signIns: SignInModel;
  denylist: TokenDenylist;
  redis: Redis;
  log: Logger;
  /** Shorter only in tests, as is `pendingEveryMs`. */
  checkEveryMs?: number | undefined;
  pendingEveryMs?: number;
}): RevokedTokens {
  const { users, revokedTokens, revokedKids, signIns, denylist, redis, log } = deps;
  const { checkEveryMs = usualCheckEveryMs, pendingEveryMs = usualPendingEveryMs } = deps;

  const copyUser = async ({ _id, tokensValidAfter, keptSignIn }: RevokedUser) => {
    if (!tokensValidAfter) return;
    const entry = { userId: _id.toHexString(), validAfterMs: tokensValidAfter.getTime(), keptSignIn };
    await denylist.revokeUserTokens(entry, maxTokenLifetimeMs);
    await users.updateOne({ _id, tokensValidAfter }, { $unset: { denylistPending: 1 } }, { timestamps: false });
  };
  const copyToken = async ({ _id, expiresAt, validAfter }: RevokedToken) => {
    const entry = { jti: _id, validAfterMs: validAfter?.getTime() };
    await denylist.revokeSignIn(entry, expiresAt.getTime() - Date.now());
    await revokedTokens.updateOne({ _id, validAfter: validAfter ?? null }, { $unset: { denylistPending: 1 } });
  };
  // Both are of the monotonic clock: setting the system's clock back must not put them off.
  let checkDueAt = 0;
  let pendingDueAt = 0;
  const logFailure = (error: unknown) => {
    pendingDueAt = 0;
    log.warn({ err: error }, 'updating the denylist failed; it will be retried');
  };

  const allEntries = async (): Promise<DenylistEntry[]> => {
    const since = new Date(Date.now() - maxTokenLifetimeMs);
    const live = { expiresAt: trusted({ $gt: new Date() }) };
    const revoked = { tokensValidAfter: trusted({ $gt: since }) };
    const ofUsers = await users.find(revoked, 'tokensValidAfter keptSignIn').lean();
    const ofTokens = await revokedTokens.find(live).lean();
    const uses = await signIns.find(live, 'lastUsedAt expiresAt').lean();
    const ofKeys = await revokedKids();
    return [
      ...ofUsers.map(({ _id, tokensValidAfter, keptSignIn }) => ({
        userId: _id.toHexString(),
        validAfterMs: tokensValidAfter?.getTime() ?? 0,
        keptSignIn,
        lifetimeMs: maxTokenLifetimeMs,
      })),
      ...ofTokens.map(({ _id, expiresAt, validAfter }) => ({
        jti: _id,
        validAfterMs: validAfter?.getTime(),
        lifetimeMs: expiresAt.getTime() - Date.now(),
      })),
      ...uses.map(({ _id, lastUsedAt, expiresAt }) => ({
        jti: _id,
        usedAtMs: lastUsedAt.getTime(),
        lifetimeMs: expiresAt.getTime() - Date.now(),
      })),
      ...ofKeys.map((kid) => ({ kid, lifetimeMs: maxTokenLifetimeMs })),
    ];
  };

  // Restore after each disconnect, since a killed Redis may have lost its last second of writes.
  let restoreDue = true;
  const requireRestore = () => {
    restoreDue = true;
  };
  redis.on('close', requireRestore);

  const restore = async () => {
    restoreDue = false;
    const entries = await allEntries();
    const isComplete = await denylist.restore(entries);
    if (isComplete) log.info({ entries: entries.length }, 'restored the denylist');
    else requireRestore();
    return isComplete;
  };

  const sweep = async () => {
    const now = performance.now();
    if (!restoreDue && now < Math.min(checkDueAt, pendingDueAt)) return;
    checkDueAt = now + checkEveryMs;
    if (restoreDue || !(await denylist.isComplete())) {
      const restored = await restore().catch((error: unknown) => {
        requireRestore();
        throw error;
      });
      if (!restored) return;
    }
    if (now < pendingDueAt) return;
    pendingDueAt = now + pendingEveryMs;
    for (const user of await users.find({ denylistPending: true }, 'tokensValidAfter keptSignIn').lean())
      await copyUser(user);
    for (const token of await revokedTokens.find({ denylistPending: true }).lean()) await copyToken(token);
  };

  const stopSweeping = repeat(sweepMs, sweep, logFailure);

  return {
    async requireRevocable() {
      await denylist.requireWritable();
      pendingDueAt = Math.min(pendingDueAt, performance.now() + pendingAfterMs);
    },
    revokeUserTokens: (user) => copyUser(user).catch(logFailure),
    async revokeSignIn({ jti, exp }) {
      const token = { _id: jti, expiresAt: new Date(exp * 1000) };
      const ended = { $set: { expiresAt: token.expiresAt, denylistPending: true }, $unset: { validAfter: 1 } };
      await upsertById(() => revokedTokens.updateOne({ _id: jti }, ended, { upsert: true }));
      await copyToken(token).catch((error: unknown) => {
        pendingDueAt = 0;
        throw unavailable('Signing out is not possible right now. Please try again.', error, 'redis');
      });
    },
    async replaceTokens({ jti, exp }, validAfterMs) {
      const token = { _id: jti, expiresAt: new Date(exp * 1000), validAfter: new Date(validAfterMs) };
      const { expiresAt, validAfter } = token;
      const replaced = { $set: { expiresAt, validAfter, denylistPending: true } };
      // Doesn't match an entry with a later time, or with none because the sign-in has ended. The insert then collides with it
      // and changes nothing.
      const earlier = () => ({ _id: jti, validAfter: trusted({ $lt: validAfter }) });
      await upsertById(() => revokedTokens.updateOne(earlier(), replaced, { upsert: true }));
      if (!(await revokedTokens.exists({ _id: jti, validAfter: trusted({ $exists: true }) }))) {
        throw unauthorized('You have been signed out. Please sign in again.');
      }
      await copyToken(token).catch(logFailure);
    },
    async stop() {
      redis.off('close', requireRestore);
      await stopSweeping();
    },
  };
}
