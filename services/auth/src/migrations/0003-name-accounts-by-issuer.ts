import { dropIndex } from '@interview-prep/kit/mongo/migration-steps';
import type { Migration } from '@interview-prep/kit/mongo/migrations';

const google = 'https://accounts.google.com/ ';

const batchSize = 1000;

/** `googleId` becomes an entry of `identities`, which is unique: if two users share an account, the older one keeps it. */
export const nameAccountsByIssuer: Migration = {
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
