import { userRoutes } from '@interview-prep/contracts/users';
import { badRequest, unauthorized } from '@interview-prep/kit/http-error';
import type { RouteServer } from '@interview-prep/kit/serve-route';
import { trusted } from 'mongoose';
import type { Auth } from '../auth.ts';
import { revokeTokensNow } from '../revoked-tokens/revoke-tokens-now.ts';
import { requireUser } from '../users/find-user.ts';
import { resetTokenHash } from './reset-tokens.ts';

/** The same for every email, so that nobody learns who has an account. */
const neutralAnswer = 'If an account exists, a reset link has been sent to your email.';

export function servePasswords(server: RouteServer, auth: Auth): void {
  const { users, passwords, resetMails, sessions, signAccessToken, limits } = auth;

  server.serveAnyone(
    userRoutes.forgotPassword,
    async ({ body }) => {
      await resetMails.request(body.email);
      return { message: neutralAnswer };
    },
    ...limits.forgotPassword,
  );

  server.serveAnyone(
    userRoutes.resetPassword,
    async ({ body }) => {
      const works = () => ({
        'reset.tokenHash': resetTokenHash(body.token),
        'reset.expiresAt': trusted({ $gt: new Date() }),
        deletedAt: null,
      });
      const badLink = badRequest('This reset link is not valid any more. Please ask for a new one.');
      if (!(await users.exists(works()))) throw badLink;
      const passwordHash = await passwords.hash(body.password);
      const changed = await users.findOneAndUpdate(
        works(),
        { $set: { passwordHash, ...revokeTokensNow().fields }, $unset: { reset: 1 } },
        { returnDocument: 'after' },
      );
      if (!changed) throw badLink;
      await sessions.writeUserMark(changed);
      return { message: 'Your password has been reset. Please sign in.' };
    },
    ...limits.resetPassword,
  );

  server.serve(
    userRoutes.changePassword,
    async ({ body, user: { sub } }) => {
      const user = await requireUser(users, sub);
      const checked = user.passwordHash;
      const right = await passwords.verify(checked, body.currentPassword);
      if (!right || checked === undefined) {
        const message = 'Current password is incorrect';
        throw badRequest(message, [{ path: 'currentPassword', message }]);
      }
      const passwordHash = await passwords.hash(body.newPassword);
      const { nextTokenMs, fields } = revokeTokensNow();
      const changed = await users.findOneAndUpdate(
        // The hash that was checked: of two changes at once only the first may pass.
        { _id: sub, passwordHash: checked, deletedAt: null },
        { $set: { passwordHash, ...fields }, $unset: { reset: 1 } },
        { returnDocument: 'after' },
      );
      if (!changed) throw unauthorized('Your session has ended. Please sign in again.');
      await sessions.writeUserMark(changed);
      return { message: 'Password changed successfully', token: signAccessToken(changed, nextTokenMs) };
    },
    ...limits.changePassword,
  );
}
