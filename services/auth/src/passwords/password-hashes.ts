import { randomUUID } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** OWASP's parameters for argon2id (2 in the library's const enum, which type stripping can't read): 19 MiB, two passes, one lane. */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Creates and verifies password hashes. Passwords are normalised (NFKC): the same one typed on another keyboard matches. */
export interface PasswordHashes {
  hash(password: string): Promise<string>;
  /** Without a hash the result is false, after the same time. */
  verify(hash: string | undefined, password: string): Promise<boolean>;
}

export async function createPasswordHashes(): Promise<PasswordHashes> {
  const hashOf = (password: string) => hash(password.normalize('NFKC'), parameters);
  const dummyHash = await hashOf(randomUUID());
  return {
    hash: hashOf,
    async verify(stored, password) {
      const isCorrect = await verify(stored ?? dummyHash, password.normalize('NFKC'));
      return isCorrect && stored !== undefined;
    },
  };
}
