import { linkMail } from './link-mail.ts';
import type { Mail } from './mailer.ts';

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => escapes[sign] ?? sign);

/** The mail that invites somebody to a group. Coaches choose the name, so it is the only text that is escaped. */
export function groupMail(to: string, link: string, groupName: string): Mail {
  const why = (name: string) =>
    `You have been invited to the group “${name}” at the Interview Preparation Platform. Its coaches will give you interviews to take, and see what you do for the group. Private practice stays private.`;
  const lines = {
    subject: `Join “${groupName.replace(/\s+/g, ' ')}”`,
    how: 'Join here:',
    button: 'Join the group',
    limits: 'This link can be used once and expires in 14 days.',
    otherwise: "If you don't know this group, ignore this mail.",
  };
  const mail = linkMail(to, link, { ...lines, why: why(escapeHtml(groupName)) });
  return { ...mail, text: mail.text.replace(why(escapeHtml(groupName)), why(groupName)) };
}
