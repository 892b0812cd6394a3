import { createHash } from 'node:crypto';
import type { Logger } from '@interview-prep/kit/logger';
import { createRateLimits, requestAddress, signedInUser } from '@interview-prep/kit/rate-limits';
import express, { type Request, type RequestHandler } from 'express';
import type { Redis } from 'ioredis';
import type { AuthSettings } from '../config.ts';

const minute = 60_000;

/** No sign-in has a larger body. */
const readBody = express.json({ limit: '16kb' });

/** The email is hashed, so that Redis holds no personal data. */
function emailAndAddress(req: Request) {
  const email: unknown = req.body?.email;
  const folded = typeof email === 'string' ? email.trim().toLowerCase() : '';
  return `${createHash('sha256').update(folded).digest('base64url')}-${requestAddress(req)}`;
}

/** The middleware that limits guessing, by route. */
export type AttemptLimits = Record<
  | 'login'
  | 'google'
  | 'secondFactor'
  | 'forgotPassword'
  | 'resetPassword'
  | 'changePassword',
  RequestHandler[]
>;

/** Limits attempts; see `createRateLimits`. While Redis is down, each process counts by itself. */
export function createAttemptLimits(
  redis: Redis,
  prefix: string,
  settings: Pick<AuthSettings, 'LOGIN_ATTEMPTS' | 'ADDRESS_ATTEMPTS' | 'RESET_MAILS'>,
  log: Logger,
): AttemptLimits {
  const limit = createRateLimits({ redis, prefix, service: 'auth', log });
  const { LOGIN_ATTEMPTS, ADDRESS_ATTEMPTS, RESET_MAILS } = settings;
  const message = 'Too many attempts.';
  const perQuarterHour = { windowMs: 15 * minute, failuresOnly: true, message };
  const perHour = { windowMs: 60 * minute, message };
  const failuresOfAddress = limit('address', { limit: ADDRESS_ATTEMPTS, key: requestAddress, ...perQuarterHour });
  return {
    login: [
      readBody,
      ...failuresOfAddress,
      ...limit('login', { limit: LOGIN_ATTEMPTS, key: emailAndAddress, ...perQuarterHour }),
    ],
    google: [readBody, ...failuresOfAddress],
    // Guesses at one user's codes are counted with the user.
    secondFactor: [readBody, ...failuresOfAddress],
    forgotPassword: [
      readBody,
      ...limit('mails-of-address', { limit: RESET_MAILS * 10, key: requestAddress, ...perHour }),
      ...limit('mails', { limit: RESET_MAILS, key: emailAndAddress, ...perHour }),
    ],
    resetPassword: [readBody, ...failuresOfAddress],
    changePassword: [
      readBody,
      ...limit('change-password', { limit: LOGIN_ATTEMPTS, key: signedInUser, ...perQuarterHour }),
    ],
  };
}
