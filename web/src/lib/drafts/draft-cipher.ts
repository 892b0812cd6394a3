const ivBytes = 12;
const tagBytes = 16;

/** How much longer encrypted bytes are: IV and tag. */
export const cipherOverheadBytes = ivBytes + tagBytes;

/** Encrypts parts of drafts with one user's key. */
export interface DraftCipher {
  /**
   * Encrypts bytes under a random IV, which comes first in the result.
   * @param name what the bytes are; they can be decrypted under this name alone
   */
  encrypt(bytes: BufferSource, name: string): Promise<ArrayBuffer>;
  /** The bytes; null where they were encrypted with another key or name, or were changed. */
  decrypt(encrypted: ArrayBuffer, name: string): Promise<ArrayBuffer | null>;
}

const algorithmOf = (iv: BufferSource, name: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(name),
  tagLength: 8 * tagBytes,
});

/**
 * Makes a cipher of a key. The key cannot be read out again.
 * @param key 32 bytes as base64url
 * @throws DOMException for a key of another length; TypeError where the page's address is not secure
 */
export async function draftCipher(key: string): Promise<DraftCipher> {
  const raw = Uint8Array.from(atob(key.replaceAll('-', '+').replaceAll('_', '/')), (byte) => byte.charCodeAt(0));
  const { subtle } = crypto;
  const usable = await subtle.importKey('raw', raw, 'AES-GCM', false, ['encrypt', 'decrypt']);
  return {
    async encrypt(bytes, name) {
      const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
      const encrypted = await subtle.encrypt(algorithmOf(iv, name), usable, bytes);
      const whole = new Uint8Array(ivBytes + encrypted.byteLength);
      whole.set(iv);
      whole.set(new Uint8Array(encrypted), ivBytes);
      return whole.buffer;
    },
    async decrypt(encrypted, name) {
      try {
        const iv = encrypted.slice(0, ivBytes);
        return await subtle.decrypt(algorithmOf(iv, name), usable, encrypted.slice(ivBytes));
      } catch {
        return null;
      }
    },
  };
}
