import type { User } from '@interview-prep/contracts/auth/users';

/** An access token with a user's claims. Its signature is invalid, but browsers don't verify it. */
export function tokenOf({ id: sub, email, role, lastLogin }: User, signature = 'signature'): string {
  const claims = new TextEncoder().encode(JSON.stringify({ sub, email, role, lastLogin }));
  return `header.${btoa(String.fromCharCode(...claims))}.${signature}`;
}
