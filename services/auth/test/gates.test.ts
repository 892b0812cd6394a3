import { allRoutes } from '@interview-prep/contracts/api/routes';
import { badTokens } from '@interview-prep/kit/testing/bad-tokens';
import { Types } from 'mongoose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { identityOf, type StartedAuth, startAuth } from './start-auth.ts';

let started: StartedAuth;
beforeAll(async () => {
  started = await startAuth();
});
afterAll(() => started.stop());

/** The status of an empty call that is allowed: invalid input, not found, or success. */
const passed: Record<string, number> = {
  login: 400,
  googleSignIn: 400,
  register: 400,
  forgotPassword: 400,
  resetPassword: 400,
  checkResetLink: 400,
  removeAccess: 400,
  changePassword: 400,
  me: 200,
  draftKey: 200,
  logout: 204,
  subscribe: 400,
  chooseMails: 400,
  jwks: 200,
  listUsers: 200,
  newestUsers: 200,
  updateUser: 400,
  deleteUser: 404,
  deleteAccount: 400,
  searchAuditEntries: 200,
  exportAuditEntries: 200,
  secondFactor: 400,
  stepUp: 400,
  accountSecurity: 200,
  beginTotp: 200,
  confirmTotp: 400,
  removeTotp: 204,
  renewRecoveryCodes: 409,
  resetSecondFactor: 404,
  createUser: 400,
  importUsers: 400,
  suspendUser: 400,
  changeEmail: 400,
  changeName: 400,
  changeRole: 400,
  sendPasswordLink: 404,
  endSignIns: 404,
  passkeySignInOptions: 200,
  passkeySignIn: 400,
  newPasskeyOptions: 200,
  addPasskey: 400,
  removePasskey: 404,
  accountData: 200,
  listSignIns: 200,
  endSignIn: 404,
  endOtherSignIns: 204,
  oidcSignIn: 501,
  finishOidcSignIn: 400,
  linkOidc: 501,
  finishOidcLink: 400,
  linkGoogle: 400,
  unlinkIdentity: 400,
  listGroups: 200,
  createGroup: 400,
  getGroup: 404,
  updateGroup: 400,
  setGroupRole: 400,
  leaveGroup: 404,
  invite: 400,
  revokeInvitation: 404,
  openJoinCode: 400,
  closeJoinCode: 404,
  previewGroup: 400,
  joinGroup: 400,
  acceptInvitation: 400,
  messageGroup: 400,
  requestInvitation: 400,
  listApiKeys: 200,
  createApiKey: 400,
  revokeApiKey: 404,
  exchangeApiKey: 400,
  listWebhooks: 200,
  createWebhook: 400,
  deleteWebhook: 404,
  listDeliveries: 404,
  redeliver: 404,
  ltiKeys: 200,
  beginLtiLogin: 400,
  openLtiLogin: 400,
  ltiLaunch: 400,
  finishLtiLaunch: 400,
  linkLti: 400,
  chooseLtiContent: 400,
  // This route expects a form, not JSON.
  returnLtiContent: 415,
  listLtiPlatforms: 200,
  createLtiPlatform: 400,
  updateLtiPlatform: 400,
  deleteLtiPlatform: 404,
  listLtiCourses: 200,
  updateLtiMembers: 404,
  listLtiScores: 404,
  resendLtiScore: 404,
};

const ours = allRoutes.filter(([, route]) => route.service === 'auth');

test('each route of this service has a row', () => {
  expect(Object.keys(passed).sort()).toEqual(ours.map(([name]) => name).sort());
});

describe.each(ours)('%s', (name, route) => {
  const path = route.path.replace(/:\w+/g, () => new Types.ObjectId().toHexString());
  const call = (token?: string) =>
    started.call(route.method, path, token, name === 'deleteAccount' ? { password: 7 } : {});

  if (route.access === 'anyone')
    test('is open to anyone', async () => {
      expect((await call()).status).toBe(passed[name]);
    });

  if (route.access !== 'anyone')
    test('rejects bad and missing tokens', async () => {
      for (const [fault, token] of await badTokens(identityOf(started), started.denylist)) {
        const { status, body } = await call(token);
        expect([fault, status, body.code]).toEqual([fault, 401, 'unauthorized']);
      }
      expect((await call()).status).toBe(401);
    });

  test('allows each role what it is permitted', async () => {
    for (const role of ['admin', 'dev', 'others'] as const) {
      const { token } = await identityOf(started).user(role);
      const allowed = route.access !== 'admin' || role === 'admin';
      expect([role, (await call(token)).status]).toEqual([role, allowed ? passed[name] : 403]);
    }
  });
});
