import type { Mail } from './mailer.ts';

/** The words of a mail with one link. They are put into HTML as they are. */
export interface LinkMailWords {
  subject: string;
  why: string;
  how: string;
  button: string;
  limits: string;
  otherwise: string;
}

/** A mail with one link, as text and as HTML. The link needs no escaping: it holds PUBLIC_URL, ids and base64url. */
export function linkMail(to: string, link: string, lines: LinkMailWords): Mail {
  return {
    to,
    subject: lines.subject,
    text: [lines.why, `${lines.how}\n${link}`, lines.limits, lines.otherwise].filter(Boolean).join('\n\n'),
    html: [
      '<!doctype html><html lang="en"><body style="font-family:system-ui,sans-serif;line-height:1.5;max-width:34rem">',
      `<p>${lines.why}</p>`,
      `<p>${lines.how}</p>`,
      `<p><a href="${link}" style="display:inline-block;padding:.6em 1.2em;border-radius:.4em;background:#1f5fbf;color:#fff;text-decoration:none">${lines.button}</a></p>`,
      `<p style="word-break:break-all">${link}</p>`,
      `<p>${[lines.limits, lines.otherwise].filter(Boolean).join(' ')}</p>`,
      '</body></html>',
    ].join('\n'),
  };
}
