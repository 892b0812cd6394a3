import { randomUUID } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { argon2id, owaspCost } from '../secrets/hash-cost.ts';

/** Creates and verifies password hashes. Passwords are normalized (NFKC), so that they match when typed on another keyboard. */
export interface PasswordHashes {
  hash(password: string): Promise<string>;
  /** Without a hash it returns false, after the same time. */
  verify(hash: string | undefined, password: string): Promise<boolean>;
}

/** @param cost lower only in tests, which create many hashes that protect nothing */
export async function createPasswordHashes(cost = owaspCost): Promise<PasswordHashes> {
  const hashOf = (password: string) => hash(password.normalize('NFKC'), { ...argon2id, ...cost });
  const dummyHash = await hashOf(randomUUID());
  return {
    hash: hashOf,
    async verify(stored, password) {
      const isCorrect = await verify(stored ?? dummyHash, password.normalize('NFKC'));
      return isCorrect && stored !== undefined;
    },
  };
}
