import { createHash, randomBytes } from 'node:crypto';
import type { Group, GroupDetail, GroupRole, InvitationState } from '@interview-prep/contracts/auth/groups';
import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import { conflict, forbidden, notFound } from '@interview-prep/kit/http/http-error';
import { bumpRevision, type Outbox } from '@interview-prep/kit/redis/outbox';
import { trusted } from 'mongoose';
import type { UserModel } from '../users/model.ts';
import { shownCode } from './join-code.ts';
import type { GroupModels, GroupRecord, InvitationModel, InvitationRecord } from './model.ts';

/** The group models, with operations that several routes share. */
export interface Groups extends GroupModels {
  /** The group, if the caller may manage it: its coaches and admins. @throws HttpError 404 for outsiders, 403 for members */
  requireCoach(id: string, claims: TokenClaims): Promise<GroupRecord>;
  /** @throws HttpError 404 for outsiders */
  requireInside(id: string, claims: TokenClaims): Promise<GroupRecord>;
  /** Changes a group and publishes it. @returns null if the filter doesn't match */
  change(filter: object, update: object): Promise<GroupRecord | null>;
  list(records: readonly GroupRecord[], userId: string): Promise<Group[]>;
  /** @param manages whether the reader sees people, invitations and code */
  detail(record: GroupRecord, userId: string, manages: boolean): Promise<GroupDetail>;
  /** Adds a member. @param usesSeat whether this uses up one of the code's seats. @throws HttpError 409 if none is left, or the group is archived */
  join(record: GroupRecord, userId: string, usesSeat: boolean): Promise<void>;
  /** An invitation that can be accepted; null for any other token. */
  findInvitation(token: string): Promise<InvitationRecord | null>;
  isCoach(userId: string, groupId?: string): Promise<boolean>;
  /** The groups a user is in, as the user sees them. */
  of(userId: string): Promise<{ name: string; role: GroupRole; joinedAt: string }[]>;
  /** Removes a deleted user from all groups, and deletes invitations to their address. */
  forget(userId: string, email: string): Promise<void>;
  /** Removes deleted users from groups again, in case a restored backup brought them back. */
  forgetDeleted(): Promise<void>;
}

export function archived() {
  return conflict('This group is archived');
}

const hashOf = (token: string) => createHash('sha256').update(token).digest('base64url');

/** Makes the token of an invitation; earlier ones stop working. */
export async function makeInvitationToken(invitations: InvitationModel, _id: InvitationRecord['_id']): Promise<string> {
  const token = randomBytes(32).toString('base64url');
  await invitations.updateOne({ _id }, { $set: { tokenHash: hashOf(token) } });
  return token;
}

/** The URL of the page that accepts an invitation or a code. The secret is in the fragment, which browsers never send to a server. */
export function joinUrl(publicUrl: string, key: { token: string } | { code: string }): string {
  return `${publicUrl}/join#${new URLSearchParams(key)}`;
}

function stateOf({ expiresAt, failedAt, sentAt }: InvitationRecord): InvitationState {
  if (expiresAt <= new Date()) return 'expired';
  if (failedAt) return 'failed';
  return sentAt ? 'sent' : 'queued';
}

export function createGroups(
  { groups, invitations }: GroupModels,
  users: UserModel,
  outbox: Outbox<GroupRecord>,
): Groups {
  /** The names and email addresses of users by id, without deleted users. */
  const namesOf = async (ids: readonly string[]) => {
    const found = await users
      .find({ _id: trusted({ $in: ids }), deletedAt: null }, 'email name assignmentMail suspendedAt')
      .lean();
    return new Map(
      found.map(({ _id, email, name, assignmentMail, suspendedAt }) => {
        const isUnreached = assignmentMail === false || suspendedAt !== undefined;
        const known = { email, ...(name ? { name } : {}) };
        return [String(_id), { known, ...(isUnreached ? { workMail: false as const } : {}) }];
      }),
    );
  };
  const present = (record: GroupRecord, userId: string, names: Awaited<ReturnType<typeof namesOf>>): Group => {
    const { _id, name, people, archivedAt, createdAt } = record;
    return {
      id: String(_id),
      name,
      archivedAt: archivedAt?.toISOString() ?? null,
      role: people.find((person) => person.userId === userId)?.role ?? null,
      coaches: people.flatMap((person) => {
        const known = names.get(person.userId);
        return person.role === 'coach' && known ? [{ userId: person.userId, ...known.known }] : [];
      }),
      memberCount: people.filter(({ role }) => role === 'member').length,
      createdAt: createdAt.toISOString(),
    };
  };

  const requireInside: Groups['requireInside'] = async (id, { sub, role }) => {
    const record = await groups.findById(id).lean();
    if (!record || (role !== 'admin' && !record.people.some(({ userId }) => userId === sub)))
      throw notFound('Group not found');
    return record;
  };

  const change: Groups['change'] = async (filter, update) => {
    const { $set = {}, ...rest } = update as { $set?: object };
    const changed = await groups.findOneAndUpdate(
      filter,
      { ...rest, $set: { ...bumpRevision.$set, ...$set }, $inc: bumpRevision.$inc },
      { returnDocument: 'after' },
    );
    if (changed) await outbox.publish(changed);
    return changed?.toObject() ?? null;
  };

  const removeEverywhere = async (userId: string) => {
    for (const { _id } of await groups.find({ 'people.userId': userId }, '_id').lean()) {
      await change({ _id }, { $pull: { people: { userId } } });
    }
  };

  return {
    groups,
    invitations,
    requireInside,
    change,
    async requireCoach(id, claims) {
      const record = await requireInside(id, claims);
      const isCoach = record.people.some(({ userId, role }) => userId === claims.sub && role === 'coach');
      if (!isCoach && claims.role !== 'admin') throw forbidden('Only coaches of this group may do this');
      return record;
    },
    async list(records, userId) {
      const coaches = records.flatMap(({ people }) => people.filter(({ role }) => role === 'coach'));
      const names = await namesOf([...new Set(coaches.map((person) => person.userId))]);
      return records.map((record) => present(record, userId, names));
    },
    async detail(record, userId, manages) {
      const shown = manages ? record.people : record.people.filter(({ role }) => role === 'coach');
      const names = await namesOf(shown.map((person) => person.userId));
      const group = present(record, userId, names);
      if (!manages) return { ...group, people: [], invitations: [], joinCode: null };
      const { join } = record;
      const invited = await invitations.find({ groupId: record._id }).sort({ email: 1 }).lean();
      return {
        ...group,
        people: record.people.flatMap((person) => {
          const found = names.get(person.userId);
          if (!found) return [];
          const { known, ...mails } = found;
          return [{ ...person, joinedAt: person.joinedAt.toISOString(), ...known, ...mails }];
        }),
        invitations: invited.map((one) => ({
          id: String(one._id),
          email: one.email,
          ...(one.name ? { name: one.name } : {}),
          state: stateOf(one),
          invitedAt: one.invitedAt.toISOString(),
          expiresAt: one.expiresAt.toISOString(),
        })),
        joinCode: join
          ? {
              code: shownCode(join.code),
              seats: join.seats,
              seatsLeft: join.left,
              expiresAt: join.expiresAt.toISOString(),
            }
          : null,
      };
    },
    async join({ _id, join }, userId, usesSeat) {
      const outside = { _id, archivedAt: null, 'people.userId': trusted({ $ne: userId }) };
      const seat = usesSeat
        ? {
            'join.code': join?.code ?? '',
            'join.left': trusted({ $gt: 0 }),
            'join.expiresAt': trusted({ $gt: new Date() }),
          }
        : {};
      const $push = { people: { userId, role: 'member', joinedAt: new Date() } };
      const joined = await groups.findOneAndUpdate(
        { ...outside, ...seat },
        { $push, $set: bumpRevision.$set, $inc: { ...bumpRevision.$inc, ...(usesSeat ? { 'join.left': -1 } : {}) } },
        { returnDocument: 'after' },
      );
      if (joined) return outbox.publish(joined);
      const now = await groups.findById(_id).lean();
      if (now?.people.some((person) => person.userId === userId)) return;
      throw !now || now.archivedAt ? archived() : conflict('All seats of this group are taken');
    },
    async findInvitation(token) {
      const found = await invitations.findOne({ tokenHash: hashOf(token) }).lean();
      return found && found.expiresAt > new Date() ? found : null;
    },
    async isCoach(userId, groupId) {
      const found = await groups
        .find({ ...(groupId ? { _id: groupId } : {}), 'people.userId': userId }, 'people')
        .lean();
      return found.some(({ people }) => people.some((one) => one.userId === userId && one.role === 'coach'));
    },
    async of(userId) {
      const records = await groups.find({ 'people.userId': userId }).sort({ name: 1 }).lean();
      return records.flatMap(({ name, people }) =>
        people
          .filter((person) => person.userId === userId)
          .map(({ role, joinedAt }) => ({ name, role, joinedAt: joinedAt.toISOString() })),
      );
    },
    async forget(userId, email) {
      await removeEverywhere(userId);
      await invitations.deleteMany({ email });
    },
    async forgetDeleted() {
      const ids = new Set(
        (await groups.find({}, 'people').lean()).flatMap(({ people }) => people.map((one) => one.userId)),
      );
      const deleted = await users
        .find({ _id: trusted({ $in: [...ids] }), deletedAt: trusted({ $ne: null }) }, '_id')
        .lean();
      for (const { _id } of deleted) await removeEverywhere(String(_id));
    },
  };
}
