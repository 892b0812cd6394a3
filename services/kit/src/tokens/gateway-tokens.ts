import { createSecretKey } from 'node:crypto';
import type { RequestHandler } from 'express';
import { forbidden, unavailable } from '../http/http-error.ts';
import { InvalidToken, signToken, type TokenProfile, verifyToken } from './signed-token.ts';

/** Carries the gateway's token. The gateway drops what a client sends under this name. */
export const gatewayTokenHeader = 'x-gateway-token';

/** The token with which the gateway shows a service that a request comes from it. */
const profile = {
  algorithm: 'HS256',
  type: 'gateway+jwt',
  issuer: 'interview-prep/gateway',
  audience: 'interview-prep/service',
} as const satisfies TokenProfile;

const lifetimeSeconds = 120;
const renewAfterSeconds = 30;

/** The gateway's tokens for one service: each lives two minutes, and is used for half a minute. */
export function createGatewayTokens(secret: string): () => string {
  const key = createSecretKey(secret, 'utf8');
  let latest: { token: string; signedAt: number } | undefined;
  return () => {
    const now = Math.floor(Date.now() / 1000);
    // A clock may have been set back.
    if (!latest || now < latest.signedAt || now >= latest.signedAt + renewAfterSeconds) {
      const token = signToken(profile, key, { sub: 'gateway', iat: now, exp: now + lifetimeSeconds });
      latest = { token, signedAt: now };
    }
    return latest.token;
  };
}

/**
 * Lets only requests of the gateway pass, whose headers about the client are then believed.
 * @param openPaths calls of other services, which are public or carry the user's own token
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
      // The clocks differ, or only one of the two was restarted with new secrets: neither is the client's fault.
      throw unavailable('The service is not reachable right now. Please try again.', error);
    }
    next();
  };
}
