import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { UnusableSetting } from '@interview-prep/kit/config';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** Marks a sealed text, with the version of the format. */
const mark = 'sealed1:';

/** Encrypts secrets before they are stored, where KEY_ENCRYPTION_KEY is set. */
export interface SealedSecrets {
  /** Whether there is a key. */
  readonly isSealing: boolean;
  /** The text to store. Without a key it is the secret itself. @param purpose what it is; it opens for no other */
  seal(secret: string, purpose: string): string;
  /** @throws UnusableSetting where the text was sealed with another key, or with one and there is none */
  open(stored: string, purpose: string): string;
}

/** @param key KEY_ENCRYPTION_KEY; undefined stores secrets as they are */
export function createSealedSecrets(key: string | undefined): SealedSecrets {
  const derived = key === undefined ? null : Buffer.from(hkdfSync('sha256', key, '', 'interview-prep secrets', 32));
  return {
    isSealing: derived !== null,
    seal(secret, purpose) {
      if (!derived) return secret;
      const iv = randomBytes(ivBytes);
      const cipher = createCipheriv(algorithm, derived, iv).setAAD(Buffer.from(purpose));
      const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
      return mark + Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
    },
    open(stored, purpose) {
      if (!stored.startsWith(mark)) return stored;
      if (!derived)
        throw new UnusableSetting('KEY_ENCRYPTION_KEY', 'is required: stored secrets are encrypted with it');
      const sealed = Buffer.from(stored.slice(mark.length), 'base64url');
      try {
        const decipher = createDecipheriv(algorithm, derived, sealed.subarray(0, ivBytes))
          .setAAD(Buffer.from(purpose))
          .setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
        return decipher.update(sealed.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
      } catch (error) {
        throw new UnusableSetting(
          'KEY_ENCRYPTION_KEY',
          'is another than the one that encrypted the stored secrets',
          error,
        );
      }
    },
  };
}
