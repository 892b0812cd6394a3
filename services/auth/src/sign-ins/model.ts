import { type Connection, type Model, Schema, type Types } from 'mongoose';

/**
 * A sign-in by password, code, passkey or provider. It lasts until it is ended, expires or is idle for too long. Revocations
 * are stored in the user and in `revoked_tokens`. MongoDB deletes it once its tokens would have expired.
 */
export interface SignInRecord {
  /** The `jti` of its tokens. */
  _id: string;
  userId: Types.ObjectId;
  /** From the user agent. */
  browser: string | null;
  system: string | null;
  /** The client's address when it signed in. */
  address: string | null;
  signedInAt: Date;
  /** A copy of the time in Redis, at most a minute old. */
  lastUsedAt: Date;
  expiresAt: Date;
  /** The idle timeout; null for none. */
  idleSeconds: number | null;
}

export type SignInModel = Model<SignInRecord>;

const schema = new Schema<SignInRecord>(
  {
    _id: { type: String, required: true },
    userId: { type: Schema.Types.ObjectId, required: true },
    browser: { type: String, default: null },
    system: { type: String, default: null },
    address: { type: String, default: null },
    signedInAt: { type: Date, required: true },
    lastUsedAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    idleSeconds: { type: Number, default: null },
  },
  { collection: 'sign_ins' },
);
schema.index({ userId: 1 });
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export function signInModel(connection: Connection): SignInModel {
  return connection.model<SignInRecord>('SignIn', schema);
}
