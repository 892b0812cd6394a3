import { bumpRevision } from '@interview-prep/kit/redis/outbox';
import type { Auth } from '../auth.ts';
import { revokeTokensNow } from '../revoked-tokens/revoke-tokens-now.ts';

/**
 * Deletes a user and revokes their tokens. What stays does not identify the user; it is published, so that recording and history delete what
 * is theirs, and kept, so that a restored backup does not bring them back.
 * @returns false where there is no such user
 * @throws HttpError 503 where the tokens would still be accepted
 */
export async function deleteUser(
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
  // Before the user: without the email, they could not be found after a crash.
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
