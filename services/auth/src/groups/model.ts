import type { GroupRole } from '@interview-prep/contracts/auth/groups';
import { followChanges, type Published, publishedFields } from '@interview-prep/kit/redis/outbox';
import { type Connection, type Model, Schema, type Types } from 'mongoose';

interface PersonInGroup {
  userId: string;
  role: GroupRole;
  joinedAt: Date;
}

/** A group with its people embedded, so that joining and leaving are one write each. */
export interface GroupRecord extends Published {
  _id: Types.ObjectId;
  name: string;
  people: PersonInGroup[];
  /** The code, without hyphens. Stored in plain text, since coaches show it to a room. */
  join?: { code: string; seats: number; left: number; expiresAt: Date };
  archivedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

const groupSchema = new Schema<GroupRecord>(
  {
    name: { type: String, required: true },
    people: {
      type: [new Schema({ userId: String, role: String, joinedAt: Date }, { _id: false })],
      required: true,
    },
    join: { type: new Schema({ code: String, seats: Number, left: Number, expiresAt: Date }, { _id: false }) },
    archivedAt: { type: Date, default: null },
    ...publishedFields,
  },
  { timestamps: true, collection: 'groups' },
);
groupSchema.index({ 'people.userId': 1 });
groupSchema.index({ 'join.code': 1 }, { sparse: true });
followChanges(groupSchema);

/** An invitation of one address to one group. It is deleted when it is accepted. */
export interface InvitationRecord {
  _id: Types.ObjectId;
  groupId: Types.ObjectId;
  email: string;
  /** Absent if they have no name. */
  name?: string;
  /** Requested with the group's code, so it takes a seat. */
  byCode?: boolean;
  /** SHA-256 of the most recently sent token; absent before the first. */
  tokenHash?: string;
  invitedAt: Date;
  expiresAt: Date;
  sentAt?: Date;
  /** When sending the mail was abandoned. */
  failedAt?: Date;
}
export type InvitationModel = Model<InvitationRecord>;

/** How long an expired invitation is kept. */
const keptAfterExpiryS = 90 * 24 * 60 * 60;

const invitationSchema = new Schema<InvitationRecord>(
  {
    groupId: { type: Schema.Types.ObjectId, required: true },
    email: { type: String, required: true },
    name: { type: String },
    byCode: { type: Boolean },
    tokenHash: { type: String },
    invitedAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    sentAt: { type: Date },
    failedAt: { type: Date },
  },
  { collection: 'group_invitations' },
);
invitationSchema.index({ groupId: 1, email: 1 }, { unique: true });
invitationSchema.index({ email: 1 });
invitationSchema.index({ tokenHash: 1 }, { sparse: true });
invitationSchema.index({ expiresAt: 1 }, { expireAfterSeconds: keptAfterExpiryS });

export type GroupModels = ReturnType<typeof groupModels>;

export function groupModels(connection: Connection) {
  return {
    groups: connection.model<GroupRecord>('Group', groupSchema),
    invitations: connection.model<InvitationRecord>('GroupInvitation', invitationSchema),
  };
}
