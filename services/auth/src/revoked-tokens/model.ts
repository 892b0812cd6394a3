import { type Connection, type Model, Schema } from 'mongoose';

/** A token revoked by a logout. MongoDB deletes it once the token would have expired. */
export interface RevokedToken {
  /** The token's `jti`. */
  _id: string;
  expiresAt: Date;
  /** Set until the denylist in Redis has it. */
  denylistPending?: boolean;
}

export type RevokedTokenModel = Model<RevokedToken>;

const schema = new Schema<RevokedToken>(
  {
    _id: { type: String, required: true },
    expiresAt: { type: Date, required: true },
    denylistPending: { type: Boolean },
  },
  { collection: 'revoked_tokens' },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
schema.index({ denylistPending: 1 }, { sparse: true });

export function revokedTokenModel(connection: Connection): RevokedTokenModel {
  return connection.model<RevokedToken>('RevokedToken', schema);
}
