/**
 * Part of an update that revokes all of a user's tokens issued until now. `nextTokenMs`, a millisecond ahead, is the earliest
 * issue time of a valid token: a token issued in this very millisecond is revoked.
 * @param keptSignIn the `jti` of the one sign-in that stays valid
 */
export function revokeTokensNow(keptSignIn: string | null = null) {
  const nextTokenMs = Date.now() + 1;
  return { nextTokenMs, fields: { tokensValidAfter: new Date(nextTokenMs), keptSignIn, denylistPending: true } };
}
