import { createHash } from 'node:crypto';
import { apiKeyPrefix, apiKeyRoutes } from '@interview-prep/contracts/auth/api-keys';
import { HttpError, unavailable } from '@interview-prep/kit/http/http-error';
import { sharedAddressHeader } from '@interview-prep/kit/http/rate-limits';
import { gatewayTokenHeader } from '@interview-prep/kit/tokens/gateway-tokens';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';

const bearerKey = new RegExp(`^Bearer (${apiKeyPrefix}[\\w-]{1,100})$`, 'i');

/** Cached tokens are replaced this long before they expire. */
const renewalMarginMs = 15_000;
const timeoutMs = 5000;
const cachedTokensMax = 1000;

const Refusal = z.object({ message: z.string(), code: z.string() });

/**
 * Exchanges a request's API key for an access token, which every service can verify. Tokens are cached until shortly before
 * they expire; services reject the token of a key that was revoked in the meantime by its id.
 * @param token creates the gateway's own token for auth, if auth requires one
 */
export function exchangeApiKeys(authUrl: string, token?: () => string): RequestHandler {
  const cache = new Map<string, { token: Promise<string>; until: number }>();

  const exchange = async (key: string, req: Request, res: Response) => {
    const response = await fetch(new URL(apiKeyRoutes.exchangeApiKey.path, authUrl), {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-forwarded-for': req.ip ?? '',
        'x-request-id': String(req.id),
        ...(token ? { [gatewayTokenHeader]: token() } : {}),
        ...(res.locals.sharesAddress ? { [sharedAddressHeader]: 'true' } : {}),
      },
      body: JSON.stringify({ key }),
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error: unknown) => {
      throw unavailable('API keys cannot be checked right now. Please try again.', error);
    });
    const body: unknown = await response.json().catch(() => null);
    if (response.ok) return apiKeyRoutes.exchangeApiKey.result?.parse(body) as { token: string; expiresAt: string };
    const { data } = Refusal.safeParse(body);
    const retryAfterSeconds = Number(response.headers.get('retry-after')) || undefined;
    if (!data || ![401, 429].includes(response.status))
      throw unavailable('API keys cannot be checked right now. Please try again.');
    throw new HttpError(response.status, data.code, data.message, retryAfterSeconds ? { retryAfterSeconds } : {});
  };

  return async (req, res, next) => {
    const key = bearerKey.exec(req.headers.authorization ?? '')?.[1];
    if (key === undefined) return next();
    const id = createHash('sha256').update(key).digest('base64url');
    let cached = cache.get(id);
    if (!cached || cached.until < Date.now()) {
      const entry = { token: Promise.resolve(''), until: Date.now() + timeoutMs };
      entry.token = exchange(key, req, res).then(
        (issued) => {
          entry.until = Date.parse(issued.expiresAt) - renewalMarginMs;
          return issued.token;
        },
        (error: unknown) => {
          if (cache.get(id) === entry) cache.delete(id);
          throw error;
        },
      );
      cache.delete(id);
      cache.set(id, entry);
      const [oldest] = cache.keys();
      if (cache.size > cachedTokensMax && oldest !== undefined) cache.delete(oldest);
      cached = entry;
    }
    req.headers.authorization = `Bearer ${await cached.token}`;
    next();
  };
}
