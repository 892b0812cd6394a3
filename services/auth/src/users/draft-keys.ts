import { randomBytes } from 'node:crypto';
import { trusted } from 'mongoose';
import type { SealedSecrets } from '../secrets/sealed-secrets.ts';
import { requireUser } from './find-user.ts';
import type { UserModel } from './model.ts';

/** The `purpose` that draft keys are sealed for. */
export const draftKeyPurpose = 'draft-key';

/**
 * Returns the key that encrypts a user's unsent answers in the browser: 32 random bytes as base64url.
 * @throws HttpError 401 if the user is deleted
 */
export type DraftKeys = (userId: string) => Promise<string>;

/** A key is created on first use; of several concurrent calls, the first one's key is kept. */
export function createDraftKeys(users: UserModel, secrets: SealedSecrets): DraftKeys {
  return async (userId) => {
    const { draftKey: known } = await requireUser(users, userId);
    if (known !== undefined) return secrets.open(known, draftKeyPurpose);
    const made = secrets.seal(randomBytes(32).toString('base64url'), draftKeyPurpose);
    await users.updateOne(
      { _id: userId, deletedAt: null, draftKey: trusted({ $exists: false }) },
      { $set: { draftKey: made } },
      { timestamps: false },
    );
    const { draftKey } = await requireUser(users, userId);
    if (draftKey === undefined) throw new Error('The key of a user was not stored');
    return secrets.open(draftKey, draftKeyPurpose);
  };
}
