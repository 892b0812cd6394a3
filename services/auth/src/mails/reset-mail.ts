import { type LinkMailWords, linkMail } from './link-mail.ts';
import type { MailRequest } from './mail-requests.ts';
import type { Mail } from './mailer.ts';

export type PasswordMailKind = Exclude<MailRequest['kind'], 'review' | 'appeal' | 'group' | 'assignment' | 'message'>;

const words: Record<PasswordMailKind, LinkMailWords> = {
  user: {
    subject: 'Reset your password',
    why: 'Someone, hopefully you, asked to reset the password of your account at the Interview Preparation Platform.',
    how: 'Choose a new password here:',
    button: 'Reset password',
    limits: 'This link can be used once and expires in one hour.',
    otherwise: "If you didn't request this, ignore this email: your password stays as it is.",
  },
  admin: {
    subject: 'Reset your password',
    why: 'An admin of the Interview Preparation Platform sent you a link to reset the password of your account.',
    how: 'Choose a new password here:',
    button: 'Reset password',
    limits: 'This link can be used once and expires in seven days.',
    otherwise: "If you didn't expect this, ignore this email: your password stays as it is.",
  },
  invitation: {
    subject: 'Your account at the Interview Preparation Platform',
    why: 'An admin of the Interview Preparation Platform created an account for you.',
    how: 'Choose a password here:',
    button: 'Choose a password',
    limits: 'This link can be used once and expires in seven days.',
    otherwise: "If you didn't expect this, ignore this email: signing in needs the link.",
  },
};

export function resetMail(to: string, link: string, kind: PasswordMailKind): Mail {
  return linkMail(to, link, words[kind]);
}
