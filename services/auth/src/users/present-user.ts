import type { User } from '@interview-prep/contracts/auth/users';
import { versionOf } from '@interview-prep/kit/http/edit-version';
import type { UserRecord } from './model.ts';

/** A user's editable fields, from which the version is computed. */
export function editedFields({
  name,
  technologies,
  role,
  email,
  suspendedAt,
}: Pick<UserRecord, 'name' | 'technologies' | 'role' | 'email' | 'suspendedAt'>) {
  return { name: name ?? '', technologies: [...technologies], role, email, suspended: suspendedAt !== undefined };
}

/** A user as returned by the API: without any hash. */
export function presentUser(user: UserRecord): User {
  return {
    id: user._id.toHexString(),
    email: user.email,
    ...(user.name ? { name: user.name } : {}),
    role: user.role,
    technologies: [...user.technologies],
    plan: user.plan,
    ...(user.reviewMail ? { reviewMail: true } : {}),
    ...(user.appealMail ? { appealMail: true } : {}),
    ...(user.assignmentMail === false ? { assignmentMail: false } : {}),
    createdAt: user.createdAt.toISOString(),
    lastLogin: user.lastLogin?.toISOString() ?? null,
    ...(user.suspendedAt ? { suspendedAt: user.suspendedAt.toISOString() } : {}),
    version: versionOf(editedFields(user)),
  };
}
