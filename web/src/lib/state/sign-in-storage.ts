import { defaultPlan } from '@interview-prep/contracts/auth/plans';
import type { Role, TokenClaims, User } from '@interview-prep/contracts/auth/users';

/** The claims of a token that are used. */
type UserClaims = Pick<TokenClaims, 'sub' | 'email' | 'role' | 'lastLogin'>;

/** Doesn't use the schema of contracts, to keep zod out of the first load. */
const roles: Readonly<Record<Role, true>> = { admin: true, dev: true, others: true };

/**
 * The claims of an access token. They are unverified, so they decide only what to show, never what is allowed.
 * @returns null if it is not an access token. Source: RFC 7519, section 3
 */
function claimsOf(token: string): UserClaims | null {
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

/** Source: product specification, section 9, storage keys. */
export const storageKeys = { token: 'authToken', user: 'user' } as const;

export interface StoredSignIn {
  user: User;
  token: string;
}

/** The user record stored with the token. Email, role and last login are only in the token's claims. */
type StoredUser = Omit<User, 'email' | 'role' | 'lastLogin'>;

function storedUserOf({ id, technologies, plan, reviewMail, createdAt }: StoredUser): StoredUser {
  return { id, technologies, plan, createdAt, ...(reviewMail === undefined ? {} : { reviewMail }) };
}

function parseUser(text: string): StoredUser | null {
  try {
    const value = JSON.parse(text) as Partial<StoredUser> | null;
    if (typeof value !== 'object' || value === null || typeof value.id !== 'string') return null;
    return storedUserOf({ technologies: [], plan: defaultPlan, createdAt: '', ...value, id: value.id });
  } catch {
    return null;
  }
}

/**
 * The stored user and token; null unless both exist and belong to the same user. Removes both if one can't be read. Fields
 * that the token contains are removed from records of earlier releases.
 */
export function readStoredSignIn(storage: Storage = localStorage): StoredSignIn | null {
  const text = storage.getItem(storageKeys.user);
  const token = storage.getItem(storageKeys.token);
  if (text === null) return null;
  const stored = parseUser(text);
  const claims = token ? claimsOf(token) : null;
  if (stored === null || (token && claims === null)) {
    clearStoredSignIn(storage);
    return null;
  }
  const record = JSON.stringify(stored);
  if (record !== text) storage.setItem(storageKeys.user, record);
  // Another tab may be between the two writes of a login: its token is about to follow.
  if (!token || claims?.sub !== stored.id) return null;
  const { email, role, lastLogin } = claims;
  return { user: { ...stored, email, role, lastLogin }, token };
}

/** Writes the user first and the token last: other tabs wait for the token to change. */
export function storeSignIn(user: User, token: string | null, storage: Storage = localStorage): void {
  storage.setItem(storageKeys.user, JSON.stringify(storedUserOf(user)));
  if (token) storage.setItem(storageKeys.token, token);
  else storage.removeItem(storageKeys.token);
}

export function clearStoredSignIn(storage: Storage = localStorage): void {
  storage.removeItem(storageKeys.user);
  storage.removeItem(storageKeys.token);
}
