import type { TokenClaims } from '@interview-prep/contracts/users';
import type { Logger } from '@interview-prep/kit/logger';
import type { DenylistEntry, TokenDenylist } from '@interview-prep/kit/token-denylist';
import type { Redis } from 'ioredis';
import { trusted } from 'mongoose';
import { maxTokenLifetimeMs } from '../config.ts';
import type { UserModel, UserRecord } from '../users/model.ts';
import type { RevokedToken, RevokedTokenModel } from './model.ts';

/** How often Redis is asked whether it still has the marks: other services refuse requests until it has them again. */
const pollMs = 500;

/** Keeps the marks in Redis equal to what MongoDB says of ended tokens, whatever happens to Redis. */
export interface RevokedTokens {
  /** Marks what a user document's `tokensValidAfter` says. Call after the write; where Redis is away it is done later. */
  writeUserMark(user: Pick<UserRecord, '_id' | 'tokensValidAfter'>): Promise<void>;
  /** Ends one token. */
  revokeToken(claims: Pick<TokenClaims, 'jti' | 'exp'>): Promise<void>;
  stop(): Promise<void>;
}

export function syncRevokedTokens(deps: {
  users: UserModel;
  revokedTokens: RevokedTokenModel;
  denylist: TokenDenylist;
  redis: Redis;
  log: Logger;
}): RevokedTokens {
  const { users, revokedTokens, denylist, redis, log } = deps;

  const pushUser = async ({ _id, tokensValidAfter }: Pick<UserRecord, '_id' | 'tokensValidAfter'>) => {
    if (!tokensValidAfter) return;
    await denylist.revokeUserTokens(_id.toHexString(), tokensValidAfter.getTime(), maxTokenLifetimeMs);
    await users.updateOne({ _id, tokensValidAfter }, { $unset: { denylistPending: 1 } }, { timestamps: false });
  };
  const pushToken = async ({ _id, expiresAt }: RevokedToken) => {
    await denylist.revokeToken(_id, expiresAt.getTime() - Date.now());
    await revokedTokens.updateOne({ _id }, { $unset: { denylistPending: 1 } });
  };
  const later = (error: unknown) => log.warn({ err: error }, 'marking ended tokens failed; it is done later');

  const everyMark = async (): Promise<DenylistEntry[]> => {
    const since = new Date(Date.now() - maxTokenLifetimeMs);
    const ofUsers = await users.find({ tokensValidAfter: trusted({ $gt: since }) }, 'tokensValidAfter').lean();
    const ofTokens = await revokedTokens.find({ expiresAt: trusted({ $gt: new Date() }) }).lean();
    return [
      ...ofUsers.map(({ _id, tokensValidAfter }) => ({
        userId: _id.toHexString(),
        validAfterMs: tokensValidAfter?.getTime() ?? 0,
        lifetimeMs: maxTokenLifetimeMs,
      })),
      ...ofTokens.map(({ _id, expiresAt }) => ({ jti: _id, lifetimeMs: expiresAt.getTime() - Date.now() })),
    ];
  };

  // A Redis that went down may have lost its last second without losing the word that the marks are complete:
  // after each connection everything is told again.
  let doubtful = true;
  const lost = () => {
    doubtful = true;
  };
  redis.on('close', lost);

  const restore = async () => {
    const all = await everyMark();
    const whole = await denylist.restore(all);
    if (whole) log.info({ marks: all.length }, 'restored the marks that end tokens');
    return whole;
  };

  const look = async () => {
    if (doubtful || !(await denylist.isComplete())) {
      doubtful = false;
      const restored = await restore().catch((error: unknown) => {
        lost();
        throw error;
      });
      if (!restored) return lost();
    }
    for (const user of await users.find({ denylistPending: true }, 'tokensValidAfter').lean()) await pushUser(user);
    for (const token of await revokedTokens.find({ denylistPending: true }).lean()) await pushToken(token);
  };

  let running: Promise<void> | undefined;
  const lookAgain = () => {
    running ??= look()
      .catch(later)
      .finally(() => {
        running = undefined;
      });
  };
  lookAgain();
  const timer = setInterval(lookAgain, pollMs);

  return {
    writeUserMark: (user) => pushUser(user).catch(later),
    async revokeToken({ jti, exp }) {
      const ended = { _id: jti, expiresAt: new Date(exp * 1000) };
      await revokedTokens.updateOne(
        { _id: jti },
        { $setOnInsert: { expiresAt: ended.expiresAt, denylistPending: true } },
        { upsert: true },
      );
      await pushToken(ended).catch(later);
    },
    async stop() {
      clearInterval(timer);
      redis.off('close', lost);
      await running;
    },
  };
}
