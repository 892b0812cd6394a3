import { type Connection, type Model, Schema } from 'mongoose';

/** A token that a logout ended; kept as long as the token would have lived. */
export interface RevokedToken {
  /** The token's `jti`. */
  _id: string;
  expiresAt: Date;
  /** Stays until the mark is in Redis. */
  markPending?: boolean;
}

export type RevokedTokenModel = Model<RevokedToken>;

const schema = new Schema<RevokedToken>(
  {
    _id: { type: String, required: true },
    expiresAt: { type: Date, required: true },
    markPending: { type: Boolean },
  },
  { collection: 'ended_tokens' },
);
schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
schema.index({ markPending: 1 }, { sparse: true });

export const revokedTokenModel = (connection: Connection): RevokedTokenModel => connection.model('EndedToken', schema);
