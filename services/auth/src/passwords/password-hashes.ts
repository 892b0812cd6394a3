import { randomUUID } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';

/** OWASP's parameters for argon2id (2 in the library's const enum, which type stripping can't read): 19 MiB, two passes, one lane. */
const parameters = { algorithm: 2, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Makes and checks password hashes. The same password typed on another keyboard is the same (NFKC). */
export interface PasswordHashes {
  hash(password: string): Promise<string>;
  /** Takes the same time where there is no hash to check against; then the answer is false. */
  verify(hash: string | undefined, password: string): Promise<boolean>;
}

export async function createPasswordHashes(): Promise<PasswordHashes> {
  const hashOf = (password: string) => hash(password.normalize('NFKC'), parameters);
  const nobodys = await hashOf(randomUUID());
  return {
    hash: hashOf,
    async verify(stored, password) {
      const right = await verify(stored ?? nobodys, password.normalize('NFKC'));
      return right && stored !== undefined;
    },
  };
}
