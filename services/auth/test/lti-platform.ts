import { generateKeyPairSync, type KeyObject, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { createLocalJWKSet, type JSONWebKeySet, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { claimNames, membershipScope, scoreScope } from '../src/lti/claims.ts';

export interface CourseMember {
  sub: string;
  name?: string;
  email?: string;
  role: 'Instructor' | 'Learner' | 'Mentor';
}

/** The claims of a launch that requests content. */
export function contentRequest(returnUrl: string) {
  return {
    [claimNames.messageType]: 'LtiDeepLinkingRequest',
    [claimNames.resourceLink]: undefined,
    [claimNames.deepLinkingSettings]: {
      deep_link_return_url: returnUrl,
      accept_types: ['ltiResourceLink'],
      accept_presentation_document_targets: ['window'],
      data: 'opaque "data"',
    },
  };
}

const roleOf = (role: string) => `http://purl.imsglobal.org/vocab/lis/v2/membership#${role}`;

/** A platform's record of an activity created by deep linking. */
export interface Activity {
  title: string;
  custom: Record<string, string>;
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;');
const page = (body: string) => `<!doctype html><html lang="en"><title>Course</title>${body}</html>`;
/** A form with hidden fields. */
const formOf = (action: string, fields: Record<string, string>, rest: string, target = '_self') =>
  `<form method="post" action="${escapeHtml(action)}" target="${target}">${Object.entries(fields)
    .map(([name, value]) => `<input type="hidden" name="${name}" value="${escapeHtml(value)}">`)
    .join('')}${rest}</form>`;

/**
 * A learning platform on this machine, with its own keys: it starts launches, serves its member list, and accepts scores over
 * HTTP. For browsers it has a page for each signed-in member: `/course?as=` and the member's `sub`.
 * @param host another name for this machine, so that the platform is cross-site to the product
 */
export async function startPlatform({ host = '127.0.0.1' } = {}) {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const issuer = `http://${host}:${(server.address() as AddressInfo).port}`;
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
  /** The issued access tokens, with their scopes. */
  const given = new Map<string, string>();
  const state = {
    toolKeys: { keys: [] } as JSONWebKeySet,
    scoreStatus: 200,
    pageSize: 2,
    down: false,
    /** The tool's address for browsers. */
    toolUrl: '',
    /** The assignment that the course's only activity opens. */
    activity: { title: 'Week 1', custom: {} } as Activity,
  };

  const grant = async (req: IncomingMessage): Promise<[number, object]> => {
    const form = new URLSearchParams(await text(req));
    // RFC 7523: the tool authenticates with its own key.
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

  /** A course page: its activity, which opens in a new window, and the choice of its content, in a frame. */
  const coursePage = (sub: string) => {
    const tool = `${state.toolUrl}/api/auth/lti`;
    const login = (lti_message_hint: string, target: string) => ({
      iss: issuer,
      client_id: registration.clientId,
      login_hint: sub,
      target_link_uri: `${tool}/${target}`,
      lti_message_hint,
    });
    return page(
      `<h1>${escapeHtml(state.activity.title)}</h1>
${formOf(`${tool}/login`, login('activity', 'launch'), '<button>Open the activity</button>', '_blank')}
${formOf(`${tool}/login`, login('activity', 'launch'), '<button>Open the activity here</button>')}
${formOf(`${tool}/login`, login('content', 'content'), '<button>Select content</button>', 'content')}
${formOf(`${tool}/login`, login('content', 'content'), '<button>Select content here</button>')}
${formOf(`${tool}/login`, { ...login('activity', 'launch'), iss: 'https://nobody.example.com' }, '<button>Open a stranger</button>', 'content')}
<iframe name="content" title="Content" width="600" height="300"></iframe>`,
    );
  };
  /** Responds to the tool's request to sign a person in. */
  const answerPage = async (url: URL) => {
    const query = url.searchParams;
    const member = members.find(({ sub }) => sub === query.get('login_hint'));
    const fields: Record<string, string> = { state: query.get('state') ?? '' };
    if (member) {
      const changes =
        query.get('lti_message_hint') === 'content'
          ? contentRequest(`${issuer}/return?course=1`)
          : { [claimNames.custom]: state.activity.custom };
      fields.id_token = await sign(claimsFor(url.href, member, changes));
    } else fields.error = 'login_required';
    return page(`${formOf(query.get('redirect_uri') ?? '', fields, '')}<script>document.forms[0].submit()</script>`);
  };
  /** Accepts the chosen content, signed with the tool's key. */
  const takeContent = async (req: IncomingMessage) => {
    const jwt = new URLSearchParams(await text(req)).get('JWT') ?? '';
    const { payload } = await jwtVerify(jwt, createLocalJWKSet(state.toolKeys), {
      issuer: registration.clientId,
      audience: issuer,
      algorithms: ['RS256'],
    });
    const [item] = payload[claimNames.contentItems] as Activity[];
    if (!item || payload[claimNames.data] !== 'opaque "data"') throw new Error('Not what was asked for');
    state.activity = { title: item.title, custom: item.custom };
    return page(`<h1>Saved: ${escapeHtml(item.title)}</h1>`);
  };

  server.on('request', async (req, res) => {
    const url = new URL(req.url ?? '', issuer);
    const show = (html: string) => res.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(html);
    const answer = (status: number, body: object, headers = {}) =>
      res.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
    try {
      if (state.down) return answer(503, {});
      if (url.pathname === '/keys')
        return answer(200, { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: 'p1', alg: 'RS256', use: 'sig' }] });
      if (url.pathname === '/course') return show(coursePage(url.searchParams.get('as') ?? ''));
      if (url.pathname === '/auth') return show(await answerPage(url));
      if (url.pathname === '/return') return show(await takeContent(req));
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

  /** The claims of a launch in response to the request in `url`, as the product sent it to the platform. */
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
