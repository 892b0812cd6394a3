import type { SealedSecrets } from '../secrets/sealed-secrets.ts';
import { type KeyCause, openKey, type StoredKey, type StoredKeyModel, storeNewKey } from './stored-keys.ts';

/** All stored keys, by number. */
export function readStoredKeys(model: StoredKeyModel): Promise<StoredKey[]> {
  return model.find().sort({ _id: 1 }).lean();
}

/**
 * Makes the next signing key, whatever other processes do in the meantime. The running auth processes carry out the rest.
 * @throws UnusableSetting where KEY_ENCRYPTION_KEY does not open the keys stored so far
 */
export async function rotateSigningKey(
  model: StoredKeyModel,
  secrets: SealedSecrets,
  cause: Extract<KeyCause, 'command' | 'revocation'>,
): Promise<StoredKey> {
  for (;;) {
    const keys = await readStoredKeys(model);
    // A key that auth could not open would end every sign-in.
    for (const { privateJwk } of keys) if (privateJwk !== undefined) openKey(privateJwk, secrets);
    const made = await storeNewKey(model, { latest: keys.at(-1)?._id ?? 0, cause, nowMs: Date.now() }, secrets);
    if (made) return made;
  }
}
