import { expect, test } from 'vitest';
import { createPasswordHashes } from '../src/passwords/password-hashes.ts';
import { createSecondFactors } from '../src/second-factor/second-factors.ts';
import { createSealedSecrets } from '../src/secrets/sealed-secrets.ts';

test('a password is hashed with argon2id, 19 MiB, two passes and its own salt', async () => {
  const passwords = await createPasswordHashes();
  const [one, other] = [await passwords.hash('a password'), await passwords.hash('a password')];
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(other).not.toBe(one);
  expect(await passwords.verify(one, 'a password')).toBe(true);
  expect(await passwords.verify(undefined, 'a password')).toBe(false);
});

test('recovery codes are hashed like passwords', async () => {
  const updates: { $set: { recovery: { hashes: string[] } } }[] = [];
  const users = { updateOne: async (_filter: object, update: (typeof updates)[number]) => updates.push(update) };
  const secondFactors = createSecondFactors(users as never, createSealedSecrets(undefined), 0);
  expect(await secondFactors.renewRecoveryCodes('a user' as never)).toHaveLength(10);
  const { hashes } = updates[0]!.$set.recovery;
  expect(hashes).toHaveLength(10);
  for (const hash of hashes) expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
});
