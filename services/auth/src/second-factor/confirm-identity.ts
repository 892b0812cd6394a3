import type { UsedPasskey } from '@interview-prep/contracts/auth/passkeys';
import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import { conflict, HttpError, invalidField } from '@interview-prep/kit/http/http-error';
import type { z } from 'zod';
import type { Auth } from '../auth.ts';
import { requireUser } from '../users/find-user.ts';
import type { UserRecord } from '../users/model.ts';

/**
 * Finds a user's second factor, for which a password is no substitute. A passkey counts only if the role requires a second
 * factor; for other roles it is just another way to sign in.
 */
export async function findOwnFactor(
  { passkeyRecords, factorRoles }: Pick<Auth, 'passkeyRecords' | 'factorRoles'>,
  { _id, role, totp }: Pick<UserRecord, '_id' | 'role' | 'totp'>,
): Promise<'totp' | 'passkey' | null> {
  if (totp) return 'totp';
  if (!factorRoles.has(role)) return null;
  return (await passkeyRecords.exists({ userId: _id })) ? 'passkey' : null;
}

interface Proof {
  password?: string | undefined;
  code?: string | undefined;
  passkey?: z.infer<typeof UsedPasskey> | undefined;
}

/**
 * Checks a signed-in user's second factor, or the password if they have none. A passkey always suffices.
 * @returns a token of the same sign-in, issued now, which replaces the earlier one. It expires when the sign-in does
 * @throws HttpError 400 for a wrong proof, 409 for a user who has neither, 429 after too many attempts
 */
export async function confirmIdentity(auth: Auth, claims: TokenClaims, proof: Proof): Promise<string> {
  const { users, passwords, passkeys, secondFactors, signAccessToken, revokedTokens } = auth;
  await revokedTokens.requireRevocable();
  // Taken before the check, so that a revocation in between also revokes this token.
  const issuedAtMs = Date.now();
  const user = await requireUser(users, claims.sub);
  const factor = await findOwnFactor(auth, user);
  if (proof.passkey !== undefined) {
    const owner = await passkeys.signIn(proof.passkey).catch((error: unknown) => {
      // On a signed-in route, 401 would mean that our own token is invalid.
      throw error instanceof HttpError && error.status === 401 ? invalidField('passkey', error.message) : error;
    });
    if (!owner.equals(user._id)) throw invalidField('passkey', 'This passkey could not be verified. Please try again.');
  } else if (factor === 'passkey') {
    throw invalidField('passkey', 'Please use your passkey.');
  } else if (factor === 'totp') {
    if (proof.code === undefined) throw invalidField('code', 'Please enter a code of your authenticator app.');
    await secondFactors.useCode(user, proof.code);
  } else {
    if (user.passwordHash === undefined) throw conflict('Please sign in again.');
    const isCorrect = await passwords.verify(user.passwordHash, proof.password ?? '');
    if (!isCorrect) throw invalidField('password', 'The password is incorrect');
  }
  await revokedTokens.replaceTokens(claims, issuedAtMs);
  return signAccessToken(user, issuedAtMs, claims);
}
