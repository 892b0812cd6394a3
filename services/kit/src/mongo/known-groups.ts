import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import type { GroupSnapshot } from '@interview-prep/contracts/events/snapshots';
import { type Connection, Schema, trusted } from 'mongoose';
import { forbidden, notFound } from '../http/http-error.ts';
import { upsertById } from './mongo.ts';

/** A copy of a group's coaches and members. */
export type KnownGroup = Omit<GroupSnapshot, 'groupId'> & { _id: string };

const schema = new Schema<KnownGroup>(
  {
    _id: { type: String, required: true },
    archived: { type: Boolean, required: true },
    coaches: { type: [String], required: true },
    members: { type: [String], required: true },
    revision: { type: Number, required: true },
  },
  { collection: 'known_groups', versionKey: false },
);
schema.index({ coaches: 1 });
schema.index({ members: 1 });

/** A service's copy of the groups that auth publishes. It has only ids, and may lag by some milliseconds. */
export interface KnownGroups {
  /** Stores a snapshot unless a newer one is stored. */
  apply(snapshot: GroupSnapshot): Promise<void>;
  /** Whether auth has published anything yet. */
  hasCopy(): Promise<boolean>;
  find(groupId: string): Promise<KnownGroup | null>;
  /** Finds a group for one of its coaches or an admin. @throws HttpError 404 for users outside the group, 403 for its members */
  requireCoach(groupId: string, claims: Pick<TokenClaims, 'sub' | 'role'>): Promise<KnownGroup>;
  /** Finds the groups that a user coaches, or is a member of. */
  of(userId: string, as: 'coaches' | 'members'): Promise<KnownGroup[]>;
}

/** Opens the copy in a service's own database. The service builds the indexes. */
export function knownGroups(connection: Connection): KnownGroups {
  const model = connection.model<KnownGroup>('KnownGroup', schema);
  return {
    async apply({ groupId: _id, revision, ...group }) {
      const older = { _id, revision: trusted({ $lt: revision }) };
      await upsertById(() => model.updateOne(older, { $set: { ...group, revision } }, { upsert: true }));
    },
    hasCopy: async () => (await model.exists({})) !== null,
    find: (groupId) => model.findById(groupId).lean(),
    async requireCoach(groupId, { sub, role }) {
      const group = await model.findById(groupId).lean();
      if (group && (role === 'admin' || group.coaches.includes(sub))) return group;
      if (group?.members.includes(sub)) throw forbidden('Only coaches of this group may do this');
      throw notFound('Group not found');
    },
    of: (userId, as) => model.find({ [as]: userId }).lean(),
  };
}
