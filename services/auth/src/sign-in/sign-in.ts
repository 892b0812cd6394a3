import type { SignedInUser } from '@interview-prep/contracts/users';
import { bumpRevision } from '@interview-prep/kit/outbox';
import type { Types } from 'mongoose';
import type { Auth } from '../auth.ts';
import { presentUser } from '../users/present-user.ts';

/**
 * Signs a user in whose identity has been checked: keeps the time, tells of it, makes the token.
 * @param still what must still be true of the user, besides being there: the password hash that was checked
 * @returns null where it is not any more
 */
export async function signIn(
  { users, outbox, signAccessToken }: Pick<Auth, 'users' | 'outbox' | 'signAccessToken'>,
  userId: Types.ObjectId,
  still: { passwordHash?: string } = {},
): Promise<SignedInUser | null> {
  // Taken before the last check: a password change that comes between check and token ends the token.
  const madeAtMs = Date.now();
  const user = await users.findOneAndUpdate(
    { _id: userId, deletedAt: null, ...still },
    { $inc: bumpRevision.$inc, $set: { ...bumpRevision.$set, lastLogin: new Date(madeAtMs) } },
    { returnDocument: 'after' },
  );
  if (!user) return null;
  await outbox.publish(user);
  return { ...presentUser(user), token: signAccessToken(user, madeAtMs) };
}
