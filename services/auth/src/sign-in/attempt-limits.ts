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

/** Larger bodies than this are no one's sign-in. */
const readBody = express.json({ limit: '16kb' });

const address = (req: Request) => ipKeyGenerator(req.ip ?? '');
/** The email as it is compared, hashed so that Redis holds no addresses of people. */
const emailAndAddress = (req: Request) => {
  const email: unknown = req.body?.email;
  const folded = typeof email === 'string' ? email.trim().toLowerCase() : '';
  return `${createHash('sha256').update(folded).digest('base64url')}-${address(req)}`;
};
const bearer = (_req: Request, res: Response) => (res.locals.user as TokenClaims).sub;

/** The gates that slow down guessing, by route. */
export type AttemptLimits = Record<
  'login' | 'google' | 'forgotPassword' | 'resetPassword' | 'changePassword',
  RequestHandler[]
>;

/**
 * Counts are kept in Redis, so that all processes share them. While Redis is away requests pass: slow password hashing
 * still bounds guessing, and nobody is locked out. A limit of 0 is off.
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
  const quarter = { windowMs: 15 * minute, failuresOnly: true };
  const hour = { windowMs: 60 * minute, failuresOnly: false };
  const failuresOfAddress = limit('address', { limit: ADDRESS_ATTEMPTS, key: address, ...quarter });
  return {
    login: [
      readBody,
      ...failuresOfAddress,
      ...limit('login', { limit: LOGIN_ATTEMPTS, key: emailAndAddress, ...quarter }),
    ],
    google: [readBody, ...failuresOfAddress],
    forgotPassword: [
      readBody,
      ...limit('mails-of-address', { limit: RESET_MAILS * 10, key: address, ...hour }),
      ...limit('mails', { limit: RESET_MAILS, key: emailAndAddress, ...hour }),
    ],
    resetPassword: [readBody, ...failuresOfAddress],
    changePassword: [readBody, ...limit('change-password', { limit: LOGIN_ATTEMPTS, key: bearer, ...quarter })],
  };
}

/**
 * Runs the store's commands. The store keeps what loading a script gave, even a rejection: where Redis is away it gets the
 * script's SHA-1, which is what Redis would answer, and loads the script when that is unknown to Redis later.
 */
const sendCommand =
  (redis: Redis) =>
  async (...[command, ...rest]: string[]): Promise<string | number | (string | number)[]> => {
    const answer = redis.call(command!, ...rest) as Promise<string | number | (string | number)[]>;
    const [subcommand, script] = rest;
    if (command !== 'SCRIPT' || subcommand !== 'LOAD' || script === undefined) return answer;
    return answer.catch(() => createHash('sha1').update(script).digest('hex'));
  };
