import { randomUUID } from 'node:crypto';
import { type OtherAccess, passwordResetRoutes } from '@interview-prep/contracts/auth/password-reset';
import { userRoutes } from '@interview-prep/contracts/auth/users';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import { badRequest, invalidField, unauthorized } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import { bumpRevision } from '@interview-prep/kit/redis/outbox';
import { resetTicketProfile } from '@interview-prep/kit/tokens/reset-tickets';
import { signToken } from '@interview-prep/kit/tokens/signed-token';
import { trusted } from 'mongoose';
import type { Auth } from '../auth.ts';
import { linkedProviders } from '../identities/providers.ts';
import { presentPasskey } from '../passkeys/model.ts';
import { revokeTokensNow } from '../revoked-tokens/revoked-tokens.ts';
import { findOwnFactor } from '../second-factor/confirm-identity.ts';
import { clientOf } from '../sign-ins/client-of.ts';
import type { Keyring } from '../signing-keys/keyring.ts';
import { requireUser } from '../users/find-user.ts';
import type { UserRecord } from '../users/model.ts';
import { resetTokenHash } from '../users/reset-tokens.ts';

/** Long enough to read the page shown after a reset. */
const ticketSeconds = 15 * 60;

type Access = Pick<Auth, 'passkeyRecords' | 'factorRoles' | 'providers'>;

/** The same for every email, so that it doesn't reveal who has an account. */
const neutralAnswer = 'If an account exists, a reset link has been sent to your email.';

const badResetLink = () => badRequest('This reset link has expired. Request a new link.');

/** Matches the user whose reset link has this token, until it expires. */
const withResetLink = (token: string) => ({
  'reset.tokenHash': resetTokenHash(token),
  'reset.expiresAt': trusted({ $gt: new Date() }),
  deletedAt: null,
});

export function servePasswords(server: RouteServer, auth: Auth): void {
  const { users, passwords, passwordPolicy, mails, revokedTokens, signIns, limits, requireFreshSignIn } = auth;
  const { keyring, verifyResetTicket } = auth;

  server.serveAnyone(
    userRoutes.forgotPassword,
    async ({ body, res }) => {
      const user = await users.findOne({ email: body.email, deletedAt: null }, '_id').lean();
      addToAudit(res, { target: user ? `user:${user._id}` : null });
      await mails.requestPasswordLink(body.email);
      return { message: neutralAnswer };
    },
    ...limits.forgotPassword,
  );

  server.serveAnyone(
    passwordResetRoutes.checkResetLink,
    async ({ body }) => {
      if (!(await users.exists(withResetLink(body.token)))) throw badResetLink();
      return null;
    },
    ...limits.resetPassword,
  );

  server.serveAnyone(
    passwordResetRoutes.resetPassword,
    async ({ body, req, res }) => {
      const openRequest = () => withResetLink(body.token);
      const badLink = badResetLink();
      const owner = await users.findOne(openRequest()).lean();
      if (!owner) throw badLink;
      addToAudit(res, { actor: String(owner._id) });
      await passwordPolicy.require(body.password, owner, 'password');
      await revokedTokens.requireRevocable();
      const passwordHash = await passwords.hash(body.password);
      const ended = await signIns.list(owner, { claims: null, client: clientOf(req) });
      const { nextTokenMs, fields } = revokeTokensNow();
      const changed = await users.findOneAndUpdate(
        openRequest(),
        { $set: { passwordHash, ...fields }, $unset: { reset: 1 } },
        { returnDocument: 'after' },
      );
      if (!changed) throw badLink;
      await revokedTokens.revokeUserTokens(changed);
      return {
        message: 'Your password has been reset. Please sign in.',
        ticket: signResetTicket(keyring, changed, nextTokenMs),
        access: await findOtherAccess(auth, changed.toObject()),
        endedSignIns: ended,
      };
    },
    ...limits.resetPassword,
  );

  server.serveAnyone(
    passwordResetRoutes.removeAccess,
    async ({ body, res }) => {
      const userId = await verifyResetTicket(body.ticket);
      addToAudit(res, { actor: userId });
      return removeAccess(auth, userId);
    },
    ...limits.resetPassword,
  );

  server.serve(
    userRoutes.changePassword,
    async ({ body, user: claims, req }) => {
      const { sub } = claims;
      const user = await requireUser(users, sub);
      // The response is a fresh sign-in. A password isn't enough for a user with a second factor.
      if ((await findOwnFactor(auth, user)) !== null) requireFreshSignIn(claims);
      const currentHash = user.passwordHash;
      const isCorrect = await passwords.verify(currentHash, body.currentPassword);
      if (!isCorrect || currentHash === undefined)
        throw invalidField('currentPassword', 'Current password is incorrect');
      await passwordPolicy.require(body.newPassword, user, 'newPassword');
      await revokedTokens.requireRevocable();
      const passwordHash = await passwords.hash(body.newPassword);
      const { nextTokenMs, fields } = revokeTokensNow();
      const changed = await users.findOneAndUpdate(
        // Match the hash that was checked, so that only the first of two concurrent changes succeeds.
        { _id: sub, passwordHash: currentHash, deletedAt: null },
        { $set: { passwordHash, ...fields }, $unset: { reset: 1 } },
        { returnDocument: 'after' },
      );
      if (!changed) throw unauthorized('You have been signed out. Please sign in again.');
      await revokedTokens.revokeUserTokens(changed);
      const token = await signIns.begin(changed, nextTokenMs, clientOf(req));
      return { message: 'Password changed successfully', token };
    },
    ...limits.changePassword,
  );
}

/** @param issuedAtMs the time since which the user's tokens are valid, in ms since 1970 */
function signResetTicket(keyring: Pick<Keyring, 'signing'>, user: Pick<UserRecord, '_id'>, issuedAtMs: number) {
  const { kid, privateKey } = keyring.signing();
  const iat = issuedAtMs / 1000;
  const claims = { sub: user._id.toHexString(), jti: randomUUID(), iat, exp: Math.ceil(iat) + ticketSeconds };
  return signToken(resetTicketProfile, privateKey, claims, kid);
}

/** Finds sign-in methods and other access besides the password. */
async function findOtherAccess(auth: Access, user: UserRecord): Promise<OtherAccess> {
  const { passkeyRecords, factorRoles, providers } = auth;
  const passkeys = await passkeyRecords.find({ userId: user._id }).sort({ createdAt: 1 }).lean();
  const linked = linkedProviders(providers, user.identities).filter(({ isLinked }) => isLinked);
  return {
    passkeys: passkeys.map(presentPasskey),
    // Access to the mailbox alone must not remove the second factor.
    keepsPasskeys: passkeys.length > 0 && factorRoles.has(user.role) && user.totp === undefined,
    providers: linked.map(({ name }) => name),
  };
}

/**
 * Removes a user's linked accounts, API keys, webhooks and passkeys (unless these are the second factor that the role requires),
 * and ends their sign-ins. Recording ends their share links when it receives the published user.
 * @returns the remaining access
 * @throws HttpError 401 if the user is deleted, 503 if tokens would still be accepted
 */
async function removeAccess(auth: Auth, userId: string): Promise<OtherAccess> {
  const { users, outbox, locks, passkeyRecords, apiKeys, webhooks, challenges, signIns, revokedTokens } = auth;
  await revokedTokens.requireRevocable();
  return locks.run('ways-in', async () => {
    const user = await requireUser(users, userId);
    const { keepsPasskeys } = await findOtherAccess(auth, user);
    // Do this first: if the process dies in between, the ticket still works.
    await apiKeys.deleteMany({ userId: user._id });
    await webhooks.webhooks.deleteMany({ userId: user._id });
    if (!keepsPasskeys) await passkeyRecords.deleteMany({ userId: user._id });
    const changed = await users.findOneAndUpdate(
      { _id: user._id, deletedAt: null },
      {
        $inc: bumpRevision.$inc,
        $set: { ...bumpRevision.$set, ...revokeTokensNow().fields, sharesEndedAt: new Date() },
        $unset: { identities: 1, pendingTotp: 1, reset: 1 },
      },
      { returnDocument: 'after' },
    );
    if (!changed) return { passkeys: [], keepsPasskeys: false, providers: [] };
    await challenges.forget(changed._id);
    await signIns.forget(changed._id);
    await revokedTokens.revokeUserTokens(changed);
    await outbox.publish(changed);
    return findOtherAccess(auth, changed.toObject());
  });
}
