/**
 * Part of an update that revokes all of a user's tokens issued until now. `nextTokenMs`, a millisecond ahead, is the earliest
 * issue time of a valid token: a token issued in this very millisecond is revoked.
 */
export function revokeTokensNow() {
  const nextTokenMs = Date.now() + 1;
  return { nextTokenMs, fields: { tokensValidAfter: new Date(nextTokenMs), denylistPending: true } };
}
