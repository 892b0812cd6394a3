import {
  makePasskey,
  type SignedChallenge,
  type SoftwarePasskey,
  assertion as signAssertion,
  registration as signRegistration,
} from '@interview-prep/kit/testing/software-passkey';
import type { StartedAuth } from './start-auth.ts';

/** The tests' site: PUBLIC_URL must match it. */
const site = { origin: 'https://prep.example.com', host: 'prep.example.com' };

/** The data that the authenticator signs. The site is the tests' own, unless an attack uses another. */
export type Signed = Pick<SignedChallenge, 'challenge'> & Partial<SignedChallenge>;

/** An authenticator's response when it uses a passkey. */
export function assertion(passkey: Pick<SoftwarePasskey, 'id' | 'privateKey'>, signed: Signed) {
  return signAssertion(passkey, { ...site, counter: 1, ...signed });
}

/** An authenticator's response when it has created a passkey. */
export function registration(passkey: SoftwarePasskey, challenge: string) {
  return signRegistration(passkey, { ...site, challenge });
}

/** Stores a passkey on the server. */
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
