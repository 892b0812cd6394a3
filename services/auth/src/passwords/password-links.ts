import type { PasswordLink } from '@interview-prep/contracts/auth/password-link';
import { invitationLifetimeMs, type MailOutbox } from '../mails/mail-outbox.ts';
import type { UserModel, UserRecord } from '../users/model.ts';
import { makeResetToken, passwordLinkUrl } from '../users/reset-tokens.ts';

/** Links for users to set a password, created by an admin. */
export interface PasswordLinks {
  /** Mails the link, or returns it if there is no mail server. The user's earlier links stop working. */
  send(user: Pick<UserRecord, '_id' | 'email' | 'passwordHash'>): Promise<PasswordLink>;
}

/** @param canMail whether there is a mail server */
export function createPasswordLinks(
  users: UserModel,
  mails: MailOutbox,
  publicUrl: string,
  canMail: boolean,
): PasswordLinks {
  return {
    async send({ _id, email, passwordHash }) {
      const expiresAt = new Date(Date.now() + invitationLifetimeMs).toISOString();
      if (canMail) {
        await users.updateOne({ _id }, { $unset: { reset: 1 } });
        await mails.requestPasswordLink(email, passwordHash === undefined ? 'invitation' : 'admin');
        return { isMailed: true, expiresAt };
      }
      const token = await makeResetToken(users, _id, invitationLifetimeMs);
      return { isMailed: false, link: passwordLinkUrl(publicUrl, token, passwordHash === undefined), expiresAt };
    },
  };
}
