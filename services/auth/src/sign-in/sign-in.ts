import type { SignedInUser } from '@interview-prep/contracts/users';
import { bumpRevision } from '@interview-prep/kit/outbox';
import type { Types } from 'mongoose';
import type { Auth } from '../auth.ts';
import type { Client } from '../sign-ins/client-of.ts';
import { presentUser } from '../users/present-user.ts';

/**
 * Signs in a user whose identity has been checked: stores the time, publishes it, and signs a token.
 * @param condition what must still hold: the password hash that was checked
 * @returns null if it no longer holds, or the user is deleted
 */
export async function signIn(
  { users, outbox, signIns }: Pick<Auth, 'users' | 'outbox' | 'signIns'>,
  userId: Types.ObjectId,
  client: Client,
  condition: { passwordHash?: string } = {},
): Promise<SignedInUser | null> {
  // Taken before the last check, so that a password change in between revokes the token.
  const issuedAtMs = Date.now();
  const user = await users.findOneAndUpdate(
    { _id: userId, deletedAt: null, ...condition },
    { $inc: bumpRevision.$inc, $set: { ...bumpRevision.$set, lastLogin: new Date(issuedAtMs) } },
    { returnDocument: 'after' },
  );
  if (!user) return null;
  await outbox.publish(user);
  return { ...presentUser(user), token: await signIns.begin(user, issuedAtMs, client) };
}
