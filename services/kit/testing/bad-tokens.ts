import type { TokenDenylist } from '../src/tokens/token-denylist.ts';
import { createTestIdentity, type TestIdentity, type TestUser } from './identity.ts';

const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** The token's claims under a header with the algorithm `none`. */
function withoutSignature(token: string): string {
  const claims = token.split('.')[1];
  return `${encoded({ alg: 'none', typ: 'JWT' })}.${claims}.`;
}

/** The token with its role changed and its signature kept. */
function withRole(token: string, role: string): string {
  const [header, claims, signature] = token.split('.');
  const changed = { ...(JSON.parse(Buffer.from(claims ?? '', 'base64url').toString()) as object), role };
  return [header, encoded(changed), signature].join('.');
}

/** Tokens that every route, but for those open to anyone, must refuse with 401; each with what is wrong with it. */
export async function badTokens(
  identity: Pick<TestIdentity, 'user'>,
  denylist: TokenDenylist,
): Promise<[fault: string, token: string][]> {
  const lifetimeMs = 600_000;
  const stranger = await createTestIdentity(denylist);
  const deleted: TestUser = await identity.user('admin');
  await denylist.revokeUserTokens({ userId: deleted.id, validAfterMs: Date.now() + 1000 }, lifetimeMs);
  const loggedOut: TestUser = await identity.user('admin');
  const { jti } = JSON.parse(Buffer.from(loggedOut.token.split('.')[1] ?? '', 'base64url').toString()) as {
    jti: string;
  };
  await denylist.revokeSignIn({ jti }, lifetimeMs);
  return [
    ['expired', (await identity.user('admin', { expiresInSeconds: -5 })).token],
    ['signed with another key', (await stranger.user('admin')).token],
    ['without a signature', withoutSignature((await identity.user('admin')).token)],
    ['with its role changed', withRole((await identity.user('others')).token, 'admin')],
    ['of a deleted user', deleted.token],
    ['logged out', loggedOut.token],
    ['not a token', 'abc'],
  ];
}
