import { randomBytes, randomInt } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import { argon2id, type HashCost } from '../secrets/hash-cost.ts';

const codeCount = 10;

/** Excludes lookalike characters. Ten of these have 49 bits. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const codeLength = 10;

/** A user's unused recovery codes. */
export interface StoredRecoveryCodes {
  /** Base64url. */
  salt: string;
  /** argon2id. */
  hashes: string[];
}

/** Normalizes a code: lower case, without spaces and hyphens. */
const folded = (code: string) => code.toLowerCase().replaceAll(/[\s-]/g, '');

/**
 * The stored hash of a code. Codes this short need a slow hash. All codes of a user share a salt, so that checking a guess
 * costs one hash, not ten.
 */
export function recoveryCodeHash(code: string, salt: string, cost: HashCost): Promise<string> {
  return hash(folded(code), { ...argon2id, ...cost, salt: Buffer.from(salt, 'base64url') });
}

/** Creates ten codes: `codes` to show once, and `stored` to keep. */
export async function makeRecoveryCodes(cost: HashCost): Promise<{ codes: string[]; stored: StoredRecoveryCodes }> {
  const salt = randomBytes(16).toString('base64url');
  const codes = Array.from({ length: codeCount }, () => {
    const code = Array.from({ length: codeLength }, () => alphabet[randomInt(alphabet.length)]).join('');
    return `${code.slice(0, codeLength / 2)}-${code.slice(codeLength / 2)}`;
  });
  const hashes: string[] = [];
  for (const code of codes) hashes.push(await recoveryCodeHash(code, salt, cost));
  return { codes, stored: { salt, hashes } };
}
