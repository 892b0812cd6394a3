import { createHash } from 'node:crypto';
import { createRateLimits, enforceLimits, requestAddress, signedInUser } from '@interview-prep/kit/http/rate-limits';
import type { Logger } from '@interview-prep/kit/process/logger';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Redis } from 'ioredis';
import type { AuthSettings } from '../config.ts';

const minute = 60_000;

/** Larger than the body of any sign-in. */
const readBody = express.json({ limit: '16kb' });

/** The maximum number of sign-ins, and of step-ups, per account in 15 minutes: each costs a slow hash, a record and an audit entry. */
const signInsMax = 60;

/** Password emails to one address from one client in an hour; a client gets ten times as many in all. */
const resetEmailsMax = 5;

/** Messages that a coach may send to groups in an hour. Each may go to many people. */
const messagesMax = 20;

/** The email is hashed, so that Redis holds no personal data. */
function hashOf(email: unknown): string {
  const folded = typeof email === 'string' ? email.trim().toLowerCase() : '';
  return createHash('sha256').update(folded).digest('base64url');
}

const emailAndAddress = (req: Request) => `${hashOf(req.body?.email)}-${requestAddress(req)}`;

/** The account signing in: by the email in a password sign-in's body, otherwise once its user is known. */
const accountSigningIn = (req: Request, res: Response) => hashOf(res.locals.signingIn ?? req.body?.email);

/** The middleware that limits guessing, by route. */
export type AttemptLimits = Record<
  | 'login'
  | 'google'
  | 'secondFactor'
  | 'forgotPassword'
  | 'resetPassword'
  | 'changePassword'
  | 'apiKey'
  | 'messageGroup',
  RequestHandler[]
> & {
  /**
   * Counts a sign-in whose account is known only after a passkey or provider was checked. Failures don't count.
   * @throws HttpError 429
   */
  countSignIn(user: { email: string } | null, req: Request, res: Response): Promise<void>;
};

/**
 * Limits attempts: LOGIN_ATTEMPTS per email, and ten times as many per client; see `createRateLimits`. While Redis is down,
 * each process uses its own counts.
 */
export function createAttemptLimits(
  redis: Redis,
  prefix: string,
  { LOGIN_ATTEMPTS: attempts }: Pick<AuthSettings, 'LOGIN_ATTEMPTS'>,
  log: Logger,
): AttemptLimits {
  const limit = createRateLimits({ redis, prefix, service: 'auth', log });
  const emails = attempts === 0 ? 0 : resetEmailsMax;
  const message = 'Too many attempts.';
  const perQuarterHour = { windowMs: 15 * minute, failuresOnly: true, message };
  const perHour = { windowMs: 60 * minute, message };
  const failuresOfAddress = limit('address', { limit: attempts * 10, key: requestAddress, ...perQuarterHour });
  const signInsOfAccount = limit('sign-ins', {
    limit: attempts === 0 ? 0 : signInsMax,
    key: accountSigningIn,
    windowMs: 15 * minute,
    successesOnly: true,
    message: 'Too many sign-ins.',
  });
  return {
    async countSignIn(user, req, res) {
      res.locals.signingIn = user?.email;
      await enforceLimits(signInsOfAccount, { req, res });
    },
    login: [
      readBody,
      ...failuresOfAddress,
      ...limit('login', { limit: attempts, key: emailAndAddress, ...perQuarterHour }),
      // Count before the password is hashed. Failures are taken off again.
      ...signInsOfAccount,
    ],
    google: [readBody, ...failuresOfAddress],
    // Wrong codes are counted in the user's document.
    secondFactor: [readBody, ...failuresOfAddress],
    forgotPassword: [
      readBody,
      ...limit('mails-of-address', { limit: emails * 10, key: requestAddress, ...perHour }),
      ...limit('mails', { limit: emails, key: emailAndAddress, ...perHour }),
    ],
    apiKey: [readBody, ...failuresOfAddress],
    messageGroup: limit('group-messages', {
      limit: messagesMax,
      key: signedInUser,
      windowMs: 60 * minute,
      successesOnly: true,
      message: 'Too many emails to groups.',
    }),
    resetPassword: [readBody, ...failuresOfAddress],
    changePassword: [
      readBody,
      ...limit('change-password', { limit: attempts, key: signedInUser, ...perQuarterHour }),
      ...limit('confirmations', {
        limit: attempts === 0 ? 0 : signInsMax,
        key: signedInUser,
        windowMs: 15 * minute,
        message,
      }),
    ],
  };
}
