import { type Connection, type Model, Schema } from 'mongoose';

/** A sign-in of which all tokens, or the earlier ones, are revoked. MongoDB deletes it once they would have expired. */
export interface RevokedToken {
  /** The tokens' `jti`. */
  _id: string;
  expiresAt: Date;
  /** Only tokens issued before this are revoked, since a step-up replaced them. Absent if the sign-in has ended. */
  validAfter?: Date;
  /** Set until it has been copied to the denylist in Redis. */
  denylistPending?: boolean;
}

export type RevokedTokenModel = Model<RevokedToken>;

const schema = new Schema<RevokedToken>(
  {
    _id: { type: String, required: true },
    expiresAt: { type: Date, required: true },
    validAfter: { type: Date },
    denylistPending: { type: Boolean },
  },
  { collection: 'revoked_tokens' },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
schema.index({ denylistPending: 1 }, { sparse: true });

export function revokedTokenModel(connection: Connection): RevokedTokenModel {
  return connection.model<RevokedToken>('RevokedToken', schema);
}
