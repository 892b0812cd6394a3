import { userManagementRoutes } from '@interview-prep/contracts/auth/user-management';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import { badRequest, notFound } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import { bumpRevision } from '@interview-prep/kit/redis/outbox';
import type { Auth } from '../auth.ts';
import { revokeTokensNow } from '../revoked-tokens/revoke-tokens-now.ts';
import type { UserRecord } from '../users/model.ts';
import { presentUser } from '../users/present-user.ts';
import { createUser, importUsers, refuseDouble } from './create-user.ts';

/** Serves what admins do to the accounts of others: creation, role, email, suspension, password link, end of all sign-ins. */
export function serveUserManagement(server: RouteServer, auth: Auth): void {
  const { users, outbox, adminLock, challenges, mails, passwordLinks } = auth;
  const { revokedTokens, requireFreshSignIn } = auth;

  /** The user's id as it is stored. @throws HttpError 400 for the admin themselves */
  const otherThan = (own: string, given: string) => {
    const id = given.toLowerCase();
    if (id === own) throw badRequest('You cannot do this for yourself. Another admin can.');
    return id;
  };

  /** Changes a user, ends their sign-ins and publishes them. @throws HttpError 404 */
  const edit = async (
    id: string,
    by: string,
    set: Partial<UserRecord>,
    unset: Partial<Record<keyof UserRecord, 1>> = {},
  ) => {
    const changed = await users.findOneAndUpdate(
      { _id: id, deletedAt: null },
      {
        $inc: bumpRevision.$inc,
        $set: { ...bumpRevision.$set, ...revokeTokensNow().fields, ...set, edited: { by, at: new Date() } },
        ...(Object.keys(unset).length > 0 ? { $unset: unset } : {}),
      },
      { returnDocument: 'after' },
    );
    if (!changed) throw notFound('User not found');
    await challenges.forget(changed._id);
    await revokedTokens.revokeUserTokens(changed);
    await outbox.publish(changed);
    return changed;
  };

  server.serve(userManagementRoutes.changeRole, async ({ params, body: { role }, user, res }) => {
    requireFreshSignIn(user);
    const id = otherThan(user.sub, params.id);
    await revokedTokens.requireRevocable();
    const changed = await adminLock.run(async () => {
      const before = await users.findOne({ _id: id, deletedAt: null }, 'role').lean();
      if (before) addToAudit(res, { details: { from: before.role, to: role } });
      if (before?.role === 'admin' && role !== 'admin') {
        await adminLock.requireOtherAdmin(id, 'This is the only admin. Make another admin first.');
      }
      return edit(id, user.sub, { role });
    });
    return { user: presentUser(changed) };
  });

  server.serve(userManagementRoutes.createUser, ({ body, user, res }) => {
    requireFreshSignIn(user);
    return createUser(auth, body, res);
  });

  server.serve(userManagementRoutes.importUsers, async ({ body, user, res }) => {
    requireFreshSignIn(user);
    return { users: await importUsers(auth, body, res) };
  });

  server.serve(userManagementRoutes.suspendUser, async ({ params, body: { suspended }, user: claims, res }) => {
    requireFreshSignIn(claims);
    const id = otherThan(claims.sub, params.id);
    await revokedTokens.requireRevocable();
    const changed = await adminLock.run(async () => {
      const before = await users.findOne({ _id: id, deletedAt: null }, 'role suspendedAt').lean();
      const stateOf = (is: boolean) => (is ? 'suspended' : 'active');
      if (before) addToAudit(res, { details: { from: stateOf(Boolean(before.suspendedAt)), to: stateOf(suspended) } });
      if (before?.role === 'admin' && suspended) {
        await adminLock.requireOtherAdmin(id, 'This is the only admin. Make another admin first.');
      }
      return edit(
        id,
        claims.sub,
        suspended ? { suspendedAt: before?.suspendedAt ?? new Date() } : {},
        suspended ? {} : { suspendedAt: 1 },
      );
    });
    return { user: presentUser(changed) };
  });

  server.serve(userManagementRoutes.changeEmail, async ({ params, body: { email }, user: claims }) => {
    requireFreshSignIn(claims);
    const id = otherThan(claims.sub, params.id);
    await revokedTokens.requireRevocable();
    const before = await users.findOne({ _id: id, deletedAt: null }, 'email').lean();
    if (!before) throw notFound('User not found');
    const changed = await edit(id, claims.sub, { email }, { reset: 1 }).catch(refuseDouble);
    if (before.email !== email) await mails.forget(before.email);
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
    await challenges.forget(changed._id);
    await revokedTokens.revokeUserTokens(changed);
    return null;
  });
}
