import { defaultPlan, type PlanId, planIds } from '@interview-prep/contracts/auth/plans';
import { Role } from '@interview-prep/contracts/auth/users';
import { followChanges, type Published, publishedFields } from '@interview-prep/kit/redis/outbox';
import { type Connection, type HydratedDocument, type Model, Schema, type Types } from 'mongoose';
import type { StoredRecoveryCodes } from '../second-factor/recovery-codes.ts';

/** A stored user. A deleted user is kept as a tombstone without email and password, so that the deletion can be published. */
export interface UserRecord extends Published {
  _id: Types.ObjectId;
  /** Trimmed and lower-cased; unique among the users who are not deleted; '' once deleted. */
  email: string;
  /** Absent if the user has none. */
  name?: string;
  /** argon2id; absent for users who only sign in with a provider, and for an admin who has not used the setup link. */
  passwordHash?: string;
  role: Role;
  /** Slugs. */
  technologies: string[];
  plan: PlanId;
  /** Whether to mail them when a reviewer has scored an answer of theirs; absent for no. */
  reviewMail?: boolean;
  /** For admins and coaches: whether to mail them when an answer is waiting for their review; absent for no. */
  appealMail?: boolean;
  /** Whether to mail them about assigned work; absent for yes. */
  assignmentMail?: boolean;
  lastLogin: Date | null;
  /** The provider accounts that sign this user in: issuer and `sub`, see `identityKey`. Absent rather than empty. */
  identities?: string[];
  /** The only valid reset link: SHA-256 of its token. A newer request replaces it. */
  reset?: { tokenHash: string; expiresAt: Date };
  /** The authenticator app: its secret, sealed if KEY_ENCRYPTION_KEY is set, and the 30-second step of the last code used. */
  totp?: { secret: string; lastStep: number };
  /** An authenticator app not yet confirmed by its first code. */
  pendingTotp?: { secret: string; expiresAt: Date };
  recovery?: StoredRecoveryCodes;
  /** Encrypts unsent answers in the user's browsers; sealed if KEY_ENCRYPTION_KEY is set. */
  draftKey?: string;
  /** The number of wrong codes since a time; removed after a correct one. */
  codeGuesses?: { count: number; since: Date };
  /** Tokens issued before this are revoked. The denylist in Redis has a copy. */
  tokensValidAfter?: Date;
  /** The `jti` of the one sign-in that this doesn't revoke. */
  keptSignIn?: string | null;
  /** Set until `tokensValidAfter` has been copied to the denylist in Redis. */
  denylistPending?: boolean;
  /** Share links created before this are revoked, after a password reset by mail. */
  sharesEndedAt?: Date;
  /** Since when the user can't sign in. */
  suspendedAt?: Date;
  /** The admin or user who saved the last edit, and when. */
  edited?: { by: string; at: Date };
  deletedAt: Date | null;
  /** Whether the deleted user's data is erased too. Set for all users deleted by this release or a later one. */
  eraseData?: boolean;
  createdAt: Date;
  updatedAt: Date;
}

export type UserDocument = HydratedDocument<UserRecord>;
export type UserModel = Model<UserRecord>;

const schema = new Schema<UserRecord>(
  {
    email: { type: String },
    name: { type: String },
    suspendedAt: { type: Date },
    edited: { type: new Schema({ by: String, at: Date }, { _id: false }) },
    passwordHash: { type: String },
    role: { type: String, required: true, enum: Role.options },
    technologies: { type: [String], required: true },
    plan: { type: String, required: true, enum: planIds, default: defaultPlan },
    reviewMail: { type: Boolean },
    appealMail: { type: Boolean },
    assignmentMail: { type: Boolean },
    lastLogin: { type: Date, default: null },
    identities: { type: [String], default: undefined },
    reset: { type: new Schema({ tokenHash: String, expiresAt: Date }, { _id: false }) },
    totp: { type: new Schema({ secret: String, lastStep: Number }, { _id: false }) },
    pendingTotp: { type: new Schema({ secret: String, expiresAt: Date }, { _id: false }) },
    recovery: { type: new Schema({ salt: String, hashes: [String] }, { _id: false }) },
    draftKey: { type: String },
    codeGuesses: { type: new Schema({ count: Number, since: Date }, { _id: false }) },
    tokensValidAfter: { type: Date },
    keptSignIn: { type: String },
    denylistPending: { type: Boolean },
    sharesEndedAt: { type: Date },
    deletedAt: { type: Date, default: null },
    eraseData: { type: Boolean },
    ...publishedFields,
  },
  { timestamps: true, collection: 'users' },
);
schema.index({ email: 1 }, { unique: true, partialFilterExpression: { deletedAt: null } });
schema.index({ 'reset.tokenHash': 1 }, { sparse: true });
schema.index({ identities: 1 }, { unique: true, partialFilterExpression: { identities: { $exists: true } } });
schema.index({ tokensValidAfter: 1 }, { sparse: true });
schema.index({ denylistPending: 1 }, { sparse: true });
followChanges(schema);

export function userModel(connection: Connection): UserModel {
  return connection.model<UserRecord>('User', schema);
}
