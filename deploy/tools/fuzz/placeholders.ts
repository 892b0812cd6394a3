import type { Account } from './take-sessions.ts';
import { type FreshKind, type OwnKind, ownKinds, type User, type World } from './world.ts';

/**
 * Placeholder in a generated request for a value that is only known on sending: a secret of the caller, or an object that is
 * created for this case. This makes cases reproducible and shrinkable.
 */
export type Placeholder = FreshKind | OwnKind | 'own password';

const pattern = /placeholder-([a-z_-]+)-here/g;

/** The text of a placeholder in a path or body. */
export function placeholderOf(kind: Placeholder): string {
  return `placeholder-${kind.replaceAll(' ', '_')}-here`;
}

export async function fillPlaceholders(text: string, world: World, user: User, account: Account): Promise<string> {
  const values = new Map<string, string>();
  for (const [placeholder, kind = ''] of text.matchAll(pattern)) {
    const wanted = kind.replaceAll('_', ' ') as Placeholder;
    const value = await filling(wanted, world, user, account);
    // Escaped for a JSON string.
    values.set(placeholder, JSON.stringify(value).slice(1, -1));
  }
  return text.replace(pattern, (placeholder) => values.get(placeholder) ?? placeholder);
}

async function filling(wanted: Placeholder, world: World, user: User, account: Account): Promise<string> {
  if (wanted === 'own password') return account.password;
  return isOwn(wanted) ? world.makeOwn(wanted, user) : world.make(wanted);
}

const isOwn = (kind: Placeholder): kind is OwnKind => (ownKinds as readonly string[]).includes(kind);
