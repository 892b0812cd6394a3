import { randomUUID } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { argon2id, owaspCost } from '../secrets/hash-cost.ts';

/** Creates and verifies password hashes. Passwords are normalised (NFKC): the same one typed on another keyboard matches. */
export interface PasswordHashes {
  hash(password: string): Promise<string>;
  /** Without a hash the result is false, after the same time. */
  verify(hash: string | undefined, password: string): Promise<boolean>;
}

/** @param cost less only where many hashes are made that protect nothing: in tests */
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
