import { ownTechnologiesMax, userRoutes } from '@interview-prep/contracts/users';
import { badRequest, conflict, forbidden, notFound } from '@interview-prep/kit/http-error';
import { isDuplicateKey } from '@interview-prep/kit/mongo';
import { bumpRevision } from '@interview-prep/kit/outbox';
import type { RouteServer } from '@interview-prep/kit/serve-route';
import type { Auth } from '../auth.ts';
import { revokeTokensNow } from '../revoked-tokens/revoke-tokens-now.ts';
import { requireUser } from './find-user.ts';
import { presentUser } from './present-user.ts';

/** Serves a user's own record, and the admins' management of users. */
export function serveUsers(server: RouteServer, { users, outbox, passwords, technologies, revokedTokens }: Auth): void {
  server.serve(userRoutes.register, async ({ body }) => {
    const slugs = [...new Set(body.technologies)];
    await technologies.require(slugs);
    const passwordHash = await passwords.hash(body.password);
    const user = await users
      .create({ email: body.email, passwordHash, role: 'dev', technologies: slugs })
      .catch((error: unknown) => {
        throw isDuplicateKey(error) ? conflict('User already exists') : error;
      });
    await outbox.publish(user);
    return { user: presentUser(user) };
  });

  server.serve(userRoutes.me, async ({ user }) => ({ user: presentUser(await requireUser(users, user.sub)) }));

  server.serve(userRoutes.subscribe, async ({ body, user: { sub } }) => {
    await requireUser(users, sub);
    await users.updateOne({ _id: sub, deletedAt: null }, { $set: { plan: body.plan } });
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

  server.serve(userRoutes.deleteUser, async ({ params, user }) => {
    if (user.sub === params.id.toLowerCase()) throw badRequest('You can not delete yourself');
    await revokedTokens.requireRevocable();
    const deleted = await users.findOneAndUpdate(
      { _id: params.id, deletedAt: null },
      {
        $inc: bumpRevision.$inc,
        $set: { ...bumpRevision.$set, ...revokeTokensNow().fields, deletedAt: new Date(), email: '', technologies: [] },
        $unset: { passwordHash: 1, reset: 1, googleId: 1 },
      },
      { returnDocument: 'after' },
    );
    if (!deleted) throw notFound('User not found');
    await revokedTokens.revokeUserTokens(deleted);
    await outbox.publish(deleted);
    return null;
  });
}
