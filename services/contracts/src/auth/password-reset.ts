import { z } from 'zod';
import { Message } from '../api/error-body.ts';
import { newPassword, timestamp } from '../api/fields.ts';
import { routesOf } from '../api/route.ts';
import { Share } from '../recording/shares.ts';
import { Passkey } from './passkeys.ts';
import { SignInPlace } from './sign-ins.ts';

/** Sign-in methods other than the new password. */
export const OtherAccess = z.object({
  passkeys: z.array(Passkey),
  /** Whether passkeys have to stay: the role requires a second factor, and there is no other. */
  keepsPasskeys: z.boolean(),
  /** Display names of the providers with a linked account. */
  providers: z.array(z.string()),
});
export type OtherAccess = z.infer<typeof OtherAccess>;

/** The response to a password reset. */
export const PasswordReset = Message.extend({
  /** Valid for 15 minutes, only to list and remove other access to the account. */
  ticket: z.string(),
  access: OtherAccess,
  /** The sign-ins that the reset revoked. */
  endedSignIns: z.array(SignInPlace.pick({ browser: true, system: true, lastUsedAt: true })),
});
export type PasswordReset = z.infer<typeof PasswordReset>;

/** A share link to one of the account's interviews. */
export const LinkAfterReset = Share.pick({ role: true, expiresAt: true }).extend({
  title: z.string(),
  createdAt: timestamp,
});
export type LinkAfterReset = z.infer<typeof LinkAfterReset>;

const missingToken = 'Reset token is missing. Please use the link sent to your email.';
const resetToken = z.string(missingToken).min(1, missingToken).max(500, 'This reset link is not valid.');

const ended = 'This page has expired. Sign in, and look at “Sign-in and Security”.';
const body = z.object({ ticket: z.string(ended).trim().min(1, ended).max(2000, ended) });

const auth = routesOf('auth');
const recording = routesOf('recording');

/** Password resets by mail, and the cleanup of other access to the account that needs no sign-in afterward. */
export const passwordResetRoutes = {
  resetPassword: auth.post('/api/auth/reset-password', 'anyone', {
    summary: 'Set a new password with the token from the mail',
    description:
      'Accepts the token of the mailed link once, and revokes all tokens of the user. The response lists other access to the account, with a ticket for removing it.',
    body: z.object({ token: resetToken, password: newPassword() }),
    result: PasswordReset,
    errorStatuses: [429],
    audit: { action: 'password.reset' },
  }),
  checkResetLink: auth.post('/api/auth/reset-password/check', 'anyone', {
    summary: 'Whether a reset link still works',
    description:
      'Lets the page check the link before asking for a new password. The link stays usable. 400 if it has expired.',
    body: z.object({ token: resetToken }),
    errorStatuses: [429],
  }),
  removeAccess: auth.post('/api/auth/reset-password/remove-access', 'anyone', {
    summary: 'After a reset: remove passkeys, linked accounts and share links, and end all sign-ins',
    description:
      'Requires the ticket of the reset, which is valid once and for 15 minutes. A passkey that is the only second factor of a role that requires one is kept: access to the mailbox must not be enough to remove it.',
    body,
    result: OtherAccess,
    errorStatuses: [429],
    audit: { action: 'access.remove' },
  }),
  linksAfterReset: recording.post('/api/shares/after-reset', 'anyone', {
    summary: "After a reset: the account's share links to interviews",
    description: 'Requires the ticket of the reset, which is valid for 15 minutes.',
    body,
    result: z.object({ links: z.array(LinkAfterReset) }),
  }),
};
