import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { claimNames, membershipScope, scoreScope } from '../src/lti/claims.ts';

/** Somebody in a course of the platform. */
export interface CourseMember {
  sub: string;
  name?: string;
  email?: string;
  role: 'Instructor' | 'Learner' | 'Mentor';
}

const roleOf = (role: string) => `http://purl.imsglobal.org/vocab/lis/v2/membership#${role}`;

/** A learning platform on this machine, with keys of its own: it launches, tells its members, and takes scores over HTTP. */
export async function startPlatform() {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const registration = {
    name: 'Moodle',
    issuer,
    clientId: 'tool-1',
    authorizationUrl: `${issuer}/auth?site=1`,
    tokenUrl: `${issuer}/token`,
    keysUrl: `${issuer}/keys`,
    deploymentIds: ['7'],
  };
  const members: CourseMember[] = [];
  const scores: { path: string; type: string | undefined; body: Record<string, unknown> }[] = [];
  /** Access tokens that were given, with their scope. */
  const given = new Map<string, string>();
  const state = { toolKeys: { keys: [] } as JSONWebKeySet, scoreStatus: 200, pageSize: 2, down: false };

  const grant = async (req: IncomingMessage): Promise<[number, object]> => {
    const form = new URLSearchParams(await text(req));
    // RFC 7523: the tool proves who it is by its own key.
    const { payload } = await jwtVerify(form.get('client_assertion') ?? '', createLocalJWKSet(state.toolKeys), {
      issuer: registration.clientId,
      subject: registration.clientId,
      audience: registration.tokenUrl,
      algorithms: ['RS256'],
    });
    if (!payload.jti || form.get('grant_type') !== 'client_credentials') return [400, { error: 'invalid_request' }];
    const token = randomUUID();
    given.set(token, form.get('scope') ?? '');
    return [200, { access_token: token, token_type: 'Bearer', expires_in: 3600, scope: form.get('scope') }];
  };
  const isAllowed = (req: IncomingMessage, scope: string) =>
    given.get((req.headers.authorization ?? '').replace('Bearer ', '')) === scope;

  server.on('request', async (req, res) => {
    const url = new URL(req.url ?? '', issuer);
    const answer = (status: number, body: object, headers = {}) =>
      res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    try {
      if (state.down) return answer(503, {});
      if (url.pathname === '/keys')
        return answer(200, { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'p1', alg: 'RS256', use: 'sig' }] });
      if (url.pathname === '/token') return answer(...(await grant(req)));
      if (url.pathname === '/members') {
        if (!isAllowed(req, membershipScope)) return answer(401, {});
        const from = Number(url.searchParams.get('from') ?? 0);
        const next = from + state.pageSize;
        const page = members.slice(from, next).map(({ sub, role, ...person }) => ({
          user_id: sub,
          status: 'Active',
          roles: [roleOf(role)],
          ...person,
        }));
        const link = next < members.length ? { link: `<${issuer}/members?from=${next}>; rel="next"` } : {};
        return answer(200, { id: url.href, context: { id: 'course-1' }, members: page }, link);
      }
      if (url.pathname.endsWith('/scores')) {
        if (!isAllowed(req, scoreScope)) return answer(401, {});
        const body = JSON.parse(await text(req));
        scores.push({ path: req.url ?? '', type: req.headers['content-type'], body });
        return answer(state.scoreStatus, {});
      }
      answer(404, {});
    } catch {
      answer(400, { error: 'invalid_client' });
    }
  });

  const sign = (claims: JWTPayload, { key = privateKey, kid = 'p1' }: { key?: KeyObject; kid?: string } = {}) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid }).sign(key);

  /** The claims of a launch that answers the request in `url`, as the product sent it to the platform. */
  const claimsFor = (url: string, member: CourseMember, changes: Record<string, unknown> = {}): JWTPayload => {
    const query = new URL(url).searchParams;
    const now = Math.floor(Date.now() / 1000);
    const { sub, role, ...person } = member;
    return {
      iss: issuer,
      aud: registration.clientId,
      sub,
      ...person,
      iat: now,
      exp: now + 300,
      nonce: query.get('nonce') ?? '',
      [claimNames.messageType]: 'LtiResourceLinkRequest',
      [claimNames.version]: '1.3.0',
      [claimNames.deploymentId]: '7',
      [claimNames.targetLinkUri]: query.get('redirect_uri'),
      [claimNames.roles]: [roleOf(role)],
      [claimNames.context]: { id: 'course-1', title: 'Web Engineering', label: 'WE' },
      [claimNames.resourceLink]: { id: 'activity-1', title: 'Week 1' },
      [claimNames.memberships]: { context_memberships_url: `${issuer}/members`, service_versions: ['2.0'] },
      [claimNames.grades]: { scope: [scoreScope], lineitem: `${issuer}/items/3/lineitem?type_id=1` },
      ...changes,
    };
  };

  return {
    issuer,
    registration,
    privateKey,
    publicKey,
    members,
    scores,
    given,
    state,
    sign,
    claimsFor,
    async stop() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export type TestPlatform = Awaited<ReturnType<typeof startPlatform>>;
