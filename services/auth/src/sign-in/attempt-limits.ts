import { createHash } from 'node:crypto';
import { createRateLimits, enforceLimits, requestAddress, signedInUser } from '@interview-prep/kit/http/rate-limits';
import type { Logger } from '@interview-prep/kit/process/logger';
import express, { type Request, type RequestHandler, type Response } from 'express';
import type { Redis } from 'ioredis';
import type { AuthSettings } from '../config.ts';

const minute = 60_000;

/** No sign-in has a larger body. */
const readBody = express.json({ limit: '16kb' });

/** Successful sign-ins of one account in 15 minutes, and confirmations: each costs a slow hash, a record and an audit entry. */
const signInsMax = 60;

/** Password emails to one address from one client in an hour; a client gets ten times as many in all. */
const resetEmailsMax = 5;

/** Mails to people in groups that one coach may write in an hour, each to many. */
const messagesMax = 20;

/** The email is hashed, so that Redis holds no personal data. */
function hashOf(email: unknown): string {
  const folded = typeof email === 'string' ? email.trim().toLowerCase() : '';
  return createHash('sha256').update(folded).digest('base64url');
}

const emailAndAddress = (req: Request) => `${hashOf(req.body?.email)}-${requestAddress(req)}`;

/** The account that signs in: at a password's route by the email in the body, elsewhere once its user is known. */
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
   * Counts a sign-in whose account is known only once a passkey or a provider has been checked. One that fails does not count.
   * @throws HttpError 429
   */
  countSignIn(user: { email: string } | null, req: Request, res: Response): Promise<void>;
};

/** Limits attempts, LOGIN_ATTEMPTS for an email and ten times as many for a client; see `createRateLimits`. While Redis is down, each process counts by itself. */
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
      // Before the password is hashed. What fails is taken off again.
      ...signInsOfAccount,
    ],
    google: [readBody, ...failuresOfAddress],
    // Guesses at one user's codes are counted with the user.
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
