import { ownTechnologiesMax, userRoutes } from '@interview-prep/contracts/auth/users';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import { badRequest, forbidden, invalidField, notFound } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import { bumpRevision } from '@interview-prep/kit/redis/outbox';
import { trusted } from 'mongoose';
import type { Auth } from '../auth.ts';
import { revokeTokensNow } from '../revoked-tokens/revoked-tokens.ts';
import { findOwnFactor } from '../second-factor/confirm-identity.ts';
import { requireUser } from '../users/find-user.ts';
import { presentUser } from '../users/present-user.ts';
import { createUser } from './create-user.ts';
import { editUser } from './edit-user.ts';

export function serveUsers(server: RouteServer, auth: Auth): void {
  const { users, passwords, technologies, adminLock, limits } = auth;
  const { isFreshSignIn, requireFreshSignIn } = auth;
  server.serve(userRoutes.register, ({ body, res }) => createUser(auth, { ...body, role: 'dev' }, res));

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

  server.serve(userRoutes.chooseMails, async ({ body, user: { sub, role } }) => {
    if (body.appealMail && role !== 'admin' && !(await auth.groups.isCoach(sub))) throw forbidden();
    // Mongoose skips undefined fields.
    await users.updateOne({ _id: sub, deletedAt: null }, { $set: body });
    return { user: presentUser(await requireUser(users, sub)) };
  });

  server.serve(userRoutes.newestUsers, async () => {
    const since = new Date(Date.now() - 7 * 24 * 60 * 60_000);
    const [newest, lastSevenDays] = await Promise.all([
      users.find({ deletedAt: null }).sort({ createdAt: -1 }).limit(3).lean(),
      users.countDocuments({ deletedAt: null, createdAt: trusted({ $gte: since }) }),
    ]);
    return { users: newest.map(presentUser), lastSevenDays };
  });

  server.serve(userRoutes.listUsers, async ({ query: { limit, cursor } }) => {
    const after = cursor === undefined ? '' : Buffer.from(cursor, 'base64url').toString();
    const query = users.find({ deletedAt: null, email: trusted({ $gt: after }) }).sort({ email: 1 });
    // Fetch one extra: if it exists, there is a next page.
    const found = await (limit === undefined ? query : query.limit(limit + 1)).lean();
    const page = found.slice(0, limit);
    const uses = await auth.signInRecords
      .find({ userId: trusted({ $in: page.map(({ _id }) => _id) }) }, 'userId lastUsedAt')
      .lean();
    const seen = new Map<string, string>();
    for (const { userId, lastUsedAt } of uses) {
      const [id, at] = [String(userId), lastUsedAt.toISOString()];
      if (at > (seen.get(id) ?? '')) seen.set(id, at);
    }
    const last = page.at(-1);
    return {
      users: page.map((user) => ({
        ...presentUser(user),
        lastSeen: seen.get(String(user._id)) ?? user.lastLogin?.toISOString() ?? null,
      })),
      nextCursor: last && found.length > page.length ? Buffer.from(last.email).toString('base64url') : null,
    };
  });

  server.serve(userRoutes.updateUser, async ({ params, body, user, req, res }) => {
    const id = params.id.toLowerCase();
    if (user.role !== 'admin' && user.sub !== id) throw forbidden();
    const slugs = [...new Set(body.technologies)];
    if (user.role !== 'admin' && slugs.length > ownTechnologiesMax)
      throw invalidField('technologies', `Please select at most ${ownTechnologiesMax} technologies`);
    await technologies.require(slugs);
    const replaced = body.name === undefined ? (['technologies'] as const) : (['technologies', 'name'] as const);
    const changed = await editUser(auth, { params: { id }, req, user }, replaced, (before) => {
      const [from, to] = [before.technologies, slugs].map((list) => list.join(', ').slice(0, 200));
      addToAudit(res, { details: { from: from!, to: to! } });
      const { name = before.name } = body;
      return name ? { set: { technologies: slugs, name } } : { set: { technologies: slugs }, unset: { name: 1 } };
    });
    return { user: presentUser(changed) };
  });

  server.serve(
    userRoutes.deleteAccount,
    async ({ body, res, user: claims }) => {
      addToAudit(res, { target: `user:${claims.sub}` });
      const user = await requireUser(users, claims.sub);
      // A password isn't enough for a user with a second factor.
      if ((await findOwnFactor(auth, user)) !== null) requireFreshSignIn(claims);
      if (!isFreshSignIn(claims) && !(await passwords.verify(user.passwordHash, body.password ?? '')))
        throw invalidField(
          'password',
          user.passwordHash ? 'The password is incorrect' : 'Please sign in again, then delete the account',
        );
      await adminLock.run(async () => {
        await adminLock.requireOtherAdmin(claims.sub, 'You are the only admin. Make another admin first.');
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
      await adminLock.requireOtherAdmin(id, 'This is the only admin. Make another admin first.');
      return deleteUser(auth, id);
    });
    if (!isDeleted) throw notFound('User not found');
    return null;
  });
}

/**
 * Deletes a user and revokes their tokens. A tombstone without personal data stays. It is published, so that recording and history delete
 * the user's data, and kept, so that a restored backup doesn't bring the user back.
 * @returns false if there is no such user
 * @throws HttpError 503 if the tokens would still be accepted
 */
async function deleteUser(
  {
    users,
    outbox,
    mails,
    groups,
    challenges,
    passkeyRecords,
    apiKeys,
    webhooks,
    lti,
    revokedTokens,
    signIns,
    eraseMail,
  }: Auth,
  userId: string,
): Promise<boolean> {
  await revokedTokens.requireRevocable();
  const user = await users.findOne({ _id: userId, deletedAt: null }, 'email').lean();
  if (!user) return false;
  // Do this before deleting the user: without the email, the mail couldn't be found after a crash.
  await mails.forget(user.email);
  await eraseMail(user.email);
  await groups.forget(userId, user.email);
  const deleted = await users.findOneAndUpdate(
    { _id: userId, deletedAt: null },
    {
      $inc: bumpRevision.$inc,
      $set: {
        ...bumpRevision.$set,
        ...revokeTokensNow().fields,
        deletedAt: new Date(),
        eraseData: true,
        email: '',
        technologies: [],
        lastLogin: null,
      },
      $unset: {
        passwordHash: 1,
        reset: 1,
        identities: 1,
        name: 1,
        suspendedAt: 1,
        appealMail: 1,
        assignmentMail: 1,
        edited: 1,
        totp: 1,
        pendingTotp: 1,
        recovery: 1,
        // Makes drafts in the user's browsers unreadable.
        draftKey: 1,
        codeGuesses: 1,
      },
    },
    { returnDocument: 'after' },
  );
  if (!deleted) return false;
  await passkeyRecords.deleteMany({ userId: deleted._id });
  await apiKeys.deleteMany({ userId: deleted._id });
  await webhooks.forget(deleted._id);
  await lti.forgetUser(userId);
  await challenges.forget(deleted._id);
  await signIns.forget(deleted._id);
  await revokedTokens.revokeUserTokens(deleted);
  await outbox.publish(deleted);
  return true;
}
