import { expect, test } from 'vitest';
import { createPasswordHashes } from '../src/passwords/password-hashes.ts';

test('a password is hashed with argon2id, 19 MiB and two passes, and a salt of its own', async () => {
  const passwords = await createPasswordHashes();
  const [one, other] = [await passwords.hash('a password'), await passwords.hash('a password')];
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(other).not.toBe(one);
  expect(await passwords.verify(one, 'a password')).toBe(true);
  expect(await passwords.verify(undefined, 'a password')).toBe(false);
});
