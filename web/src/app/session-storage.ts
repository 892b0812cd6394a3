import type { User } from '@interview-prep/contracts/users';

/** Source: product specification, section 9, storage keys. */
export const storageKeys = { token: 'authToken', user: 'user' } as const;

export interface StoredSession {
  user: User;
  token: string;
}

function isUser(value: unknown): value is User {
  if (typeof value !== 'object' || value === null) return false;
  const { id, email, role } = value as Partial<User>;
  return typeof id === 'string' && typeof email === 'string' && typeof role === 'string';
}

function parseUser(text: string): User | null {
  try {
    const value: unknown = JSON.parse(text);
    return isUser(value) ? value : null;
  } catch {
    return null;
  }
}

/** The session that a former visit left: both records, or none. A user record that cannot be read removes both. */
export function readSession(storage: Storage = localStorage): StoredSession | null {
  const text = storage.getItem(storageKeys.user);
  const token = storage.getItem(storageKeys.token);
  if (text === null) return null;
  const user = parseUser(text);
  if (user === null) {
    clearSession(storage);
    return null;
  }
  return token ? { user, token } : null;
}

/** Keeps the user and, if there is one, the token. */
export function writeSession(user: User, token: string | null, storage: Storage = localStorage): void {
  storage.setItem(storageKeys.user, JSON.stringify(user));
  if (token) storage.setItem(storageKeys.token, token);
  else storage.removeItem(storageKeys.token);
}

export function clearSession(storage: Storage = localStorage): void {
  storage.removeItem(storageKeys.user);
  storage.removeItem(storageKeys.token);
}
