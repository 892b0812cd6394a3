import type { Mail } from './mailer.ts';

/** The mail with the reset link. The link needs no HTML escaping: it holds PUBLIC_URL and a base64url token. */
export function resetMail(to: string, link: string): Mail {
  const lines = {
    why: 'Someone, hopefully you, asked to reset the password of your account at the Interview Preparation Platform.',
    how: 'Choose a new password here:',
    limits: 'The link works once and for one hour.',
    otherwise: 'If it was not you, ignore this mail: your password stays as it is.',
  };
  return {
    to,
    subject: 'Reset your password',
    text: [lines.why, `${lines.how}\n${link}`, lines.limits, lines.otherwise].join('\n\n'),
    html: [
      '<!doctype html><html lang="en"><body style="font-family:system-ui,sans-serif;line-height:1.5;max-width:34rem">',
      `<p>${lines.why}</p>`,
      `<p>${lines.how}</p>`,
      `<p><a href="${link}" style="display:inline-block;padding:.6em 1.2em;border-radius:.4em;background:#1f5fbf;color:#fff;text-decoration:none">Reset password</a></p>`,
      `<p style="word-break:break-all">${link}</p>`,
      `<p>${lines.limits} ${lines.otherwise}</p>`,
      '</body></html>',
    ].join('\n'),
  };
}
