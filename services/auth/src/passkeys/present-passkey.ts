import type { Passkey } from '@interview-prep/contracts/auth/passkeys';
import type { StoredPasskey } from './model.ts';

/** A passkey as its user sees it. */
export function presentPasskey({ _id, isSynced, createdAt, lastUsedAt }: StoredPasskey): Passkey {
  return {
    id: _id,
    isSynced,
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
  };
}
