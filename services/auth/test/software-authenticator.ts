import {
  makePasskey,
  type SignedChallenge,
  type SoftwarePasskey,
  assertion as signAssertion,
  registration as signRegistration,
} from '@interview-prep/kit/testing/software-passkey';
import type { StartedAuth } from './start-auth.ts';

/** The site of the tests: PUBLIC_URL must name it. */
const site = { origin: 'https://prep.example.com', host: 'prep.example.com' };

/** The data that the authenticator signs; the site is the tests' own unless an attack uses another. */
export type Signed = Pick<SignedChallenge, 'challenge'> & Partial<SignedChallenge>;

/** The answer of an authenticator that uses a passkey. */
export function assertion(passkey: Pick<SoftwarePasskey, 'id' | 'privateKey'>, signed: Signed) {
  return signAssertion(passkey, { ...site, counter: 1, ...signed });
}

/** The answer of an authenticator that has made a passkey. */
export function registration(passkey: SoftwarePasskey, challenge: string) {
  return signRegistration(passkey, { ...site, challenge });
}

/** Stores a passkey that the server then knows. */
export async function storePasskey(started: StartedAuth, userId: string, counter = 0): Promise<SoftwarePasskey> {
  const passkey = makePasskey();
  await started.auth.passkeyRecords.create({
    _id: passkey.id,
    userId,
    publicKey: passkey.publicKey,
    counter,
    isSynced: false,
    createdAt: new Date(),
  });
  return passkey;
}
