import { type Connection, Schema, trusted } from 'mongoose';
import { dropOldest } from '../store/drop-oldest.ts';

/** How long a user may take at the authenticator. */
const lifetimeMs = 5 * 60_000;

/** A challenge for an authenticator to sign. MongoDB deletes it when it expires. */
interface PasskeyChallenge {
  /** The challenge, base64url. */
  _id: string;
  /** The user creating a passkey; null for a sign-in. */
  userId: string | null;
  expiresAt: Date;
}

const schema = new Schema<PasskeyChallenge>(
  {
    _id: { type: String, required: true },
    userId: { type: String, default: null },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'passkey_challenges' },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
schema.index({ userId: 1, expiresAt: 1 });

/** The issued challenges. Each can be used once. If there are too many, the oldest are dropped. */
export interface PasskeyChallenges {
  /** @param userId the user creating a passkey; null for a sign-in */
  add(challenge: string, userId: string | null): Promise<void>;
  /** @returns whether it was issued for this purpose, is unused and has not expired */
  use(challenge: string, userId: string | null): Promise<boolean>;
}

export function passkeyChallenges(connection: Connection): PasskeyChallenges {
  const model = connection.model<PasskeyChallenge>('PasskeyChallenge', schema);
  return {
    async add(challenge, userId) {
      await model.create({ _id: challenge, userId, expiresAt: new Date(Date.now() + lifetimeMs) });
      await dropOldest(model, userId);
    },
    async use(challenge, userId) {
      const open = { _id: challenge, userId, expiresAt: trusted({ $gt: new Date() }) };
      return (await model.deleteOne(open)).deletedCount === 1;
    },
  };
}
