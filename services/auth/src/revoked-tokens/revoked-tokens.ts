import type { TokenClaims } from '@interview-prep/contracts/users';
import { unavailable } from '@interview-prep/kit/http-error';
import type { Logger } from '@interview-prep/kit/logger';
import { upsertById } from '@interview-prep/kit/mongo';
import type { DenylistEntry, TokenDenylist } from '@interview-prep/kit/token-denylist';
import type { Redis } from 'ioredis';
import { trusted } from 'mongoose';
import { maxTokenLifetimeMs } from '../config.ts';
import type { UserModel, UserRecord } from '../users/model.ts';
import type { RevokedToken, RevokedTokenModel } from './model.ts';

/** How often the denylist is checked: until an emptied one is restored, every service refuses requests. */
const sweepMs = 500;

/** Revokes tokens. MongoDB keeps what is revoked; a sweep copies it to the denylist in Redis and restores that when lost. */
export interface RevokedTokens {
  /** Call it before a write that sets `tokensValidAfter`. @throws HttpError 503 where the tokens would still be accepted */
  requireRevocable(): Promise<void>;
  /** Copies a user's `tokensValidAfter` to the denylist; while Redis is down the sweep does it later. Call it after the write. */
  revokeUserTokens(user: Pick<UserRecord, '_id' | 'tokensValidAfter'>): Promise<void>;
  /** @throws HttpError 503 where the token is still accepted. The sweep revokes it as soon as Redis can be written. */
  revokeToken(claims: Pick<TokenClaims, 'jti' | 'exp'>): Promise<void>;
  stop(): Promise<void>;
}

/** Starts the sweep. Until its first run has restored the denylist, every service refuses requests. */
export function syncRevokedTokens(deps: {
  users: UserModel;
  revokedTokens: RevokedTokenModel;
  /** The signing keys whose tokens are all revoked. */
  revokedKids: () => Promise<string[]>;
  denylist: TokenDenylist;
  redis: Redis;
  log: Logger;
}): RevokedTokens {
  const { users, revokedTokens, revokedKids, denylist, redis, log } = deps;

  const copyUser = async ({ _id, tokensValidAfter }: Pick<UserRecord, '_id' | 'tokensValidAfter'>) => {
    if (!tokensValidAfter) return;
    await denylist.revokeUserTokens(_id.toHexString(), tokensValidAfter.getTime(), maxTokenLifetimeMs);
    await users.updateOne({ _id, tokensValidAfter }, { $unset: { denylistPending: 1 } }, { timestamps: false });
  };
  const copyToken = async ({ _id, expiresAt }: RevokedToken) => {
    await denylist.revokeToken(_id, expiresAt.getTime() - Date.now());
    await revokedTokens.updateOne({ _id }, { $unset: { denylistPending: 1 } });
  };
  const logFailure = (error: unknown) => log.warn({ err: error }, 'updating the denylist failed; it will be retried');

  const allEntries = async (): Promise<DenylistEntry[]> => {
    const since = new Date(Date.now() - maxTokenLifetimeMs);
    const ofUsers = await users.find({ tokensValidAfter: trusted({ $gt: since }) }, 'tokensValidAfter').lean();
    const ofTokens = await revokedTokens.find({ expiresAt: trusted({ $gt: new Date() }) }).lean();
    const ofKeys = await revokedKids();
    return [
      ...ofUsers.map(({ _id, tokensValidAfter }) => ({
        userId: _id.toHexString(),
        validAfterMs: tokensValidAfter?.getTime() ?? 0,
        lifetimeMs: maxTokenLifetimeMs,
      })),
      ...ofTokens.map(({ _id, expiresAt }) => ({ jti: _id, lifetimeMs: expiresAt.getTime() - Date.now() })),
      ...ofKeys.map((kid) => ({ kid, lifetimeMs: maxTokenLifetimeMs })),
    ];
  };

  // A killed Redis may come back without its last second, yet with the key that says the denylist is complete. So the
  // denylist is restored after every lost connection.
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
    if (restoreDue || !(await denylist.isComplete())) {
      const restored = await restore().catch((error: unknown) => {
        requireRestore();
        throw error;
      });
      if (!restored) return;
    }
    for (const user of await users.find({ denylistPending: true }, 'tokensValidAfter').lean()) await copyUser(user);
    for (const token of await revokedTokens.find({ denylistPending: true }).lean()) await copyToken(token);
  };

  let running: Promise<void> | undefined;
  const startSweep = () => {
    running ??= sweep()
      .catch(logFailure)
      .finally(() => {
        running = undefined;
      });
  };
  startSweep();
  const timer = setInterval(startSweep, sweepMs);

  return {
    requireRevocable: () => denylist.requireWritable(),
    revokeUserTokens: (user) => copyUser(user).catch(logFailure),
    async revokeToken({ jti, exp }) {
      const token = { _id: jti, expiresAt: new Date(exp * 1000) };
      const $setOnInsert = { expiresAt: token.expiresAt, denylistPending: true };
      await upsertById(() => revokedTokens.updateOne({ _id: jti }, { $setOnInsert }, { upsert: true }));
      await copyToken(token).catch((error: unknown) => {
        throw unavailable('Signing out is not possible right now. Please try again.', error, 'redis');
      });
    },
    async stop() {
      clearInterval(timer);
      redis.off('close', requireRestore);
      await running;
    },
  };
}
