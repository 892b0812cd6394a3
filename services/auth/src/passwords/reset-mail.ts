import type { Mail } from './mailer.ts';
import type { ResetRequest } from './reset-requests.ts';

interface Words {
  subject: string;
  why: string;
  how: string;
  button: string;
  limits: string;
  otherwise: string;
}

/** The words of a mail, by who asked for it. */
const words: Record<ResetRequest['kind'], Words> = {
  user: {
    subject: 'Reset your password',
    why: 'Someone, hopefully you, asked to reset the password of your account at the Interview Preparation Platform.',
    how: 'Choose a new password here:',
    button: 'Reset password',
    limits: 'The link works once and for one hour.',
    otherwise: 'If it was not you, ignore this mail: your password stays as it is.',
  },
  admin: {
    subject: 'Reset your password',
    why: 'An admin of the Interview Preparation Platform sent you a link to reset the password of your account.',
    how: 'Choose a new password here:',
    button: 'Reset password',
    limits: 'The link works once and for seven days.',
    otherwise: 'If you did not expect it, ignore this mail: your password stays as it is.',
  },
  invitation: {
    subject: 'Your account at the Interview Preparation Platform',
    why: 'An admin of the Interview Preparation Platform made an account for you.',
    how: 'Choose a password here:',
    button: 'Choose a password',
    limits: 'The link works once and for seven days.',
    otherwise: 'If you did not expect it, ignore this mail: nobody can sign in without the link.',
  },
};

/** The mail with a link that sets a password. The link needs no HTML escaping: it holds PUBLIC_URL and a base64url token. */
export function resetMail(to: string, link: string, kind: ResetRequest['kind']): Mail {
  const lines = words[kind];
  return {
    to,
    subject: lines.subject,
    text: [lines.why, `${lines.how}\n${link}`, lines.limits, lines.otherwise].join('\n\n'),
    html: [
      '<!doctype html><html lang="en"><body style="font-family:system-ui,sans-serif;line-height:1.5;max-width:34rem">',
      `<p>${lines.why}</p>`,
      `<p>${lines.how}</p>`,
      `<p><a href="${link}" style="display:inline-block;padding:.6em 1.2em;border-radius:.4em;background:#1f5fbf;color:#fff;text-decoration:none">${lines.button}</a></p>`,
      `<p style="word-break:break-all">${link}</p>`,
      `<p>${lines.limits} ${lines.otherwise}</p>`,
      '</body></html>',
    ].join('\n'),
  };
}
