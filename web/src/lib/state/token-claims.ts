import type { Role, TokenClaims } from '@interview-prep/contracts/users';

/** What a token says about its user. */
export type UserClaims = Pick<TokenClaims, 'sub' | 'email' | 'role' | 'lastLogin'>;

/** Not contracts' schema: the first load has no zod. */
const roles: Readonly<Record<Role, true>> = { admin: true, dev: true, others: true };

/**
 * The claims of an access token, which the server alone can check: they say what to show, never what is allowed.
 * @returns null for what is no such token. Source: RFC 7519, section 3
 */
export function claimsOf(token: string): UserClaims | null {
  try {
    const payload = (token.split('.')[1] ?? '').replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(payload), (byte) => byte.charCodeAt(0));
    const { sub, email, role, lastLogin } = JSON.parse(new TextDecoder().decode(bytes)) as Partial<UserClaims>;
    if (typeof sub !== 'string' || typeof email !== 'string' || role === undefined || !(role in roles)) return null;
    return { sub, email, role, lastLogin: lastLogin ?? null };
  } catch {
    return null;
  }
}
