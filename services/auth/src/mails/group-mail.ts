import { linkMail } from './link-mail.ts';
import type { Mail } from './mailer.ts';

/** The mail that invites somebody to a group. */
export function groupMail(to: string, link: string, groupName: string): Mail {
  return linkMail(to, link, {
    subject: `Join “${groupName}”`,
    why: `You have been invited to the group “${groupName}” at the Interview Preparation Platform. Its coaches will give you interviews to take, and see what you do for the group. Private practice stays private.`,
    how: 'Join here:',
    button: 'Join the group',
    limits: 'This link can be used once and expires in 14 days.',
    otherwise: "If you don't know this group, ignore this mail.",
  });
}
