import type { Mail } from './mailer.ts';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);

/** The words of a mail with one link, as plain text. */
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
  const [why, how, button, limits] = [lines.why, lines.how, lines.button, lines.limits].map(escapeHtml);
  return {
    to,
    subject: lines.subject.replace(/\s+/g, ' '),
    text: [lines.why, `${lines.how}\n${link}`, lines.limits, lines.otherwise].filter(Boolean).join('\n\n'),
    html: [
      '<!doctype html><html lang="en"><body style="font-family:system-ui,sans-serif;line-height:1.5;max-width:34rem">',
      `<p style="white-space:pre-line">${why}</p>`,
      `<p>${how}</p>`,
      `<p><a href="${link}" style="display:inline-block;padding:.6em 1.2em;border-radius:.4em;background:#1f5fbf;color:#fff;text-decoration:none">${button}</a></p>`,
      `<p style="word-break:break-all">${link}</p>`,
      `<p>${[limits, escapeHtml(lines.otherwise)].filter(Boolean).join(' ')}</p>`,
      '</body></html>',
    ].join('\n'),
  };
}
