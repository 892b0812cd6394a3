import { userManagementRoutes } from '@interview-prep/contracts/auth/user-management';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import { badRequest, notFound } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import type { Auth } from '../auth.ts';
import { revokeTokensNow } from '../revoked-tokens/revoked-tokens.ts';
import type { UserDocument } from '../users/model.ts';
import { presentUser } from '../users/present-user.ts';
import { createUser, importUsers, refuseDouble } from './create-user.ts';
import { editUser } from './edit-user.ts';

const onlyAdmin = 'This is the only admin. Make another admin first.';

/** Admin routes to manage other users' accounts: creation, role, email, suspension, password links, signing out. */
export function serveUserManagement(server: RouteServer, auth: Auth): void {
  const { users, adminLock, challenges, mails, passwordLinks, revokedTokens, requireFreshSignIn } = auth;

  /** The user's id as an ObjectId. @throws HttpError 400 if admins target themselves */
  const otherThan = (own: string, given: string) => {
    const id = given.toLowerCase();
    if (id === own) throw badRequest('You cannot do this for yourself. Another admin can.');
    return id;
  };

  const signOutChanged = async (changed: UserDocument) => {
    await challenges.forget(changed._id);
    await revokedTokens.revokeUserTokens(changed);
    return { user: presentUser(changed) };
  };

  server.serve(userManagementRoutes.changeRole, async ({ params, body: { role }, user, req, res }) => {
    requireFreshSignIn(user);
    const id = otherThan(user.sub, params.id);
    await revokedTokens.requireRevocable();
    const changed = await adminLock.run(async () => {
      if (role !== 'admin') await adminLock.requireOtherAdmin(id, onlyAdmin);
      return editUser(auth, { params: { id }, req, user }, ['role'], (before) => {
        addToAudit(res, { details: { from: before.role, to: role } });
        return { set: { role, ...revokeTokensNow().fields } };
      });
    });
    return signOutChanged(changed);
  });

  server.serve(userManagementRoutes.createUser, ({ body, user, res }) => {
    requireFreshSignIn(user);
    return createUser(auth, body, res);
  });

  server.serve(userManagementRoutes.importUsers, async ({ body, user, res }) => {
    requireFreshSignIn(user);
    return { users: await importUsers(auth, body, res) };
  });

  server.serve(userManagementRoutes.suspendUser, async ({ params, body: { suspended }, user, req, res }) => {
    requireFreshSignIn(user);
    const id = otherThan(user.sub, params.id);
    await revokedTokens.requireRevocable();
    const stateOf = (is: boolean) => (is ? 'suspended' : 'active');
    const changed = await adminLock.run(async () => {
      if (suspended) await adminLock.requireOtherAdmin(id, onlyAdmin);
      return editUser(auth, { params: { id }, req, user }, ['suspended'], ({ suspendedAt }) => {
        addToAudit(res, { details: { from: stateOf(Boolean(suspendedAt)), to: stateOf(suspended) } });
        const set = revokeTokensNow().fields;
        if (!suspended) return { set, unset: { suspendedAt: 1 } };
        return { set: { ...set, suspendedAt: suspendedAt ?? new Date() } };
      });
    });
    return signOutChanged(changed);
  });

  server.serve(userManagementRoutes.changeEmail, async ({ params, body: { email }, user, req }) => {
    requireFreshSignIn(user);
    const id = otherThan(user.sub, params.id);
    await revokedTokens.requireRevocable();
    let old = email;
    const changed = await editUser(auth, { params: { id }, req, user }, ['email'], (before) => {
      old = before.email;
      return { set: { email, ...revokeTokensNow().fields }, unset: { reset: 1 } };
    }).catch(refuseDouble);
    const answer = await signOutChanged(changed);
    if (old !== email) await mails.forget(old);
    return answer;
  });

  server.serve(userManagementRoutes.changeName, async ({ params, body: { name }, user, req, res }) => {
    addToAudit(res, { details: { changed: 'name' } });
    const id = otherThan(user.sub, params.id);
    const changed = await editUser(auth, { params: { id }, req, user }, ['name'], () =>
      name ? { set: { name } } : { set: {}, unset: { name: 1 } },
    );
    return { user: presentUser(changed) };
  });

  server.serve(userManagementRoutes.sendPasswordLink, async ({ params, user }) => {
    requireFreshSignIn(user);
    const found = await users.findOne({ _id: otherThan(user.sub, params.id), deletedAt: null }).lean();
    if (!found) throw notFound('User not found');
    return { passwordLink: await passwordLinks.send(found) };
  });

  server.serve(userManagementRoutes.endSignIns, async ({ params, user }) => {
    requireFreshSignIn(user);
    const id = otherThan(user.sub, params.id);
    await revokedTokens.requireRevocable();
    const changed = await users.findOneAndUpdate(
      { _id: id, deletedAt: null },
      { $set: revokeTokensNow().fields },
      { returnDocument: 'after' },
    );
    if (!changed) throw notFound('User not found');
    await signOutChanged(changed);
    return null;
  });
}
