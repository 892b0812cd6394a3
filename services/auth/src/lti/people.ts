import type { GroupRole } from '@interview-prep/contracts/auth/groups';
import { withRetries } from '@interview-prep/kit/http/edit-version';
import { forbidden, HttpError } from '@interview-prep/kit/http/http-error';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import { Types } from 'mongoose';
import type { Auth } from '../auth.ts';
import { archived } from '../groups/groups.ts';
import type { GroupRecord } from '../groups/model.ts';
import { ltiIdentity, type StoredPlatform } from './model.ts';

/** A course member as described by the platform. */
interface CoursePerson {
  sub: string;
  name?: string | undefined;
  email?: string | undefined;
}

/** The error if the email belongs to a user who has not linked the platform's account. */
export function accountExists(): HttpError {
  return new HttpError(409, 'account_exists', 'There is an account with this email already. Sign in to link it.');
}

/**
 * The user linked to a platform's account. Creates one the first time.
 * @throws HttpError 409 `account_exists` if the email is already taken, 403 without an email
 */
export async function userOf(
  { users, outbox }: Pick<Auth, 'users' | 'outbox'>,
  platform: StoredPlatform,
  { sub, name, email }: CoursePerson,
) {
  const key = ltiIdentity(platform, sub);
  const find = () => users.findOne({ identities: key, deletedAt: null });
  const known = await find();
  if (known) return known;
  if (email === undefined)
    throw forbidden(
      `${platform.name} does not share an email address. Ask your teacher to allow it for this activity.`,
    );
  try {
    const named = name ? { name } : {};
    const user = await users.create({ email, ...named, identities: [key], role: 'others', technologies: [] });
    await outbox.publish(user);
    return user;
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
    // A concurrent request created the user, or the email is taken.
    const other = await find();
    if (other) return other;
    throw accountExists();
  }
}

/**
 * Adds people to a group. Never removes anyone, or demotes a coach to member.
 * @returns the group and its new people
 * @throws HttpError 409 for an archived group
 */
export async function enterGroup(
  { groups, groupOutbox }: Pick<Auth, 'groups' | 'groupOutbox'>,
  { groupId, title }: { groupId: string; title: string },
  entering: readonly { userId: string; role: GroupRole }[],
): Promise<{ group: GroupRecord; added: number }> {
  const _id = new Types.ObjectId(groupId);
  if (!(await groups.groups.exists({ _id }))) {
    const created = await groups.groups.create({ _id, name: title, people: [] }).catch((error: unknown) => {
      if (!isDuplicateKey(error)) throw error;
      return null;
    });
    if (created) await groupOutbox.publish(created);
  }
  return withRetries(async () => {
    const record = await groups.groups.findById(_id).orFail().lean<GroupRecord>();
    if (record.archivedAt) throw archived();
    const people = new Map(record.people.map((person) => [person.userId, person]));
    let changes = 0;
    for (const { userId, role } of entering) {
      const before = people.get(userId);
      if (before && (before.role === role || role === 'member')) continue;
      people.set(userId, { userId, role, joinedAt: before?.joinedAt ?? new Date() });
      changes += 1;
    }
    const added = people.size - record.people.length;
    if (changes === 0) return { group: record, added };
    const group = await groups.change({ _id, revision: record.revision }, { $set: { people: [...people.values()] } });
    return group && { group, added };
  });
}
