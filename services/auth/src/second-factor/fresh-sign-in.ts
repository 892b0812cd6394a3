import { stepUpCode } from '@interview-prep/contracts/auth/step-up-code';
import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import { HttpError } from '@interview-prep/kit/http/http-error';

const maxAgeMs = 10 * 60_000;

/**
 * Whether a user proved their identity recently. Tokens are issued by a sign-in, a step-up or a change of the password, so
 * `iat` is when the user was last checked.
 */
export function isFreshSignIn({ iat }: Pick<TokenClaims, 'iat'>): boolean {
  return Date.now() - iat * 1000 < maxAgeMs;
}

/** @throws HttpError 403 `step_up_required` */
export function requireFreshSignIn(claims: Pick<TokenClaims, 'iat'>): void {
  if (!isFreshSignIn(claims)) throw new HttpError(403, stepUpCode, "Confirm it's you.");
}
