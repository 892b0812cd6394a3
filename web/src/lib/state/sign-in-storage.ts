import type { User } from '@interview-prep/contracts/users';

/** Source: product specification, section 9, storage keys. */
export const storageKeys = { token: 'authToken', user: 'user' } as const;

export interface StoredSignIn {
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

/** The stored user and token; null unless both exist. Removes both if the user record cannot be parsed. */
export function readStoredSignIn(storage: Storage = localStorage): StoredSignIn | null {
  const text = storage.getItem(storageKeys.user);
  const token = storage.getItem(storageKeys.token);
  if (text === null) return null;
  const user = parseUser(text);
  if (user === null) {
    clearStoredSignIn(storage);
    return null;
  }
  return token ? { user, token } : null;
}

/** Writes the user first and the token last: other tabs wait for the token to change. */
export function storeSignIn(user: User, token: string | null, storage: Storage = localStorage): void {
  storage.setItem(storageKeys.user, JSON.stringify(user));
  if (token) storage.setItem(storageKeys.token, token);
  else storage.removeItem(storageKeys.token);
}

export function clearStoredSignIn(storage: Storage = localStorage): void {
  storage.removeItem(storageKeys.user);
  storage.removeItem(storageKeys.token);
}
