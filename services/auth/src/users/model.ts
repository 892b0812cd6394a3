import { defaultPlan, type PlanId, planIds } from '@interview-prep/contracts/auth/plans';
import { Role } from '@interview-prep/contracts/auth/users';
import { followChanges, type Published, publishedFields } from '@interview-prep/kit/redis/outbox';
import { type Connection, type HydratedDocument, type Model, Schema, type Types } from 'mongoose';
import type { StoredRecoveryCodes } from '../second-factor/recovery-codes.ts';

/** A stored user. A deleted user stays as a tombstone without email and password, so that the deletion can be published. */
export interface UserRecord extends Published {
  _id: Types.ObjectId;
  /** Trimmed and lower-cased; unique among the users who are not deleted; '' once deleted. */
  email: string;
  /** Absent for none. */
  name?: string;
  /** argon2id; absent for users who only sign in by a provider, and for an admin who has not used the set-up link. */
  passwordHash?: string;
  role: Role;
  /** Slugs. */
  technologies: string[];
  plan: PlanId;
  /** Whether they want a mail when a person has judged an answer of theirs; absent for no. */
  reviewMail?: boolean;
  /** Of admins and coaches: whether they want a mail when an answer waits for their review; absent for no. */
  appealMail?: boolean;
  /** Whether they want mails about assigned work; absent for yes. */
  assignmentMail?: boolean;
  lastLogin: Date | null;
  /** The accounts at providers that sign this user in: issuer and `sub`, see `identityKey`. Absent rather than empty. */
  identities?: string[];
  /** The only valid reset link: SHA-256 of its token. A newer request replaces it. */
  reset?: { tokenHash: string; expiresAt: Date };
  /** The authenticator app: its secret, sealed where KEY_ENCRYPTION_KEY is set, and the half minute of the last code used. */
  totp?: { secret: string; lastStep: number };
  /** An authenticator app whose first code has not come yet. */
  pendingTotp?: { secret: string; expiresAt: Date };
  recovery?: StoredRecoveryCodes;
  /** Encrypts the answers that the user's browsers have not sent yet; sealed where KEY_ENCRYPTION_KEY is set. */
  draftKey?: string;
  /** Wrong codes since a time; dropped by a right one. */
  codeGuesses?: { count: number; since: Date };
  /** Tokens issued before are revoked. The denylist in Redis is a copy of this. */
  tokensValidAfter?: Date;
  /** The `jti` of the one sign-in whose tokens are not. */
  keptSignIn?: string | null;
  /** Set until the denylist in Redis has it. */
  denylistPending?: boolean;
  /** Links to interviews that the user made until then are ended, after a reset by mail. */
  sharesEndedAt?: Date;
  /** Since when they cannot sign in. */
  suspendedAt?: Date;
  /** The admin or user who saved the last edit, and when. */
  edited?: { by: string; at: Date };
  deletedAt: Date | null;
  /** Whether what belongs to the deleted user is deleted too: of all whom this or a later release deleted. */
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
