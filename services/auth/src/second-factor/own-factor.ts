import type { Auth } from '../auth.ts';
import type { UserRecord } from '../users/model.ts';

/**
 * The second factor that a user has, which a password cannot replace. A passkey is one where the role needs a second factor.
 * For other roles it is only another way to sign in.
 */
export async function findOwnFactor(
  { passkeyRecords, factorRoles }: Pick<Auth, 'passkeyRecords' | 'factorRoles'>,
  { _id, role, totp }: Pick<UserRecord, '_id' | 'role' | 'totp'>,
): Promise<'totp' | 'passkey' | null> {
  if (totp) return 'totp';
  if (!factorRoles.has(role)) return null;
  return (await passkeyRecords.exists({ userId: _id })) ? 'passkey' : null;
}
