import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AccountData } from '@interview-prep/contracts/auth/account-data';
import { HttpError } from '@interview-prep/kit/http/http-error';
import type { TestIdentity } from '@interview-prep/kit/testing/identity';

const at = '2026-11-20T10:15:30.000Z';

/** A user's data as auth would store it. */
export function accountOf(id: string): AccountData {
  return {
    user: {
      id,
      email: 'ada@example.com',
      role: 'others',
      technologies: ['go'],
      plan: 'basic',
      createdAt: at,
      lastLogin: null,
    },
    google: false,
    groups: [{ name: 'Class of 2027', role: 'member', joinedAt: '2026-11-01T00:00:00.000Z' }],
    security: {
      hasPassword: true,
      totp: true,
      recoveryCodesLeft: 9,
      secondFactorRequired: false,
      passkeys: [],
      passkeyHost: null,
      providers: [],
    },
    apiKeys: [],
    webhooks: [],
    platforms: [],
    courseScores: [],
    signIns: [
      {
        id: 'a',
        browser: 'Firefox <b>',
        system: 'Linux',
        address: '203.0.113.7',
        signedInAt: at,
        lastUsedAt: at,
        expiresAt: at,
      },
    ],
    events: [{ at, action: 'sign-in', outcome: 'success', address: '203.0.113.7', details: {} }],
  };
}

/** A stand-in for auth that serves test users' account data. */
export async function startStandInAuth(
  identity: Pick<TestIdentity, 'verify'>,
): Promise<{ url: string; server: Server }> {
  const server = createServer(async (req, res) => {
    const answer = (status: number, body: object) =>
      res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    try {
      const claims = await identity.verify((req.headers.authorization ?? '').replace(/^Bearer /, ''));
      const userId = new URL(req.url ?? '', 'http://auth').searchParams.get('userId') ?? claims.sub;
      if (userId !== claims.sub && claims.role !== 'admin') answer(403, {});
      else answer(200, accountOf(userId));
    } catch (error) {
      answer(error instanceof HttpError ? error.status : 500, {});
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/auth/.well-known/jwks.json`, server };
}
