const ivBytes = 12;
const tagBytes = 16;

/** The size overhead of encryption: IV and tag. */
export const cipherOverheadBytes = ivBytes + tagBytes;

/** Encrypts parts of drafts with one user's key. */
export interface DraftCipher {
  /**
   * Encrypts bytes under a random IV, which is prepended to the result.
   * @param name identifies the bytes, which can be decrypted only under the same name
   */
  encrypt(bytes: BufferSource, name: string): Promise<ArrayBuffer>;
  /** The decrypted bytes; null if the key or name differs, or they were tampered with. */
  decrypt(encrypted: ArrayBuffer, name: string): Promise<ArrayBuffer | null>;
}

const algorithmOf = (iv: BufferSource, name: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: new TextEncoder().encode(name),
  tagLength: 8 * tagBytes,
});

/**
 * Creates a cipher from a key, which can't be extracted again.
 * @param key 32 bytes as base64url
 * @throws DOMException for a key of another length; TypeError outside a secure context
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
