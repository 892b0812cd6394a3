import { type GroupKey, groupRoutes } from '@interview-prep/contracts/auth/groups';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import { badRequest, conflict, forbidden } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import { isDuplicateKey } from '@interview-prep/kit/mongo/mongo-errors';
import { bumpRevision } from '@interview-prep/kit/redis/outbox';
import { trusted } from 'mongoose';
import type { Auth } from '../auth.ts';
import type { UserRecord } from '../users/model.ts';
import { archived } from './groups.ts';
import { invite } from './invite.ts';
import { typedCode } from './join-code.ts';
import type { GroupRecord, InvitationRecord } from './model.ts';

const mailedAnswer = 'Check your mail: a link to join is on its way to you.';
const usedInvitation = () => badRequest('This invitation has expired or was used. Ask your coach for a new one.');
const signInFirst = () => conflict('You have an account already. Sign in to join.');

export function serveJoining(server: RouteServer, auth: Auth): void {
  const { users, groups, passwords, passwordPolicy, outbox, limits } = auth;

  /** @throws HttpError 400 if invalid or expired, 409 for an archived group */
  const open = async ({
    token,
    code,
  }: GroupKey): Promise<{ record: GroupRecord; invitation: InvitationRecord | null }> => {
    const invitation = token === undefined ? null : await groups.findInvitation(token);
    const record = invitation
      ? await groups.groups.findById(invitation.groupId).lean()
      : code !== undefined && typedCode(code) !== ''
        ? await groups.groups.findOne({ 'join.code': typedCode(code) }).lean()
        : null;
    if (!record || (!invitation && (record.join?.expiresAt ?? 0) <= new Date())) {
      throw token === undefined
        ? badRequest('This code does not work. Ask your coach for a new one.', [
            { path: 'code', message: 'This code does not work' },
          ])
        : usedInvitation();
    }
    if (record.archivedAt) throw archived();
    return { record, invitation };
  };

  /** Whether a user has never had a sign-in method. */
  const isNew = (user: UserRecord | null) =>
    !user || (user.passwordHash === undefined && !user.identities?.length && user.lastLogin === null);
  const userOf = ({ email }: { email: string }) => users.findOne({ email, deletedAt: null }).lean();

  const take = async (record: GroupRecord, invitation: InvitationRecord | null, userId: string) => {
    if (!invitation) return groups.join(record, userId, true);
    // If two people use the same link, the first one joins.
    const { _id, tokenHash = '' } = invitation;
    const { deletedCount } = await groups.invitations.deleteOne({ _id, tokenHash });
    if (deletedCount === 0) throw usedInvitation();
    await groups.join(record, userId, invitation.byCode === true).catch(async (error: unknown) => {
      await groups.invitations.create(invitation);
      throw error;
    });
  };

  server.serveAnyone(
    groupRoutes.previewGroup,
    async ({ body }) => {
      const { record, invitation } = await open(body);
      const [{ coaches = [] } = {}] = await groups.list([record], '');
      return {
        groupName: record.name,
        coaches: coaches.map(({ name, email }) => name ?? email),
        ...(invitation ? { email: invitation.email } : {}),
        choosesPassword: invitation !== null && isNew(await userOf(invitation)),
      };
    },
    ...limits.resetPassword,
  );

  server.serve(
    groupRoutes.joinGroup,
    async ({ body, user, res }) => {
      const { record, invitation } = await open(body);
      addToAudit(res, { target: `group:${record._id}` });
      await take(record, invitation, user.sub);
      return { groupId: String(record._id) };
    },
    ...limits.resetPassword,
  );

  server.serveAnyone(
    groupRoutes.acceptInvitation,
    async ({ body: { token, name, password }, res }) => {
      const { record, invitation } = await open({ token });
      if (!invitation) throw badRequest('The invitation is missing');
      const { email } = invitation;
      addToAudit(res, { target: `group:${record._id}` });
      const known = await userOf(invitation);
      if (!isNew(known)) throw signInFirst();
      if (known?.suspendedAt) throw forbidden('This account is suspended');
      await passwordPolicy.require(password, { email }, 'password');
      const passwordHash = await passwords.hash(password);
      // Fall back to the name on the invitation.
      const chosen = name || (known?.name ? '' : invitation.name);
      const named = chosen ? { name: chosen } : {};
      const user = known
        ? await users.findOneAndUpdate(
            { _id: known._id, deletedAt: null, passwordHash: trusted({ $exists: false }) },
            { $set: { passwordHash, ...named, ...bumpRevision.$set }, $inc: bumpRevision.$inc, $unset: { reset: 1 } },
            { returnDocument: 'after' },
          )
        : await users
            .create({ email, passwordHash, role: 'others', technologies: [], ...named })
            .catch((error: unknown) => {
              throw isDuplicateKey(error) ? signInFirst() : error;
            });
      if (!user) throw signInFirst();
      addToAudit(res, { actor: String(user._id) });
      await outbox.publish(user);
      await take(record, invitation, String(user._id));
      return { email };
    },
    ...limits.resetPassword,
  );

  server.serveAnyone(
    groupRoutes.requestInvitation,
    async ({ body: { code, email }, res }) => {
      if (!auth.sendsMail) throw conflict('This server sends no mail. Ask your coach to invite you.');
      const { record } = await open({ code });
      if (record.join?.left === 0) throw conflict('All seats of this group are taken');
      addToAudit(res, { target: `group:${record._id}` });
      await invite(auth, record, [{ email, name: '' }], { byCode: true });
      return { message: mailedAnswer };
    },
    ...limits.forgotPassword,
  );
}
