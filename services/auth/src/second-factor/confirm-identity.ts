import type { TokenClaims } from '@interview-prep/contracts/users';
import { badRequest, conflict } from '@interview-prep/kit/http-error';
import type { Auth } from '../auth.ts';
import { requireUser } from '../users/find-user.ts';

/** What a step-up may bring. */
export interface Proof {
  password?: string | undefined;
  code?: string | undefined;
}

const refuse = (path: 'password' | 'code', message: string) => badRequest(message, [{ path, message }]);

/**
 * Checks the second factor of a signed-in user who has one, else the password.
 * @returns a token of the same sign-in, issued now, which replaces the earlier one: it ends when the sign-in would have ended
 * @throws HttpError 400 for a wrong proof, 409 for a user who has neither, 429 after too many attempts
 */
export async function confirmIdentity(auth: Auth, claims: TokenClaims, proof: Proof): Promise<string> {
  const { users, passwords, secondFactors, signAccessToken, revokedTokens } = auth;
  await revokedTokens.requireRevocable();
  // Taken before the check, so that what revokes tokens in between revokes this one.
  const issuedAtMs = Date.now();
  const user = await requireUser(users, claims.sub);
  if (user.totp) {
    if (proof.code === undefined) throw refuse('code', 'Please enter a code of your authenticator app.');
    await secondFactors.useCode(user, proof.code);
  } else {
    if (user.passwordHash === undefined) throw conflict('Please sign in again.');
    const isCorrect = await passwords.verify(user.passwordHash, proof.password ?? '');
    if (!isCorrect) throw refuse('password', 'The password is incorrect');
  }
  await revokedTokens.replaceTokens(claims, issuedAtMs);
  return signAccessToken(user, issuedAtMs, claims);
}
