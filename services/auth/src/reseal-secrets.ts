import type { Logger } from '@interview-prep/kit/process/logger';
import { trusted } from 'mongoose';
import { purpose as totpPurpose } from './second-factor/second-factors.ts';
import type { SealedSecrets } from './secrets/sealed-secrets.ts';
import { draftKeyPurpose } from './users/draft-keys.ts';
import type { UserModel, UserRecord } from './users/model.ts';
import type { WebhookModel } from './webhooks/model.ts';
import { webhookSecretPurpose } from './webhooks/webhooks.ts';

/** The secrets of users, with their stored paths. */
const userSecrets = [
  { path: 'totp.secret', purpose: totpPurpose, of: ({ totp }: UserRecord) => totp?.secret },
  { path: 'draftKey', purpose: draftKeyPurpose, of: ({ draftKey }: UserRecord) => draftKey },
] as const;

/**
 * Encrypts the secrets of users and webhooks with the current KEY_ENCRYPTION_KEY if they were stored with another one, or none.
 * Each takes one write; if the process is killed, the next start does the rest. Never throws.
 */
export async function resealSecrets(
  users: UserModel,
  webhooks: WebhookModel,
  secrets: SealedSecrets,
  log: Logger,
): Promise<void> {
  if (!secrets.isSealing) return;
  let resealed = 0;
  try {
    for (const { path, purpose, of } of userSecrets) {
      const withSecret = users.find({ [path]: trusted({ $exists: true }) }, 'totp draftKey').lean();
      for await (const user of withSecret.cursor()) {
        const stored = of(user);
        const sealed = stored === undefined ? null : secrets.reseal(stored, purpose);
        if (sealed === null) continue;
        // Match the stored secret: the user may have set up another app in the meantime.
        await users.updateOne({ _id: user._id, [path]: stored }, { $set: { [path]: sealed } }, { timestamps: false });
        resealed += 1;
      }
    }
    for await (const { _id, secret } of webhooks.find({}, 'secret').lean().cursor()) {
      const sealed = secrets.reseal(secret, webhookSecretPurpose);
      if (sealed === null) continue;
      await webhooks.updateOne({ _id, secret }, { $set: { secret: sealed } });
      resealed += 1;
    }
    if (resealed > 0) log.info({ resealed }, 'encrypted the secrets of users with KEY_ENCRYPTION_KEY');
  } catch (error) {
    log.error({ err: error, resealed }, 'could not encrypt the secrets of users again; the next start will retry');
  }
}
