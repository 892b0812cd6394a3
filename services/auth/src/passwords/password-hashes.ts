import { randomUUID } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** What a hash costs. `memoryCost`: KiB. `timeCost`: passes. */
export interface HashCost {
  memoryCost: number;
  timeCost: number;
}

/** OWASP's parameters for argon2id. */
const owaspCost: HashCost = { memoryCost: 19_456, timeCost: 2 };
/** 2 is argon2id in the library's const enum, which type stripping can't read. */
const argon2id = { algorithm: 2, parallelism: 1 };

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
