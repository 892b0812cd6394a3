import { createHash } from 'node:crypto';
import type { TokenClaims } from '@interview-prep/contracts/users';
import { tooManyRequests } from '@interview-prep/kit/http-error';
import type { Logger } from '@interview-prep/kit/logger';
import express, { type Request, type RequestHandler, type Response } from 'express';
import { ipKeyGenerator, rateLimit } from 'express-rate-limit';
import type { Redis } from 'ioredis';
import { RedisStore } from 'rate-limit-redis';
import type { AuthSettings } from '../config.ts';

const minute = 60_000;

/** No sign-in has a larger body. */
const readBody = express.json({ limit: '16kb' });

const address = (req: Request) => ipKeyGenerator(req.ip ?? '');
/** The email is hashed, so that Redis holds no personal data. */
function emailAndAddress(req: Request) {
  const email: unknown = req.body?.email;
  const folded = typeof email === 'string' ? email.trim().toLowerCase() : '';
  return `${createHash('sha256').update(folded).digest('base64url')}-${address(req)}`;
}
const signedInUser = (_req: Request, res: Response) => (res.locals.user as TokenClaims).sub;

/** The middleware that limits guessing, by route. */
export type AttemptLimits = Record<
  'login' | 'google' | 'forgotPassword' | 'resetPassword' | 'changePassword',
  RequestHandler[]
>;

/**
 * Counts attempts in Redis, shared by all processes. While Redis is down requests pass: nobody is locked out, and slow password
 * hashing still limits guessing. A limit of 0 is off.
 */
export function createAttemptLimits(
  redis: Redis,
  prefix: string,
  settings: Pick<AuthSettings, 'LOGIN_ATTEMPTS' | 'ADDRESS_ATTEMPTS' | 'RESET_MAILS'>,
  log: Logger,
): AttemptLimits {
  const logger = {
    error: (error: unknown, message?: string) => log.error({ err: error }, message),
    warn: (error: unknown, message?: string) => log.warn({ err: error }, message),
  };
  const limit = (
    name: string,
    rule: { limit: number; windowMs: number; key: (req: Request, res: Response) => string; failuresOnly: boolean },
  ): RequestHandler[] => {
    if (rule.limit === 0) return [];
    return [
      rateLimit({
        windowMs: rule.windowMs,
        limit: rule.limit,
        keyGenerator: rule.key,
        skipSuccessfulRequests: rule.failuresOnly,
        passOnStoreError: true,
        logger,
        standardHeaders: false,
        legacyHeaders: false,
        store: new RedisStore({ prefix: `${prefix}:limits:${name}:`, sendCommand: sendCommand(redis) }),
        handler: (req, _res, next) => {
          const { resetTime } = (req as Request & { rateLimit: { resetTime?: Date } }).rateLimit;
          const waitMs = resetTime ? resetTime.getTime() - Date.now() : rule.windowMs;
          const minutes = Math.max(1, Math.ceil(waitMs / minute));
          const when = minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
          next(tooManyRequests(`Too many attempts. Please try again ${when}.`, Math.max(1, Math.ceil(waitMs / 1000))));
        },
      }),
    ];
  };

  const { LOGIN_ATTEMPTS, ADDRESS_ATTEMPTS, RESET_MAILS } = settings;
  const perQuarterHour = { windowMs: 15 * minute, failuresOnly: true };
  const perHour = { windowMs: 60 * minute, failuresOnly: false };
  const failuresOfAddress = limit('address', { limit: ADDRESS_ATTEMPTS, key: address, ...perQuarterHour });
  return {
    login: [
      readBody,
      ...failuresOfAddress,
      ...limit('login', { limit: LOGIN_ATTEMPTS, key: emailAndAddress, ...perQuarterHour }),
    ],
    google: [readBody, ...failuresOfAddress],
    forgotPassword: [
      readBody,
      ...limit('mails-of-address', { limit: RESET_MAILS * 10, key: address, ...perHour }),
      ...limit('mails', { limit: RESET_MAILS, key: emailAndAddress, ...perHour }),
    ],
    resetPassword: [readBody, ...failuresOfAddress],
    changePassword: [
      readBody,
      ...limit('change-password', { limit: LOGIN_ATTEMPTS, key: signedInUser, ...perQuarterHour }),
    ],
  };
}

/**
 * Runs the store's commands. The store caches the result of loading a script, even a rejection. So while Redis is down it gets
 * the script's SHA-1, Redis's own answer, and loads the script later, when Redis does not know that SHA-1.
 */
const sendCommand =
  (redis: Redis) =>
  async (...[command, ...rest]: string[]): Promise<string | number | (string | number)[]> => {
    const answer = redis.call(command!, ...rest) as Promise<string | number | (string | number)[]>;
    const [subcommand, script] = rest;
    if (command !== 'SCRIPT' || subcommand !== 'LOAD' || script === undefined) return answer;
    return answer.catch(() => createHash('sha1').update(script).digest('hex'));
  };
