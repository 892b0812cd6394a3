import type { SignInPlace } from '@interview-prep/contracts/auth/sign-ins';
import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import { upsertById } from '@interview-prep/kit/mongo/mongo';
import type { Logger } from '@interview-prep/kit/process/logger';
import { repeat } from '@interview-prep/kit/process/repeat';
import { takeTurn } from '@interview-prep/kit/redis/redis';
import type { TokenDenylist } from '@interview-prep/kit/tokens/token-denylist';
import type { Redis } from 'ioredis';
import { type Types, trusted } from 'mongoose';
import type { NewSignIn, SignAccessToken } from '../signing-keys/sign-access-token.ts';
import type { RevokedTokenModel } from '../store/revoked-token-model.ts';
import type { UserRecord } from '../users/model.ts';
import { type Client, networkOf } from './client-of.ts';
import type { SignInModel, SignInRecord } from './model.ts';

/** The most concurrent sign-ins of a user: more than people have devices. Beyond it, the oldest ends. */
const liveMax = 100;

/** How often last uses are copied from Redis, which may lose them. */
const saveEveryMs = 30_000;

/** Users' sign-ins: where they are signed in, and when each was last used. */
export interface SignIns {
  /**
   * Begins a sign-in of a user whose identity was checked, and signs its token. Ends the user's oldest if there are too many.
   * @param issuedAtMs a time before the check, in ms since 1970
   */
  begin(user: UserRecord, issuedAtMs: number, client: Client): Promise<string>;
  /** A user's active sign-ins, most recently used first. `own` is the caller's. */
  list(user: Pick<UserRecord, '_id' | 'tokensValidAfter' | 'keptSignIn'>, own: OwnSignIn): Promise<SignInPlace[]>;
  /** When a user's sign-in expires; null if there is no such sign-in. */
  endOf(userId: string, id: string): Promise<Date | null>;
  /** Deletes the records of one sign-in of a user, or of all. Doesn't revoke their tokens. */
  forget(userId: Types.ObjectId | string, id?: string): Promise<void>;
  /** Copies last uses from Redis. */
  saveUses(): Promise<void>;
  stop(): Promise<void>;
}

/** The caller's sign-in; `claims` is null if the caller is another user, an admin. */
interface OwnSignIn {
  claims: TokenClaims | null;
  client: Client;
}

/** Opens the sign-ins, and copies last uses regularly. */
export function openSignIns(deps: {
  signIns: SignInModel;
  revokedTokens: RevokedTokenModel;
  denylist: TokenDenylist;
  newSignIn: NewSignIn;
  signAccessToken: SignAccessToken;
  /** Revokes a sign-in's tokens. While Redis is down it throws, and the tokens are revoked later. */
  revokeSignIn: (signIn: Pick<TokenClaims, 'jti' | 'exp'>) => Promise<void>;
  redis: Redis;
  prefix: string;
  log: Logger;
}): SignIns {
  const { signIns, revokedTokens, denylist, newSignIn, signAccessToken, revokeSignIn, log } = deps;

  const keep = (
    { jti, exp, idle }: Pick<TokenClaims, 'jti' | 'exp' | 'idle'>,
    sub: unknown,
    at: Date,
    client: Client,
  ) =>
    upsertById(() =>
      signIns.updateOne(
        { _id: jti },
        {
          $setOnInsert: {
            userId: sub,
            ...client,
            signedInAt: at,
            lastUsedAt: at,
            expiresAt: new Date(exp * 1000),
            idleSeconds: idle ?? null,
          },
        },
        { upsert: true },
      ),
    );

  /** Sign-ins that have not expired, with their last use. */
  const live = async (filter: Record<string, unknown>) => {
    const found = await signIns.find({ ...filter, expiresAt: trusted({ $gt: new Date() }) }).lean();
    // While Redis is down no token is accepted, so MongoDB's times are good enough.
    const uses = await denylist.lastUses(found.map(({ _id }) => _id)).catch(() => []);
    return found.map((record, index) => ({
      record,
      usedAtMs: Math.max(record.lastUsedAt.getTime(), uses[index] ?? 0),
    }));
  };
  const endOldest = async (userId: Types.ObjectId) => {
    const unexpired = { userId, expiresAt: trusted({ $gt: new Date() }) };
    const surplus = await signIns.find(unexpired, 'expiresAt').sort({ signedInAt: -1, _id: 1 }).skip(liveMax).lean();
    for (const { _id, expiresAt } of surplus) {
      await revokeSignIn({ jti: _id, exp: expiresAt.getTime() / 1000 }).catch((error: unknown) =>
        log.warn({ err: error }, 'the oldest sign-in of a user ends a little later'),
      );
      await signIns.deleteOne({ _id });
    }
  };

  const isUnused = ({ idleSeconds }: SignInRecord, usedAtMs: number) =>
    idleSeconds !== null && Date.now() - usedAtMs > idleSeconds * 1000;

  const saveUses = async () => {
    const changed = (await live({})).filter(({ record, usedAtMs }) => usedAtMs > record.lastUsedAt.getTime());
    if (changed.length === 0) return;
    await signIns.bulkWrite(
      changed.map(({ record: { _id }, usedAtMs }) => {
        const lastUsedAt = new Date(usedAtMs);
        const filter = { _id, lastUsedAt: trusted({ $lt: lastUsedAt }) };
        return { updateOne: { filter, update: { $set: { lastUsedAt } } } };
      }),
      { ordered: false },
    );
  };

  const logFailure = (error: unknown) => log.warn({ err: error }, 'saving when sign-ins were used failed');
  // Only one process needs to do it.
  const saveInTurn = async () => (await takeTurn(deps, 'sign-in-uses', saveEveryMs)) && saveUses();
  const stopSaving = repeat(saveEveryMs, saveInTurn, logFailure);

  return {
    async begin(user, issuedAtMs, client) {
      const signIn = newSignIn(issuedAtMs);
      await keep(signIn, user._id, new Date(issuedAtMs), client);
      await endOldest(user._id);
      return signAccessToken(user, issuedAtMs, signIn);
    },
    async list({ _id: userId, tokensValidAfter, keptSignIn }, { claims, client }) {
      // Tokens from an earlier release have no record yet.
      if (claims) await keep(claims, userId, new Date(claims.iat * 1000), client);
      const found = await live({ userId });
      const ids = found.map(({ record }) => record._id);
      const forGood = { _id: trusted({ $in: ids }), validAfter: trusted({ $exists: false }) };
      const ended = new Set((await revokedTokens.find(forGood, '_id').lean()).map(({ _id }) => _id));
      return found
        .filter(({ record, usedAtMs }) => !ended.has(record._id) && !isUnused(record, usedAtMs))
        .filter(({ record }) => !tokensValidAfter || record.signedInAt >= tokensValidAfter || record._id === keptSignIn)
        .toSorted((a, b) => b.usedAtMs - a.usedAtMs)
        .map(({ record: { _id: id, browser, system, address, signedInAt, expiresAt }, usedAtMs }) => ({
          id,
          browser,
          system,
          address,
          network: networkOf(address, client.address),
          signedInAt: signedInAt.toISOString(),
          lastUsedAt: new Date(usedAtMs).toISOString(),
          expiresAt: expiresAt.toISOString(),
          isThis: id === claims?.jti,
        }));
    },
    endOf: async (userId, id) => (await signIns.findOne({ _id: id, userId }, 'expiresAt').lean())?.expiresAt ?? null,
    async forget(userId, id) {
      await signIns.deleteMany(id === undefined ? { userId } : { _id: id, userId });
    },
    saveUses,
    async stop() {
      await stopSaving();
      await saveUses().catch(logFailure);
    },
  };
}
