import { type Connection, type Model, Schema } from 'mongoose';

/** A sign-in whose tokens are revoked, all or the earlier ones. MongoDB deletes it once they would have expired. */
export interface RevokedToken {
  /** The tokens' `jti`. */
  _id: string;
  expiresAt: Date;
  /** Only tokens issued before are revoked: a step-up has replaced them. Absent where the sign-in has ended. */
  validAfter?: Date;
  /** Set until the denylist in Redis has it. */
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
