import { createHash } from 'node:crypto';
import { apiKeyPrefix, apiKeyRoutes } from '@interview-prep/contracts/auth/api-keys';
import { HttpError, unavailable } from '@interview-prep/kit/http/http-error';
import { sharedAddressHeader } from '@interview-prep/kit/http/rate-limits';
import { gatewayTokenHeader } from '@interview-prep/kit/tokens/gateway-tokens';
import type { Request, RequestHandler, Response } from 'express';
import { z } from 'zod';

const bearerKey = new RegExp(`^Bearer (${apiKeyPrefix}[\\w-]{43})$`, 'i');

/** A token is replaced this long before it expires. */
const marginMs = 15_000;
const timeoutMs = 5000;
/** The keys whose tokens are kept at the same time. */
const keptMax = 1000;

const Refusal = z.object({ message: z.string(), code: z.string() });

/**
 * Exchanges an API key in a request for an access token, which every service verifies. A token is used for as long as it
 * works; a key that is revoked in the meantime is refused by its id.
 * @param token proves to auth that the gateway asks, where it wants that
 */
export function exchangeApiKeys(authUrl: string, token?: () => string): RequestHandler {
  const kept = new Map<string, { token: Promise<string>; until: number }>();

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
    let known = kept.get(id);
    if (!known || known.until < Date.now()) {
      const entry = { token: Promise.resolve(''), until: Date.now() + timeoutMs };
      entry.token = exchange(key, req, res).then(
        (answer) => {
          entry.until = Date.parse(answer.expiresAt) - marginMs;
          return answer.token;
        },
        (error: unknown) => {
          if (kept.get(id) === entry) kept.delete(id);
          throw error;
        },
      );
      kept.delete(id);
      kept.set(id, entry);
      const [oldest] = kept.keys();
      if (kept.size > keptMax && oldest !== undefined) kept.delete(oldest);
      known = entry;
    }
    req.headers.authorization = `Bearer ${await known.token}`;
    next();
  };
}
