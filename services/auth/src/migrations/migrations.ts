import { dropIndex, renameCollection, renameField } from '@interview-prep/kit/mongo/migration-steps';
import type { Migration } from '@interview-prep/kit/mongo/migrations';
import { upsertById } from '@interview-prep/kit/mongo/mongo';

/** `ended_tokens` becomes `revoked_tokens`, `markPending` becomes `denylistPending`. */
const renameDenylistFields: Migration = {
  name: '0001-rename-denylist-fields',
  async up(database) {
    await renameCollection(database, { from: 'ended_tokens', to: 'revoked_tokens' });
    for (const collection of ['users', 'revoked_tokens']) {
      await renameField(database, { collection, from: 'markPending', to: 'denylistPending' });
      await dropIndex(database, { collection, key: { markPending: 1 } });
    }
  },
};

interface OnlyKey {
  _id: string;
  kid: string;
  privateJwk: unknown;
  publicJwk: unknown;
}

/** The one signing key, whose id was its algorithm, becomes the first of many. Its age counts from the migration. */
const numberSigningKeys: Migration = {
  name: '0002-number-signing-keys',
  async up(database) {
    const key = await database.collection<OnlyKey>('signing_keys').findOne({ _id: 'ES256' });
    if (!key) return;
    const { kid, privateJwk, publicJwk } = key;
    const now = new Date();
    const first = { kid, cause: 'first', createdAt: now, signsFrom: now, privateJwk, publicJwk };
    const numbered = database.collection<{ _id: number }>('signing_keys');
    await upsertById(() => numbered.updateOne({ _id: 1 }, { $setOnInsert: first }, { upsert: true }));
    await database.collection<OnlyKey>('signing_keys').deleteOne({ _id: 'ES256' });
  },
};

const google = 'https://accounts.google.com/ ';

const batchSize = 1000;

/** `googleId` becomes an entry of `identities`, which is unique: of two users with one account the older one keeps it. */
const nameAccountsByIssuer: Migration = {
  name: '0003-name-accounts-by-issuer',
  async up(database) {
    const users = database.collection<{ identities?: string[]; googleId?: string }>('users');
    for (;;) {
      const linked = users.find({ googleId: { $exists: true } }, { projection: { googleId: 1 } });
      const batch = await linked.sort({ createdAt: 1 }).limit(batchSize).toArray();
      if (batch.length === 0) break;
      const keys = batch.map(({ googleId }) => google + String(googleId));
      const owners = await users.find({ identities: { $in: keys } }, { projection: { identities: 1 } }).toArray();
      const taken = new Set(owners.flatMap(({ identities }) => identities ?? []));
      await users.bulkWrite(
        batch.map(({ _id }, index) => {
          const key = keys[index] as string;
          const isFree = !taken.has(key);
          taken.add(key);
          const $set = isFree ? { $set: { identities: [key] } } : {};
          return { updateOne: { filter: { _id }, update: { ...$set, $unset: { googleId: 1 } } } };
        }),
      );
    }
    await dropIndex(database, { collection: 'users', key: { googleId: 1 } });
  },
};

/** Every change that the database's layout has seen, oldest first. A released one is never edited, renamed or removed. */
export const migrations: readonly Migration[] = [renameDenylistFields, numberSigningKeys, nameAccountsByIssuer];
