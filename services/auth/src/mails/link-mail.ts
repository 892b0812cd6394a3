import { escapeHtml } from '@interview-prep/kit/http/escape-html';
import type { Mail } from './mailer.ts';

/** The plain text parts of a mail with one link. */
export interface LinkMailWords {
  subject: string;
  why: string;
  how: string;
  button: string;
  /** How long and how often the link can be used. */
  limits?: string;
  otherwise: string;
}

/** A mail with one link, as text and as HTML. The link needs no escaping: it consists of PUBLIC_URL, ids and base64url. */
export function linkMail(to: string, link: string, words: LinkMailWords): Mail {
  const { subject, why, how, button, limits, otherwise } = words;
  return {
    to,
    subject: subject.replace(/\s+/g, ' '),
    text: [why, `${how}\n${link}`, limits, otherwise].filter(Boolean).join('\n\n'),
    html: [
      '<!doctype html><html lang="en"><body style="font-family:system-ui,sans-serif;line-height:1.5;max-width:34rem">',
      `<p style="white-space:pre-line">${escapeHtml(why)}</p>`,
      `<p>${escapeHtml(how)}</p>`,
      `<p><a href="${link}" style="display:inline-block;padding:.6em 1.2em;border-radius:.4em;background:#1f5fbf;color:#fff;text-decoration:none">${escapeHtml(button)}</a></p>`,
      `<p style="word-break:break-all">${link}</p>`,
      `<p>${escapeHtml([limits, otherwise].filter(Boolean).join(' '))}</p>`,
      '</body></html>',
    ].join('\n'),
  };
}
