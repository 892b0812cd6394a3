import type { SharedParts, ShareRole } from '@interview-prep/contracts/recording/shares';
import { Schema, type Types } from 'mongoose';

/** A link to a session. It is deleted when revoked, along with its session, and some time after it expires. */
export interface ShareLink {
  _id: Types.ObjectId;
  /** SHA-256 of the token, in hexadecimal. */
  tokenHash: string;
  /** The session's UUID, and its owner. */
  sessionId: string;
  userId: string;
  role: ShareRole;
  shows: SharedParts;
  createdAt: Date;
  expiresAt: Date;
}

export const shareLinkSchema = new Schema<ShareLink>(
  {
    tokenHash: { type: String, required: true },
    sessionId: { type: String, required: true },
    userId: { type: String, required: true },
    role: { type: String, required: true },
    shows: { type: Schema.Types.Mixed, required: true },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'shares', versionKey: false },
);
shareLinkSchema.index({ tokenHash: 1 }, { unique: true });
shareLinkSchema.index({ sessionId: 1 });
shareLinkSchema.index({ userId: 1 });
shareLinkSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
