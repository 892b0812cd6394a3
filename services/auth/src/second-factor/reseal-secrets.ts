import type { Logger } from '@interview-prep/kit/logger';
import { trusted } from 'mongoose';
import type { SealedSecrets } from '../sealed-secrets.ts';
import type { UserModel } from '../users/model.ts';
import { purpose } from './second-factors.ts';

/**
 * Encrypts the secrets of authenticator apps with the current KEY_ENCRYPTION_KEY, where another one, or none, was set when they
 * were stored. Each is one write; what a kill leaves over, the next start does. Never throws.
 */
export async function resealSecrets(users: UserModel, secrets: SealedSecrets, log: Logger): Promise<void> {
  if (!secrets.isSealing) return;
  let resealed = 0;
  try {
    const withSecret = users.find({ 'totp.secret': trusted({ $exists: true }) }, 'totp').lean();
    for await (const { _id, totp } of withSecret.cursor()) {
      const sealed = totp ? secrets.reseal(totp.secret, purpose) : null;
      if (!totp || sealed === null) continue;
      // The condition: the user may have set up another app meanwhile.
      const stored = { _id, 'totp.secret': totp.secret };
      await users.updateOne(stored, { $set: { 'totp.secret': sealed } }, { timestamps: false });
      resealed += 1;
    }
    if (resealed > 0) log.info({ resealed }, 'encrypted the secrets of authenticator apps with KEY_ENCRYPTION_KEY');
  } catch (error) {
    log.error(
      { err: error, resealed },
      'encrypting the secrets of authenticator apps again failed; the next start tries',
    );
  }
}
