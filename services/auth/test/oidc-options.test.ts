import { afterEach, expect, test } from 'vitest';
import { type StartedOidc, startOidc } from './start-oidc.ts';

const tenant = '6f0b2a10-7c1e-4c8e-9a51-0d2f6f1b7c33';
let oidc: StartedOidc;
afterEach(() => oidc.stop());

test("a new user gets a role from a claim; an existing user's role stays", async () => {
  oidc = await startOidc({
    OIDC_OPTIONS: 'name=Acme; scopes=groups; admins=groups:owners,prep admins; devs=groups:staff',
  });
  const roleOf = async (groups?: string[]) => {
    const { sub } = oidc.newAccount(groups ? { groups } : {});
    return { sub, role: (await oidc.signIn(sub)).body.user.role };
  };
  const { sub, role } = await roleOf(['staff']);
  expect(role).toBe('dev');
  expect((await roleOf(['staff', 'prep admins'])).role).toBe('admin');
  expect((await roleOf(['prep', 'Owners'])).role).toBe('others');
  expect((await roleOf()).role).toBe('others');
  oidc.provider.accounts.set(sub, { email: 'person-1@example.com', email_verified: true, groups: ['owners'] });
  expect((await oidc.signIn(sub)).body.user.role).toBe('dev');
});

test('people from domains that are not allowed get no account, and cannot sign in with an existing one', async () => {
  oidc = await startOidc({ OIDC_OPTIONS: 'name=Acme; domains=Acme.com,acme.org' });
  const { sub } = oidc.newAccount({ email: 'ada@acme.com' });
  await oidc.signIn(sub).then(({ status }) => expect(status).toBe(200));
  for (const email of ['eve@example.com', 'eve@evil-acme.com', 'eve@acme.com.evil.com', 'acme.com']) {
    const refused = await oidc.signIn(oidc.newAccount({ email }).sub);
    expect([refused.status, refused.body.message]).toEqual([
      403,
      'Only Acme accounts of acme.com, acme.org can sign in here.',
    ]);
  }
  oidc.provider.accounts.set(sub, { email: 'ada@example.com', email_verified: true });
  expect((await oidc.signIn(sub)).status).toBe(403);
  expect(await oidc.started.auth.users.countDocuments()).toBe(1);
});

test('an email without email_verified is trusted only from the configured tenant', async () => {
  oidc = await startOidc({ OIDC_OPTIONS: `name=Acme; tenant=${tenant.toUpperCase()}` });
  const statusOf = async (claims: object) =>
    (await oidc.signIn(oidc.newAccount({ email_verified: undefined as never, ...claims }).sub)).status;
  expect(await statusOf({ tid: tenant })).toBe(200);
  expect(await statusOf({ tid: tenant.replace('6', '7') })).toBe(401);
  expect(await statusOf({})).toBe(401);
  expect(await statusOf({ tid: tenant, email_verified: false })).toBe(401);
});

test('without a configured tenant, an unverified email creates no user', async () => {
  oidc = await startOidc();
  const { sub } = oidc.newAccount({ email_verified: undefined as never, tid: tenant });
  expect((await oidc.signIn(sub)).status).toBe(401);
});
