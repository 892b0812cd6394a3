import { createHash } from 'node:crypto';
import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import type { Request, RequestHandler, Response } from 'express';
import { ipKeyGenerator, MemoryStore, type Options, rateLimit, type Store } from 'express-rate-limit';
import type { Redis } from 'ioredis';
import { RedisStore } from 'rate-limit-redis';
import type { Logger } from '../process/logger.ts';
import { tooManyRequests } from './http-error.ts';

/**
 * Counts in Redis and in this process's memory; the larger count decides. Redis loses its counts when it restarts, and can't
 * count while it is down: either would give an attacker unlimited attempts at a password.
 */
function createCountedStore(shared: Store & { prefix: string }): Store {
  const own = new MemoryStore();
  let counting: Promise<unknown> = Promise.resolve();
  /** MemoryStore returns its live record, which concurrent requests keep changing: increment one at a time, and copy it. */
  const countHere = (key: string) => {
    const counted = counting.then(async () => ({ ...(await own.increment(key)) }));
    counting = counted.catch(() => undefined);
    return counted;
  };
  /** A failure of the shared store is ignored: its counts resume once it works. */
  const both = async (work: (store: Store) => unknown) => {
    await work(own);
    await Promise.resolve(work(shared)).catch(() => undefined);
  };
  return {
    // Required: express-rate-limit warns about double counting unless stores have distinct prefixes.
    prefix: shared.prefix,
    init(options: Options) {
      own.init(options);
      shared.init?.(options);
    },
    async increment(key) {
      const counted = await countHere(key);
      try {
        const sharedCount = await shared.increment(key);
        return sharedCount.totalHits < counted.totalHits ? counted : sharedCount;
      } catch {
        return counted;
      }
    },
    decrement: (key) => both((store) => store.decrement(key)),
    resetKey: (key) => both((store) => store.resetKey(key)),
    shutdown: () => own.shutdown(),
  };
}

const minute = 60_000;

/** How many requests with the same key may pass in a window. */
interface RateRule {
  /** 0 means unlimited. Limits per address are higher if an unknown proxy hides the clients, see `requestAddress`. */
  limit: number;
  windowMs: number;
  /** Requests of the same key are counted together. */
  key: (req: Request, res: Response) => string;
  /** Requests that succeed do not count. */
  failuresOnly?: boolean;
  /** Requests that fail do not count. */
  successesOnly?: boolean;
  /** The message of the 429, without the time to retry. */
  message: string;
}

/** Creates a rule's middleware; empty if the rule is unlimited. `name` keeps the counts of rules separate. */
export type RateLimits = (name: string, rule: RateRule) => RequestHandler[];

/** The factor by which limits per address are raised if several clients may share it. They are never turned off. */
const sharedAddressFactor = 10;

/**
 * Groups requests by address; for IPv6, by network. Behind a proxy that TRUST_PROXY does not count, several clients share
 * the proxy's address, so a rule with this key allows ten times as many requests.
 */
export function requestAddress(req: Request): string {
  return ipKeyGenerator(req.ip ?? '');
}

/**
 * Set by the gateway if several clients may share an address: it saw signs of a proxy although TRUST_PROXY is not set.
 * Clients on a local network can fake the signs, but not this header, which the gateway drops from their requests.
 */
export const sharedAddressHeader = 'x-shared-address';

const limitOf = (rule: RateRule, { headers }: Request): number =>
  rule.key === requestAddress && headers[sharedAddressHeader] ? rule.limit * sharedAddressFactor : rule.limit;

/** Groups requests by signed-in user. */
export function signedInUser(_req: Request, res: Response): string {
  return (res.locals.user as TokenClaims).sub;
}

/**
 * Counts a request against limits whose key only the handler knows.
 * @throws HttpError 429 if a limit is exceeded
 */
export async function enforceLimits(
  limits: readonly RequestHandler[],
  { req, res }: { req: Request; res: Response },
): Promise<void> {
  for (const limit of limits) {
    await new Promise<void>((resolve, reject) => {
      void limit(req, res, (error?: unknown) => (error === undefined ? resolve() : reject(error as Error)));
    });
  }
}

/**
 * Counts requests in Redis, shared by all processes, and responds with 429 and Retry-After if a limit is exceeded. While Redis
 * is down, each process uses its own counts.
 * @param options `service` owns the counts: other services' Redis accounts can't access them
 */
export function createRateLimits(options: {
  redis: Redis;
  prefix: string;
  service: 'auth' | 'recording';
  log: Logger;
}): RateLimits {
  const { redis, prefix, service, log } = options;
  const logger = {
    error: (error: unknown, message?: string) => log.error({ err: error }, message),
    warn: (error: unknown, message?: string) => log.warn({ err: error }, message),
  };
  return (name, rule) => {
    if (rule.limit === 0) return [];
    const store = createCountedStore(
      new RedisStore({ prefix: `${prefix}:limits:${service}:${name}:`, sendCommand: sendCommand(redis) }),
    );
    return [
      rateLimit({
        windowMs: rule.windowMs,
        limit: (req) => limitOf(rule, req),
        keyGenerator: rule.key,
        skipSuccessfulRequests: rule.failuresOnly ?? false,
        logger,
        standardHeaders: false,
        legacyHeaders: false,
        store,
        handler: (req, _res, next) => {
          const { resetTime } = (req as Request & { rateLimit: { resetTime?: Date } }).rateLimit;
          const waitMs = resetTime ? resetTime.getTime() - Date.now() : rule.windowMs;
          const minutes = Math.max(1, Math.ceil(waitMs / minute));
          const when = minutes === 1 ? 'in a minute' : `in ${minutes} minutes`;
          next(tooManyRequests(`${rule.message} Please try again ${when}.`, Math.max(1, Math.ceil(waitMs / 1000))));
        },
      }),
      ...(rule.successesOnly ? [takeFailuresOff(rule, store)] : []),
    ];
  };
}

/**
 * Takes a failed request off the count. Only the response's status decides, even if the client has disconnected: otherwise a
 * client that hangs up early could sign in without being counted.
 */
const takeFailuresOff =
  ({ key }: RateRule, store: Store): RequestHandler =>
  (req, res, next) => {
    const counted = key(req, res);
    const end = res.end.bind(res) as (...given: unknown[]) => Response;
    res.end = (...given: unknown[]) => {
      if (res.statusCode >= 400) void store.decrement(counted);
      return end(...given);
    };
    next();
  };

/**
 * Runs the store's commands. The store caches the result of loading a script, even a rejection. So while Redis is down, this
 * returns the script's SHA-1, as Redis would; the store loads the script later, when Redis reports the SHA-1 as unknown.
 */
const sendCommand =
  (redis: Redis) =>
  async (...[command, ...rest]: string[]): Promise<string | number | (string | number)[]> => {
    const answer = redis.call(command!, ...rest) as Promise<string | number | (string | number)[]>;
    const [subcommand, script] = rest;
    if (command !== 'SCRIPT' || subcommand !== 'LOAD' || script === undefined) return answer;
    return answer.catch(() => createHash('sha1').update(script).digest('hex'));
  };
