import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { UnusableSetting } from '@interview-prep/kit/process/config';

const algorithm = 'aes-256-gcm';
const ivBytes = 12;
const tagBytes = 16;

/** The prefix of sealed text, with the version of the format. */
const mark = 'sealed1:';

/** Encrypts secrets before they are stored, if KEY_ENCRYPTION_KEY is set. */
export interface SealedSecrets {
  /** Whether there is a key. */
  readonly isSealing: boolean;
  /** The text to store. Without a key it is the secret itself. @param purpose the kind of secret; `open` needs the same one */
  seal(secret: string, purpose: string): string;
  /** @throws UnusableSetting if the text was sealed with another key, or is sealed and there is no key */
  open(stored: string, purpose: string): string;
  /**
   * The text sealed with the current key, to replace the stored one; null if it already is, or there is no key.
   * @throws UnusableSetting as `open` does
   */
  reseal(stored: string, purpose: string): string | null;
}

/**
 * @param key KEY_ENCRYPTION_KEY; if undefined, secrets are stored in plain text
 * @param previous KEY_ENCRYPTION_KEY_PREVIOUS; opens secrets that have not been sealed with the current key yet
 */
export function createSealedSecrets(key: string | undefined, previous?: string | undefined): SealedSecrets {
  const current = key === undefined ? null : derive(key);
  const keys = [current, previous === undefined ? null : derive(previous)].filter((each) => each !== null);
  const seal = (secret: string, purpose: string) => (current ? sealWith(current, secret, purpose) : secret);
  const open = (stored: string, purpose: string) => {
    if (!stored.startsWith(mark)) return stored;
    if (keys.length === 0)
      throw new UnusableSetting('KEY_ENCRYPTION_KEY', 'is required: stored secrets are encrypted with it');
    for (const each of keys) {
      const secret = openWith(each, stored, purpose);
      if (secret !== null) return secret;
    }
    throw new UnusableSetting('KEY_ENCRYPTION_KEY', 'is another than the one that encrypted the stored secrets');
  };
  return {
    isSealing: current !== null,
    seal,
    open,
    reseal(stored, purpose) {
      const isCurrent = current && stored.startsWith(mark) && openWith(current, stored, purpose) !== null;
      return !current || isCurrent ? null : seal(open(stored, purpose), purpose);
    },
  };
}

const derive = (key: string) => Buffer.from(hkdfSync('sha256', key, '', 'interview-prep secrets', 32));

function sealWith(key: Buffer, secret: string, purpose: string): string {
  const iv = randomBytes(ivBytes);
  const cipher = createCipheriv(algorithm, key, iv).setAAD(Buffer.from(purpose));
  const text = Buffer.concat([cipher.update(secret, 'utf8'), cipher.final()]);
  return mark + Buffer.concat([iv, cipher.getAuthTag(), text]).toString('base64url');
}

/** The secret; null if it was sealed with another key. */
function openWith(key: Buffer, stored: string, purpose: string): string | null {
  const sealed = Buffer.from(stored.slice(mark.length), 'base64url');
  try {
    const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, ivBytes), { authTagLength: tagBytes })
      .setAAD(Buffer.from(purpose))
      .setAuthTag(sealed.subarray(ivBytes, ivBytes + tagBytes));
    return decipher.update(sealed.subarray(ivBytes + tagBytes), undefined, 'utf8') + decipher.final('utf8');
  } catch {
    return null;
  }
}
