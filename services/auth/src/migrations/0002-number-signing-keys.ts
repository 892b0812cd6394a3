import type { Migration } from '@interview-prep/kit/mongo/migrations';
import { upsertById } from '@interview-prep/kit/mongo/mongo';

interface OnlyKey {
  _id: string;
  kid: string;
  privateJwk: unknown;
  publicJwk: unknown;
}

/** The one signing key, whose id was its algorithm, becomes the first of many. Its age counts from the migration. */
export const numberSigningKeys: Migration = {
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
