import { ownTechnologiesMax, userRoutes } from '@interview-prep/contracts/auth/users';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import { badRequest, conflict, forbidden, notFound } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import type { Auth } from '../auth.ts';
import { findOwnFactor } from '../second-factor/own-factor.ts';
import { requireUser } from '../users/find-user.ts';
import { presentUser } from '../users/present-user.ts';
import { deleteUser } from './delete-user.ts';

/** Serves a user's own record, and the admins' management of users. */
export function serveUsers(server: RouteServer, auth: Auth): void {
  const { users, outbox, passwords, passwordPolicy, passwordLinks, technologies, adminLock, limits } = auth;
  const { isFreshSignIn, requireFreshSignIn } = auth;
  server.serve(userRoutes.register, async ({ body, res }) => {
    const slugs = [...new Set(body.technologies)];
    await technologies.require(slugs);
    const { email, password } = body;
    if (password !== undefined) await passwordPolicy.require(password, { email }, 'password');
    const hashed = password === undefined ? {} : { passwordHash: await passwords.hash(password) };
    const user = await users.create({ email, ...hashed, role: 'dev', technologies: slugs }).catch((error: unknown) => {
      throw isDuplicateKey(error) ? conflict('User already exists') : error;
    });
    addToAudit(res, { target: `user:${user._id}`, details: { role: 'dev' } });
    await outbox.publish(user);
    return {
      user: presentUser(user),
      ...(password === undefined ? { passwordLink: await passwordLinks.send(user) } : {}),
    };
  });

  server.serve(userRoutes.me, async ({ user }) => ({
    user: presentUser(await requireUser(users, user.sub)),
    sendsMail: auth.sendsMail,
  }));

  server.serve(userRoutes.draftKey, async ({ user }) => ({ key: await auth.draftKeys(user.sub) }));

  server.serve(userRoutes.subscribe, async ({ body, user: { sub } }) => {
    await requireUser(users, sub);
    await users.updateOne({ _id: sub, deletedAt: null }, { $set: { plan: body.plan } });
    return { user: presentUser(await requireUser(users, sub)) };
  });

  server.serve(userRoutes.chooseMails, async ({ body, user: { sub } }) => {
    const change = body.reviewMail ? { $set: { reviewMail: true } } : { $unset: { reviewMail: 1 } };
    await users.updateOne({ _id: sub, deletedAt: null }, change);
    return { user: presentUser(await requireUser(users, sub)) };
  });

  server.serve(userRoutes.listUsers, async () => {
    const all = await users.find({ deletedAt: null }).sort({ email: 1 }).lean();
    return { users: all.map(presentUser) };
  });

  server.serve(userRoutes.updateUser, async ({ params, body, user }) => {
    const id = params.id.toLowerCase();
    if (user.role !== 'admin' && user.sub !== id) throw forbidden();
    const slugs = [...new Set(body.technologies)];
    if (user.role !== 'admin' && slugs.length > ownTechnologiesMax) {
      const message = `Please select at most ${ownTechnologiesMax} technologies`;
      throw badRequest(message, [{ path: 'technologies', message }]);
    }
    await technologies.require(slugs);
    const changed = await users.findOneAndUpdate(
      { _id: id, deletedAt: null },
      { $set: { technologies: slugs } },
      { returnDocument: 'after' },
    );
    if (!changed) throw notFound('User not found');
    return { user: presentUser(changed) };
  });

  server.serve(
    userRoutes.deleteAccount,
    async ({ body, res, user: claims }) => {
      addToAudit(res, { target: `user:${claims.sub}` });
      const user = await requireUser(users, claims.sub);
      // For a user with a second factor the password alone is not enough.
      if ((await findOwnFactor(auth, user)) !== null) requireFreshSignIn(claims);
      if (!isFreshSignIn(claims) && !(await passwords.verify(user.passwordHash, body.password ?? ''))) {
        const message = user.passwordHash
          ? 'The password is incorrect'
          : 'Please sign in again, then delete the account';
        throw badRequest(message, [{ path: 'password', message }]);
      }
      await adminLock.run(async () => {
        if (user.role === 'admin') {
          await adminLock.requireOtherAdmin(claims.sub, 'You are the only admin. Make another admin first.');
        }
        await deleteUser(auth, claims.sub);
      });
      return null;
    },
    ...limits.changePassword,
  );

  server.serve(userRoutes.deleteUser, async ({ params, user }) => {
    requireFreshSignIn(user);
    if (user.sub === params.id.toLowerCase()) throw badRequest('You cannot delete yourself');
    const isDeleted = await adminLock.run(async () => {
      const id = params.id.toLowerCase();
      if (await users.exists({ _id: id, role: 'admin', deletedAt: null })) {
        await adminLock.requireOtherAdmin(id, 'This is the only admin. Make another admin first.');
      }
      return deleteUser(auth, id);
    });
    if (!isDeleted) throw notFound('User not found');
    return null;
  });
}
