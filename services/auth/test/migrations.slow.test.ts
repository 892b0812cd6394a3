import { buildIndexes } from '@interview-prep/kit/mongo/mongo';
import { createTestBacking, type TestBacking } from '@interview-prep/kit/testing/backing';
import { interruptMigrations } from '@interview-prep/kit/testing/interrupt-migrations';
import { Types } from 'mongoose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { migrations } from '../src/migrations/migrations.ts';
import { revokedTokenModel } from '../src/store/revoked-token-model.ts';
import { userModel } from '../src/users/model.ts';

let backing: TestBacking;
beforeAll(async () => {
  backing = await createTestBacking('auth');
});
afterAll(() => backing.close());

const at = (time: string) => new Date(`2026-11-20T${time}Z`);

/** As written by release 0.1.0: a user who just signed out everywhere, before that reached Redis. */
const user = {
  _id: new Types.ObjectId('665000000000000000000001'),
  email: 'ada@example.com',
  passwordHash: '$argon2id$v=19$hash',
  role: 'others',
  technologies: ['sql'],
  plan: 'free',
  lastLogin: at('09:00:00'),
  tokensValidAfter: at('10:00:00'),
  markPending: true,
  deletedAt: null,
  revision: 4,
  unpublished: true,
  createdAt: at('08:00:00'),
  updatedAt: at('10:00:00'),
  __v: 0,
};
const signingKey = { kid: 'thumbprint', privateJwk: { kty: 'EC', d: 'd' }, publicJwk: { kty: 'EC', x: 'x' } };
/** Two users of one Google account. The later one must not get it. */
const googleUsers = [
  { email: 'later@example.com', googleId: '1001', createdAt: at('08:30:00') },
  { email: 'first@example.com', googleId: '1001', createdAt: at('08:20:00') },
];
const pendingToken = { _id: 'jti-1', expiresAt: new Date(Date.now() + 3_600_000), markPending: true };
const markedToken = { _id: 'jti-2', expiresAt: new Date(Date.now() + 3_600_000) };

test('the database of release 0.1.0 is migrated, wherever the process was killed', async () => {
  const database = backing.mongo.db;
  if (!database) throw new Error('not connected');
  const users = userModel(backing.mongo);
  const tokens = revokedTokenModel(backing.mongo);
  const cuts = await interruptMigrations(backing, {
    database: 'auth',
    migrations,
    async seed() {
      await database.collection('users').insertOne({ ...user });
      await database.collection<{ _id: string }>('ended_tokens').insertMany([{ ...pendingToken }, { ...markedToken }]);
      await database.collection<{ _id: string }>('signing_keys').insertOne({ _id: 'ES256', ...signingKey });
      await database.collection('users').insertMany(googleUsers.map((each) => ({ ...each, deletedAt: null })));
      await database.collection('users').createIndex({ markPending: 1 }, { sparse: true });
      await database.collection('users').createIndex({ googleId: 1 }, { sparse: true });
      await database.collection('ended_tokens').createIndex({ markPending: 1 }, { sparse: true });
      await database.collection('ended_tokens').createIndex({ expiresAt: 1 }, { expireAfterSeconds: 0 });
    },
    async check() {
      const { markPending, ...kept } = user;
      const stored = await database.collection('users').find().sort({ createdAt: 1 }).toArray();
      expect(stored[0]).toEqual({ ...kept, denylistPending: markPending });
      expect(stored.slice(1).map(({ email, googleId, identities }) => [email, googleId, identities])).toEqual([
        ['first@example.com', undefined, ['https://accounts.google.com/ 1001']],
        ['later@example.com', undefined, undefined],
      ]);
      await buildIndexes(backing.mongo);
      expect(await tokens.find().sort({ _id: 1 }).lean()).toEqual([
        { _id: 'jti-1', expiresAt: pendingToken.expiresAt, denylistPending: true },
        markedToken,
      ]);
      const first = { _id: 1, ...signingKey, cause: 'first', createdAt: expect.any(Date), signsFrom: expect.any(Date) };
      expect(await database.collection('signing_keys').find().toArray()).toEqual([first]);
      expect(await database.listCollections({ name: 'ended_tokens' }).toArray()).toEqual([]);
      for (const { collection } of [users, tokens]) {
        const keys = (await collection.indexes()).map(({ key }) => Object.keys(key)[0]);
        expect(keys).toContain('denylistPending');
        expect(keys).not.toContain('markPending');
        expect(keys).not.toContain('googleId');
      }
      expect(await users.exists({ denylistPending: true })).not.toBeNull();
    },
  });
  expect(cuts).toBeGreaterThan(5);
}, 240_000);
