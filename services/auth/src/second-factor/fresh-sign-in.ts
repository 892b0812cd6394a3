import { stepUpCode } from '@interview-prep/contracts/auth/step-up-code';
import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import { HttpError } from '@interview-prep/kit/http/http-error';

const maxAgeMs = 10 * 60_000;

/**
 * Whether users proved who they are a short while ago. A token is issued by a sign-in, a step-up or a change of the password:
 * its `iat` is when its user was last checked.
 */
export interface FreshSignIn {
  isFreshSignIn(claims: Pick<TokenClaims, 'iat'>): boolean;
  /** @throws HttpError 403 `step_up_required` */
  requireFreshSignIn(claims: Pick<TokenClaims, 'iat'>): void;
}

export function createFreshSignIn(): FreshSignIn {
  const isFreshSignIn: FreshSignIn['isFreshSignIn'] = ({ iat }) => Date.now() - iat * 1000 < maxAgeMs;
  return {
    isFreshSignIn,
    requireFreshSignIn(claims) {
      if (!isFreshSignIn(claims)) throw new HttpError(403, stepUpCode, "Confirm it's you.");
    },
  };
}
