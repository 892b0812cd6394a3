import { createHash, randomBytes } from 'node:crypto';
import { type Connection, Schema, type Types, trusted } from 'mongoose';

/** How long the second factor may take. */
const lifetimeMs = 10 * 60_000;

/** The most attempts at one challenge. Attempts at one user's factors are limited separately. */
const attemptsMax = 5;

/** A sign-in whose first factor was checked, waiting for the second. MongoDB deletes it when it expires. */
interface SignInChallenge {
  /** SHA-256 of the challenge. */
  _id: string;
  userId: Types.ObjectId;
  /** When the first factor was checked. */
  createdAt: Date;
  expiresAt: Date;
  attempts: number;
  /** The sealed secret of an authenticator app being set up during this sign-in. */
  totpSecret?: string;
}

const schema = new Schema<SignInChallenge>(
  {
    _id: { type: String, required: true },
    userId: { type: Schema.Types.ObjectId, required: true },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    attempts: { type: Number, required: true, default: 0 },
    totpSecret: { type: String },
  },
  { collection: 'sign_in_challenges' },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
schema.index({ userId: 1 });

const idOf = (challenge: string) => createHash('sha256').update(challenge).digest('base64url');

/** The sign-ins waiting for a second factor. */
export interface SignInChallenges {
  /** @returns the challenge, which only the client has: only its hash is stored */
  create(userId: Types.ObjectId, createdAtMs: number, totpSecret?: string): Promise<string>;
  /** Counts an attempt. Null if the challenge is unknown, used or expired, or has had too many attempts. */
  attempt(challenge: string): Promise<SignInChallenge | null>;
  /** Ends a challenge. @returns whether it existed: only one of two concurrent requests gets true */
  use(challenge: SignInChallenge): Promise<boolean>;
  /** Deletes the challenges of a user who was deleted, or whose factors changed. */
  forget(userId: Types.ObjectId): Promise<void>;
}

export function signInChallenges(connection: Connection): SignInChallenges {
  const model = connection.model<SignInChallenge>('SignInChallenge', schema);
  return {
    async create(userId, createdAtMs, totpSecret) {
      const challenge = randomBytes(32).toString('base64url');
      await model.create({
        _id: idOf(challenge),
        userId,
        createdAt: new Date(createdAtMs),
        expiresAt: new Date(createdAtMs + lifetimeMs),
        ...(totpSecret === undefined ? {} : { totpSecret }),
      });
      return challenge;
    },
    attempt: (challenge) =>
      model
        .findOneAndUpdate(
          {
            _id: idOf(challenge),
            expiresAt: trusted({ $gt: new Date() }),
            attempts: trusted({ $lt: attemptsMax }),
          },
          { $inc: { attempts: 1 } },
          { returnDocument: 'after' },
        )
        .lean(),
    use: async ({ _id }) => (await model.deleteOne({ _id })).deletedCount === 1,
    async forget(userId) {
      await model.deleteMany({ userId });
    },
  };
}
