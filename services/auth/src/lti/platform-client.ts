import { createHash, randomUUID } from 'node:crypto';
import { unauthorized, unavailable } from '@interview-prep/kit/http/http-error';
import type { Logger } from '@interview-prep/kit/process/logger';
import { createRemoteJWKSet, customFetch, errors, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import {
  OutboundFailure,
  type OutboundNetworks,
  type OutboundRequest,
  requestOutbound,
} from '../outbound/outbound-request.ts';
import type { Keyring } from '../signing-keys/keyring.ts';
import { LaunchClaims } from './claims.ts';
import type { StoredPlatform } from './model.ts';

/** The tolerated clock skew. */
const clockToleranceSeconds = 60;
/** ID tokens are single-use for one launch, which takes seconds. */
const maxAgeSeconds = 600;
const maxAnswerBytes = 5_000_000;

/** The SHA-256 hash under which a secret is stored. */
export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Communicates with learning platforms. */
export interface PlatformClient {
  /** @throws HttpError 401 for a token that is not valid for this platform and nonce, 503 while its keys can't be fetched */
  verifyLaunch(platform: StoredPlatform, idToken: string, nonce: string): Promise<LaunchClaims>;
  /** Signs a message to a platform, valid for five minutes. */
  sign(claims: JWTPayload, issuer: string, audience: string): Promise<string>;
  /** Calls one of the platform's services. @throws OutboundFailure if it denies access or doesn't respond */
  call(
    platform: StoredPlatform,
    scope: string,
    url: string,
    request?: Omit<OutboundRequest, 'networks' | 'maxBytes'>,
  ): ReturnType<typeof requestOutbound>;
}

const Token = z.object({ access_token: z.string().min(1), expires_in: z.coerce.number().catch(60) });

export function createPlatformClient(keyring: Keyring, networks: OutboundNetworks, log: Logger): PlatformClient {
  const keySets = new Map<string, ReturnType<typeof createRemoteJWKSet>>();
  const keysOf = ({ keysUrl }: StoredPlatform) => {
    const known = keySets.get(keysUrl);
    if (known) return known;
    const created = createRemoteJWKSet(new URL(keysUrl), {
      [customFetch]: async (url) => {
        const { status, body } = await requestOutbound(url, { maxBytes: maxAnswerBytes, networks });
        if (status !== 200) throw new OutboundFailure(`No keys (${status})`);
        return new Response(body);
      },
    });
    keySets.set(keysUrl, created);
    return created;
  };

  const sign: PlatformClient['sign'] = async (claims, issuer, audience) => {
    const { kid, privateKey } = keyring.signing();
    return new SignJWT(claims)
      .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid })
      .setIssuer(issuer)
      .setAudience(audience)
      .setIssuedAt()
      .setExpirationTime('5 minutes')
      .setJti(randomUUID())
      .sign(privateKey);
  };

  /** Access tokens, by platform and scope. */
  const tokens = new Map<string, { token: string; until: number }>();
  const accessToken = async ({ _id, clientId, tokenUrl }: StoredPlatform, scope: string): Promise<string> => {
    const key = `${_id} ${scope}`;
    const known = tokens.get(key);
    if (known && known.until > Date.now()) return known.token;
    // Source: 1EdTech Security Framework 1.0, section 4.1.1; RFC 7523.
    const form = new URLSearchParams({
      grant_type: 'client_credentials',
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: await sign({ sub: clientId }, clientId, tokenUrl),
      scope,
    });
    const { status, body } = await requestOutbound(tokenUrl, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'application/json' },
      body: form.toString(),
      maxBytes: 100_000,
      networks,
    });
    const parsed = status === 200 ? Token.safeParse(jsonOf(body)) : null;
    if (!parsed?.success) throw new OutboundFailure(`No access token (${status})`);
    const { access_token: token, expires_in: seconds } = parsed.data;
    tokens.set(key, { token, until: Date.now() + (seconds - 30) * 1000 });
    return token;
  };

  return {
    sign,
    async verifyLaunch(platform, idToken, nonce) {
      const { issuer, clientId, deploymentIds, name } = platform;
      try {
        const { payload } = await jwtVerify(idToken, keysOf(platform), {
          algorithms: ['RS256'],
          issuer,
          audience: clientId,
          clockTolerance: clockToleranceSeconds,
          maxTokenAge: maxAgeSeconds,
          requiredClaims: ['exp', 'nonce', 'sub'],
        });
        const { aud, azp } = payload;
        if (azp !== undefined ? azp !== clientId : Array.isArray(aud) && aud.length > 1)
          throw new errors.JWTClaimValidationFailed('it is for somebody else', payload, 'azp');
        if (payload.nonce !== nonce) throw new errors.JWTClaimValidationFailed('another nonce', payload, 'nonce');
        const claims = LaunchClaims.parse(payload);
        if (!deploymentIds.includes(claims.deploymentId))
          throw new errors.JWTClaimValidationFailed('a deployment that is not registered', payload, 'deployment_id');
        return claims;
      } catch (error) {
        log.warn({ err: error, platform: platform._id }, 'a launch was refused');
        if (error instanceof OutboundFailure || error instanceof errors.JWKSTimeout)
          throw unavailable(`${name} cannot be reached right now. Please try again.`, error);
        const isLate = error instanceof errors.JWTExpired || (error as { claim?: string }).claim === 'iat';
        throw unauthorized(
          isLate
            ? `This launch has expired, or the clocks of this server and of ${name} differ. Please open the activity again.`
            : `What ${name} sent could not be verified. Please tell an admin.`,
          error,
        );
      }
    },
    async call(platform, scope, url, request = {}) {
      const token = await accessToken(platform, scope);
      const headers = { ...request.headers, authorization: `Bearer ${token}` };
      const answer = await requestOutbound(url, { ...request, headers, maxBytes: maxAnswerBytes, networks });
      // The next attempt will request a new one.
      if (answer.status === 401) tokens.delete(`${platform._id} ${scope}`);
      return answer;
    },
  };
}

/** The parsed body of a response; undefined if it is not JSON. */
export function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
}
