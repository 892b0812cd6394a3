import type { SignInAnswer } from '@interview-prep/contracts/users';
import type { Types } from 'mongoose';
import type { Auth } from '../auth.ts';
import type { Client } from '../sign-ins/client-of.ts';
import { signIn } from './sign-in.ts';

/**
 * Goes on after the first factor, a password or a third party's word: signs in, or asks for the second factor where the user
 * has one or their role needs one.
 * @param condition what must still hold: the password hash that was checked
 * @returns null if it no longer holds, or the user is deleted
 */
export async function passFirstFactor(
  auth: Auth,
  userId: Types.ObjectId,
  client: Client,
  condition: { passwordHash?: string } = {},
): Promise<SignInAnswer | null> {
  const { users, secondFactors, challenges, factorRoles } = auth;
  // Taken before the user is read, so that what changes in between ends the challenge.
  const createdAtMs = Date.now();
  const user = await users.findOne({ _id: userId, deletedAt: null, ...condition }, 'email role totp recovery').lean();
  if (!user) return null;
  if (user.totp) {
    const challenge = await challenges.create(userId, createdAtMs);
    const recovery = user.recovery && user.recovery.hashes.length > 0;
    return { secondFactor: { challenge, methods: recovery ? ['totp', 'recovery-code'] : ['totp'] } };
  }
  if (factorRoles.has(user.role)) {
    const { sealed, secret, uri } = secondFactors.newSecret(user.email);
    const challenge = await challenges.create(userId, createdAtMs, sealed);
    return { secondFactor: { challenge, methods: [], enrolment: { secret, uri } } };
  }
  const signedIn = await signIn(auth, userId, client, condition);
  return signedIn && { user: signedIn };
}
