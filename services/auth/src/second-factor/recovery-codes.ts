import { randomBytes, randomInt } from 'node:crypto';
import { hash } from '@node-rs/argon2';

const codeCount = 10;

/** Without letters and digits that look alike. Ten of them have 49 bits. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const codeLength = 10;

/** Codes this short need a slow hash. One salt for a user's codes: a guess costs one hash, not ten. */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** A user's recovery codes that are not used yet. */
export interface StoredRecoveryCodes {
  /** Base64url. */
  salt: string;
  /** argon2id. */
  hashes: string[];
}

/** A code without blanks, hyphens and capitals. */
const folded = (code: string) => code.toLowerCase().replaceAll(/[\s-]/g, '');

/** The hash of a code as it is stored. */
export function recoveryCodeHash(code: string, salt: string): Promise<string> {
  return hash(folded(code), { ...parameters, salt: Buffer.from(salt, 'base64url') });
}

/** Makes ten codes: those to show, once, and what to store. */
export async function makeRecoveryCodes(): Promise<{ codes: string[]; stored: StoredRecoveryCodes }> {
  const salt = randomBytes(16).toString('base64url');
  const codes = Array.from({ length: codeCount }, () => {
    const code = Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join('');
    return `${code.slice(0, codeLength / 2)}-${code.slice(codeLength / 2)}`;
  });
  const hashes: string[] = [];
  for (const code of codes) hashes.push(await recoveryCodeHash(code, salt));
  return { codes, stored: { salt, hashes } };
}
