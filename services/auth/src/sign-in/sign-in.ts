import type { SignedInUser, SignInAnswer } from '@interview-prep/contracts/auth/users';
import { HttpError } from '@interview-prep/kit/http/http-error';
import { bumpRevision } from '@interview-prep/kit/redis/outbox';
import { type Types, trusted } from 'mongoose';
import type { Auth } from '../auth.ts';
import { findOwnFactor } from '../second-factor/confirm-identity.ts';
import type { Client } from '../sign-ins/client-of.ts';
import { presentUser } from '../users/present-user.ts';

/** The 403 for a user whom an admin has suspended. */
export function suspended(): HttpError {
  return new HttpError(403, 'suspended', 'Your account is suspended. Please ask an admin.');
}

/**
 * Continues after the first factor, a password or an identity provider: signs in, or asks for the second factor if the user
 * has one or their role requires one.
 * @param condition fields that must be unchanged: the password hash that was checked
 * @returns null if they changed, or the user is deleted
 * @throws HttpError 403 if the user is suspended, or their second factor is a passkey, which signs in by itself
 */
export async function passFirstFactor(
  auth: Auth,
  userId: Types.ObjectId,
  client: Client,
  condition: { passwordHash?: string } = {},
): Promise<SignInAnswer | null> {
  const { users, secondFactors, challenges, factorRoles } = auth;
  // Taken before the user is read, so that a change in between makes the challenge invalid.
  const createdAtMs = Date.now();
  const user = await users
    .findOne({ _id: userId, deletedAt: null, ...condition }, 'email role totp recovery suspendedAt')
    .lean();
  if (!user) return null;
  if (user.suspendedAt) throw suspended();
  if (user.totp) {
    const challenge = await challenges.create(userId, createdAtMs);
    const recovery = user.recovery && user.recovery.hashes.length > 0;
    return { secondFactor: { challenge, methods: recovery ? ['totp', 'recovery-code'] : ['totp'] } };
  }
  if (factorRoles.has(user.role)) {
    // Someone who knows only the password must not be able to set up their own second factor.
    if ((await findOwnFactor(auth, user)) !== null) {
      throw new HttpError(403, 'passkey_required', 'Your account needs your passkey. Choose “Sign in with a passkey”.');
    }
    const { sealed, secret, uri } = secondFactors.newSecret(user.email);
    const challenge = await challenges.create(userId, createdAtMs, sealed);
    return { secondFactor: { challenge, methods: [], enrolment: { secret, uri } } };
  }
  const signedIn = await signIn(auth, userId, client, condition);
  return signedIn && { user: signedIn };
}

/**
 * Signs in a user whose identity has been checked: stores the time, publishes it, and signs a token.
 * @param condition fields that must be unchanged: the password hash that was checked
 * @returns null if they changed, or the user is deleted
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
    { _id: userId, deletedAt: null, suspendedAt: trusted({ $exists: false }), ...condition },
    { $inc: bumpRevision.$inc, $set: { ...bumpRevision.$set, lastLogin: new Date(issuedAtMs) } },
    { returnDocument: 'after' },
  );
  if (!user) {
    if (await users.exists({ _id: userId, deletedAt: null, suspendedAt: trusted({ $exists: true }) }))
      throw suspended();
    return null;
  }
  await outbox.publish(user);
  return { ...presentUser(user), token: await signIns.begin(user, issuedAtMs, client) };
}
