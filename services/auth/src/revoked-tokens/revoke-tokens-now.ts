/**
 * Part of an update that ends all of a user's tokens made until now. A token with `nextTokenMs` as the time of its making
 * lives: it is a millisecond ahead, so that one made in this very millisecond does not.
 */
export function revokeTokensNow() {
  const nextTokenMs = Date.now() + 1;
  return { nextTokenMs, fields: { tokensValidAfter: new Date(nextTokenMs), denylistPending: true } };
}
