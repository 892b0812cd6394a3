import type { User } from '@interview-prep/contracts/auth/users';
import type { UserRecord } from './model.ts';

/** A user as the API shows them: without any hash. */
export function presentUser(user: UserRecord): User {
  return {
    id: user._id.toHexString(),
    email: user.email,
    role: user.role,
    technologies: [...user.technologies],
    plan: user.plan,
    ...(user.reviewMail ? { reviewMail: true } : {}),
    createdAt: user.createdAt.toISOString(),
    lastLogin: user.lastLogin?.toISOString() ?? null,
  };
}
