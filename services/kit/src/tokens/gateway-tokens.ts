import { createSecretKey } from 'node:crypto';
import type { RequestHandler } from 'express';
import { forbidden, unavailable } from '../http/http-error.ts';
import { InvalidToken, signToken, type TokenProfile, verifyToken } from './signed-token.ts';

/** The header with the gateway's token. The gateway drops it from clients' requests. */
export const gatewayTokenHeader = 'x-gateway-token';

/** The token that proves to a service that a request comes from the gateway. */
const profile = {
  algorithm: 'HS256',
  type: 'gateway+jwt',
  issuer: 'interview-prep/gateway',
  audience: 'interview-prep/service',
} as const satisfies TokenProfile;

const lifetimeSeconds = 120;
const renewAfterSeconds = 30;

/** Creates the gateway's tokens for one service: each is valid for two minutes, and replaced after half a minute. */
export function createGatewayTokens(secret: string): () => string {
  const key = createSecretKey(secret, 'utf8');
  let latest: { token: string; signedAt: number } | undefined;
  return () => {
    const now = Math.floor(Date.now() / 1000);
    // The clock may have been set back.
    if (!latest || now < latest.signedAt || now >= latest.signedAt + renewAfterSeconds) {
      const token = signToken(profile, key, { sub: 'gateway', iat: now, exp: now + lifetimeSeconds });
      latest = { token, signedAt: now };
    }
    return latest.token;
  };
}

/**
 * Accepts only requests from the gateway, whose headers about the client can then be trusted.
 * @param openPaths paths that other services call, which are public or need the user's own token
 */
export function requireGateway(secret: string, openPaths: readonly string[] = []): RequestHandler {
  const key = createSecretKey(secret, 'utf8');
  return (req, _res, next) => {
    if (openPaths.includes(req.path)) return next();
    const token = req.headers[gatewayTokenHeader];
    if (typeof token !== 'string') throw forbidden('This service answers the gateway only.');
    try {
      verifyToken(profile, key, token);
    } catch (error) {
      if (!(error instanceof InvalidToken)) throw error;
      // Clock skew, or only one of the two was restarted with new secrets: neither is the client's fault.
      throw unavailable('The service is not reachable right now. Please try again.', error);
    }
    next();
  };
}
