import type { User } from '@interview-prep/contracts/auth/users';

/** An access token with a user's claims, as a browser reads it: nothing checks its signature. */
export function tokenOf({ id: sub, email, role, lastLogin }: User, signature = 'signature'): string {
  const claims = new TextEncoder().encode(JSON.stringify({ sub, email, role, lastLogin }));
  return `header.${btoa(String.fromCharCode(...claims))}.${signature}`;
}
