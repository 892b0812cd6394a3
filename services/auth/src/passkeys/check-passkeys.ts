import { isIP } from 'node:net';
import type { NewPasskey, UsedPasskey } from '@interview-prep/contracts/auth/passkeys';
import { badRequest, conflict, HttpError, unauthorized } from '@interview-prep/kit/http/http-error';
import { outageOf } from '@interview-prep/kit/process/outages';
import { type Types, trusted } from 'mongoose';
import type { z } from 'zod';
import type { UserRecord } from '../users/model.ts';
import type { PasskeyModel, StoredPasskey } from './model.ts';
import type { PasskeyChallenges } from './passkey-challenges.ts';

/** The site that passkeys belong to. */
export interface RelyingParty {
  /** The site's host. Passkeys work only there. */
  id: string;
  origin: string;
}

/**
 * The site at PUBLIC_URL. Passkeys need a host name: the loopback address is treated as `localhost`, which users can type
 * instead.
 * @returns null for any other IP address
 */
export function relyingPartyOf(publicUrl: string): RelyingParty | null {
  const url = new URL(publicUrl);
  const address = url.hostname.replace(/^\[|\]$/g, '');
  if (address === '::1' || /^127\./.test(address)) url.hostname = 'localhost';
  else if (isIP(address)) return null;
  return { id: url.hostname, origin: url.origin };
}

/** Loaded on first use: most installations have no passkeys, and it takes 20 MB and a third of auth's startup time. */
const loadWebAuthn = () => import('@simplewebauthn/server');

/** The name shown in the browser's dialog. */
const rpName = 'Interview Prep';

const passkeysMax = 10;

/** Registers and verifies passkeys. Source: WebAuthn level 3. */
export interface Passkeys {
  /** Options for `navigator.credentials.create`. @throws HttpError 409 if the user already has the maximum number of passkeys */
  beginAdding(user: Pick<UserRecord, '_id' | 'email'>): Promise<object>;
  /**
   * Stores a new passkey. Call it under the lock `ways-in`.
   * @throws HttpError 400 if it is not valid for this user and site, 409 if the user already has the maximum number
   */
  add(userId: Types.ObjectId, passkey: z.infer<typeof NewPasskey>): Promise<StoredPasskey>;
  /** Options for `navigator.credentials.get`. The authenticator itself finds its passkeys for this site. */
  beginSignIn(): Promise<object>;
  /** @returns the passkey's user. @throws HttpError 401 if it is unknown or invalid, or its challenge was already used */
  signIn(passkey: z.infer<typeof UsedPasskey>): Promise<Types.ObjectId>;
}

/** The authenticator must verify the user, so a passkey counts as both factors. */
const checked = { userVerification: 'required', residentKey: 'required' } as const;

/** Maps the library's errors about an invalid response. @throws the error if the response is not to blame */
function notVerified(error: unknown): { verified: false } {
  if (error instanceof HttpError || outageOf(error)) throw error;
  return { verified: false };
}

/** @param site null if PUBLIC_URL has no host name, see `relyingPartyOf` */
export function createPasskeys(
  passkeys: PasskeyModel,
  challenges: PasskeyChallenges,
  site: RelyingParty | null,
): Passkeys {
  const requireRoom = async (userId: Types.ObjectId) => {
    if ((await passkeys.countDocuments({ userId })) < passkeysMax) return;
    throw conflict(`You have ${passkeysMax} passkeys. Please remove one first.`);
  };
  const requireSite = () => {
    if (site) return site;
    throw new HttpError(501, 'not_configured', 'Passkeys need a host name: PUBLIC_URL has an address.');
  };
  const expected = (userId: string | null) => {
    const { id, origin } = requireSite();
    return {
      expectedOrigin: origin,
      expectedRPID: id,
      expectedChallenge: (challenge: string) => challenges.use(challenge, userId),
    };
  };

  return {
    async beginAdding({ _id, email }) {
      await requireRoom(_id);
      const { generateRegistrationOptions } = await loadWebAuthn();
      const own = await passkeys.find({ userId: _id }, '_id').lean();
      const options = await generateRegistrationOptions({
        rpName,
        rpID: requireSite().id,
        userName: email,
        userID: new Uint8Array(Buffer.from(_id.toHexString())),
        attestationType: 'none',
        excludeCredentials: own.map((passkey) => ({ id: passkey._id })),
        authenticatorSelection: checked,
      });
      await challenges.add(options.challenge, _id.toHexString());
      return options;
    },
    async add(userId, response) {
      await requireRoom(userId);
      const { verifyRegistrationResponse } = await loadWebAuthn();
      const conditions = expected(userId.toHexString());
      const verified = await verifyRegistrationResponse({ response, ...conditions }).catch(notVerified);
      if (!verified.verified) throw badRequest('This passkey is not valid. Please try again.');
      const { credential, credentialDeviceType } = verified.registrationInfo;
      const stored = {
        _id: credential.id,
        userId,
        publicKey: Buffer.from(credential.publicKey),
        counter: credential.counter,
        isSynced: credentialDeviceType === 'multiDevice',
        createdAt: new Date(),
        lastUsedAt: null,
      };
      await passkeys.create(stored);
      return stored;
    },
    async beginSignIn() {
      const { generateAuthenticationOptions } = await loadWebAuthn();
      const options = await generateAuthenticationOptions({
        rpID: requireSite().id,
        userVerification: checked.userVerification,
      });
      await challenges.add(options.challenge, null);
      return options;
    },
    async signIn(response) {
      const { verifyAuthenticationResponse } = await loadWebAuthn();
      const conditions = expected(null);
      const refused = unauthorized('This passkey could not be verified. Please try again.');
      const stored = await passkeys.findById(response.id).lean();
      if (!stored) throw refused;
      const { _id: id, publicKey, counter } = stored;
      // lean() returns MongoDB's Binary.
      const credential = { id, publicKey: new Uint8Array(Buffer.from(publicKey.buffer)), counter };
      const verified = await verifyAuthenticationResponse({ response, ...conditions, credential }).catch(notVerified);
      if (!verified.verified) throw refused;
      const { newCounter } = verified.authenticationInfo;
      const used = await passkeys.updateOne(
        { _id: id, counter: trusted({ $lte: newCounter }) },
        { $set: { counter: newCounter, lastUsedAt: new Date() } },
      );
      if (used.matchedCount !== 1) throw refused;
      return stored.userId;
    },
  };
}
