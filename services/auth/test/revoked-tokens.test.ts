import { afterEach, beforeEach, expect, test } from 'vitest';
import { syncRevokedTokens } from '../src/revoked-tokens/revoked-tokens.ts';
import { createSealedSecrets } from '../src/secrets/sealed-secrets.ts';
import { rotateSigningKey, storedKeyModel } from '../src/signing-keys/stored-keys.ts';
import { revokedTokenModel } from '../src/store/revoked-token-model.ts';
import { password, type StartedAuth, startAuth } from './start-auth.ts';

let started: StartedAuth;
beforeEach(async () => {
  started = await startAuth();
});
afterEach(() => started.stop());

const me = (token: string) => started.call('get', '/api/auth/me', token);
const restored = () => expect.poll(() => started.denylist.isComplete(), { timeout: 5000 }).toBe(true);
/** A second process of auth that keeps the denylist up to date. */
const secondProcess = (pendingEveryMs?: number) =>
  syncRevokedTokens({
    users: started.auth.users,
    revokedTokens: revokedTokenModel(started.backing.mongo),
    revokedKids: async () => [],
    signIns: started.auth.signInRecords,
    denylist: started.denylist,
    redis: started.backing.redis,
    log: started.backing.log,
    ...(pendingEveryMs === undefined ? {} : { pendingEveryMs }),
  });

test('revoked tokens stay revoked after Redis was emptied, and valid ones stay valid', async () => {
  const loggedOut = await started.signedIn('others');
  const kept = (await started.login(loggedOut.email)).body.user.token;
  await started.call('post', '/api/auth/logout', loggedOut.token).expect(204);

  const changed = await started.signedIn('others');
  const body = { currentPassword: password, newPassword: 'another password' };
  const fresh = (await started.call('post', '/api/auth/change-password', changed.token, body).expect(200)).body.token;

  const deleted = await started.signedIn('others');
  const { token: admin } = await started.signedIn('admin');
  await started.call('delete', `/api/users/${deleted.id}`, admin).expect(204);

  await started.emptyRedis();
  // A request in between waits for the denylist; it never passes without it.
  const answers = await Promise.all([loggedOut.token, changed.token, deleted.token, kept, fresh, admin].map(me));
  expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 200, 200, 200]);
  await restored();
});

test('an entry that could not be written to the denylist is written later', async () => {
  const user = await started.signedIn('others');
  await restored();
  const second = secondProcess(100);
  // Its first run finds nothing to do.
  await me(user.token).expect(200);
  const at = new Date(Date.now() + 1);
  // The state after a crash between the two writes.
  await started.auth.users.updateOne({ _id: user.id }, { $set: { tokensValidAfter: at, denylistPending: true } });
  await expect.poll(async () => (await me(user.token)).status, { timeout: 20_000 }).toBe(401);
  await expect
    .poll(async () => (await started.auth.users.findById(user.id).lean())?.denylistPending, { timeout: 20_000 })
    .toBeUndefined();
  await second.stop();
});

test('an earlier time never replaces a later one', async () => {
  const { id, token } = await started.signedIn('others');
  await restored();
  const lifetimeMs = 600_000;
  await started.denylist.revokeUserTokens({ userId: id, validAfterMs: Date.now() + 1 }, lifetimeMs);
  expect(await started.denylist.restore([{ userId: id, validAfterMs: 1, lifetimeMs }])).toBe(true);
  await me(token).expect(401);
});

test('a revoked signing key stays revoked after Redis was emptied', async () => {
  const { token } = await started.signedIn('others');
  const { kid } = started.auth.keyring.signing();
  await rotateSigningKey(storedKeyModel(started.backing.mongo), createSealedSecrets(undefined), 'revocation');
  // As checked by other services, whose keys may be some minutes old.
  const isRevoked = () => started.denylist.hasEnded({ sub: 'u', jti: 't', iat: Date.now() / 1000, kid });
  await expect.poll(isRevoked, { timeout: 5000 }).toBe(true);
  await me(token).expect(401);
  await started.emptyRedis();
  expect(await isRevoked()).toBe(true);
  await me((await started.signedIn('others')).token).expect(200);
});

test('two processes that restore the denylist concurrently agree', async () => {
  const { id, token } = await started.signedIn('others');
  await started.auth.users.updateOne({ _id: id }, { $set: { tokensValidAfter: new Date(Date.now() + 1) } });
  const second = secondProcess();
  await started.emptyRedis();
  await me(token).expect(401);
  await restored();
  await second.stop();
});
