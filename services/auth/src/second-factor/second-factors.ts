import { invalidField, tooManyRequests } from '@interview-prep/kit/http/http-error';
import { type Types, trusted } from 'mongoose';
import { Secret, TOTP } from 'otpauth';
import { owaspCost } from '../secrets/hash-cost.ts';
import type { SealedSecrets } from '../secrets/sealed-secrets.ts';
import type { UserModel, UserRecord } from '../users/model.ts';
import { makeRecoveryCodes, recoveryCodeHash } from './recovery-codes.ts';

/** A code is valid only in its own 30-second step. Source: RFC 6238; OWASP ASVS 5.0, 6.5.5. */
const periodSeconds = 30;

/** The name shown in authenticator apps. */
const issuer = 'Interview Prep';

const totpOf = (secret: string, label: string) =>
  new TOTP({ issuer, label, algorithm: 'SHA1', digits: 6, period: periodSeconds, secret: Secret.fromBase32(secret) });

/**
 * The 30-second step since 1970 that a code is valid for; null if the code is wrong now. Each step can be used once: the
 * caller stores the last one.
 */
function totpStep(secret: string, code: string, nowMs: number): number | null {
  const delta = totpOf(secret, '').validate({ token: code, timestamp: nowMs, window: 0 });
  return delta === null ? null : Math.floor(nowMs / 1000 / periodSeconds) + delta;
}

/** The window in which wrong codes are counted. */
const windowMs = 15 * 60_000;

/** How long setting up an authenticator app may take. */
const setUpMs = 10 * 60_000;

/** The `purpose` that these secrets are sealed for. */
export const purpose = 'totp';

type Factors = Pick<UserRecord, '_id' | 'email' | 'totp' | 'recovery'>;

/** Checks and changes users' second factors. */
export interface SecondFactors {
  /** A new 160-bit secret for an authenticator app: sealed for storage, as text to type, and as the `otpauth:` URI of a QR code. */
  newSecret(email: string): { sealed: string; secret: string; uri: string };
  /**
   * Consumes a code from the user's authenticator app, or a recovery code.
   * @throws HttpError 400 for a wrong or used code, 429 after too many
   */
  useCode(user: Factors, code: string): Promise<void>;
  /** Stores a secret until it is confirmed by its first code. */
  begin(userId: string, sealed: string): Promise<void>;
  /**
   * Sets up an authenticator app if its first code is correct. It replaces an earlier one.
   * @returns new recovery codes
   * @throws HttpError 400 for a wrong code, 429 after too many
   */
  confirm(userId: Types.ObjectId, sealed: string, code: string): Promise<string[]>;
  /** @returns new recovery codes, which replace the old ones */
  renewRecoveryCodes(userId: Types.ObjectId): Promise<string[]>;
}

const wrongCode = () => invalidField('code', 'This code is not valid. Each code works once; please try the next one.');

/**
 * @param guessesMax the most wrong codes of a user in 15 minutes; 0 means unlimited
 * @param now the time that codes are checked against, which tests control
 * @param hashCost the cost of hashing recovery codes; lower only in tests
 */
export function createSecondFactors(
  users: UserModel,
  secrets: SealedSecrets,
  guessesMax: number,
  now: () => number = Date.now,
  hashCost = owaspCost,
): SecondFactors {
  /** Counts an attempt before it is checked, so that concurrent attempts each count. Doesn't depend on Redis. */
  const countGuess = async (_id: Types.ObjectId) => {
    if (guessesMax === 0) return;
    const { codeGuesses: last } = (await users.findById(_id, 'codeGuesses').lean()) ?? {};
    if (!last || last.since.getTime() < Date.now() - windowMs) {
      // Only the first of two concurrent attempts starts a new count: the second doesn't match the old one.
      const since = last ? last.since : trusted({ $exists: false });
      const codeGuesses = { count: 0, since: new Date() };
      await users.updateOne({ _id, 'codeGuesses.since': since }, { $set: { codeGuesses } }, { timestamps: false });
    }
    const counted = await users.findOneAndUpdate(
      { _id, 'codeGuesses.count': trusted({ $lt: guessesMax }) },
      { $inc: { 'codeGuesses.count': 1 } },
      { timestamps: false },
    );
    if (!counted) throw tooManyRequests('Too many wrong codes. Please try again in 15 minutes.', windowMs / 1000);
  };
  const forgetGuesses = { $unset: { codeGuesses: 1 } } as const;

  const useTotp = async ({ _id, totp }: Factors, code: string) => {
    const step = totp && totpStep(secrets.open(totp.secret, purpose), code, now());
    if (!totp || step === undefined || step === null) return false;
    // Makes an intercepted code worthless: its step is used up.
    const used = await users.updateOne(
      { _id, deletedAt: null, 'totp.secret': totp.secret, 'totp.lastStep': trusted({ $lt: step }) },
      { $set: { 'totp.lastStep': step }, ...forgetGuesses },
    );
    return used.modifiedCount === 1;
  };
  const useRecoveryCode = async ({ _id, recovery }: Factors, code: string) => {
    if (!recovery) return false;
    const hash = await recoveryCodeHash(code, recovery.salt, hashCost);
    const used = await users.updateOne(
      { _id, deletedAt: null, 'recovery.hashes': hash },
      { $pull: { 'recovery.hashes': hash }, ...forgetGuesses },
    );
    return used.modifiedCount === 1;
  };

  return {
    newSecret(email) {
      const secret = new Secret({ size: 20 }).base32;
      return { secret, sealed: secrets.seal(secret, purpose), uri: totpOf(secret, email).toString() };
    },
    async useCode(user, code) {
      await countGuess(user._id);
      const digits = code.replaceAll(/\s/g, '');
      const isUsed = /^\d{6}$/.test(digits) ? await useTotp(user, digits) : await useRecoveryCode(user, code);
      if (!isUsed) throw wrongCode();
    },
    async begin(userId, sealed) {
      const pendingTotp = { secret: sealed, expiresAt: new Date(Date.now() + setUpMs) };
      await users.updateOne({ _id: userId, deletedAt: null }, { $set: { pendingTotp } });
    },
    async confirm(_id, sealed, code) {
      await countGuess(_id);
      const step = totpStep(secrets.open(sealed, purpose), code.replaceAll(/\s/g, ''), now());
      if (step === null) throw wrongCode();
      const { codes, stored } = await makeRecoveryCodes(hashCost);
      await users.updateOne(
        { _id, deletedAt: null },
        {
          $set: { totp: { secret: sealed, lastStep: step }, recovery: stored },
          $unset: { pendingTotp: 1, codeGuesses: 1 },
        },
      );
      return codes;
    },
    async renewRecoveryCodes(_id) {
      const { codes, stored } = await makeRecoveryCodes(hashCost);
      await users.updateOne({ _id, deletedAt: null }, { $set: { recovery: stored } });
      return codes;
    },
  };
}
