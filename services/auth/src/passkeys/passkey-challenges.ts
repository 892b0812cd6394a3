import { type Connection, Schema, trusted } from 'mongoose';
import { dropOldest } from '../store/drop-oldest.ts';

/** How long a person may take at the authenticator. */
const lifetimeMs = 5 * 60_000;

/** A challenge that an authenticator is to sign. MongoDB deletes it when it has expired. */
interface PasskeyChallenge {
  /** The challenge, base64url. */
  _id: string;
  /** Who makes a passkey; null at a sign-in. */
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

/** The challenges that were given out. Each is signed once. Where there are many, the oldest expire first. */
export interface PasskeyChallenges {
  /** @param userId who makes a passkey; null for a sign-in */
  add(challenge: string, userId: string | null): Promise<void>;
  /** @returns whether it was given out for this, is not used and has not expired */
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
