import { linkMail } from './link-mail.ts';
import type { Mail } from './mailer.ts';

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

export interface GroupMessageMail {
  subject: string;
  /** Plain text. */
  text: string;
  senderId: string;
  groupId: string;
  groupName: string;
}

/** A coach's mail. It starts with the sender's name; replies go to them. */
export function groupMessageMail(
  to: string,
  { subject, text, groupId, groupName }: GroupMessageMail,
  sender: { email: string; name?: string | undefined },
  publicUrl: string,
): Mail {
  const who = sender.name ? `${sender.name} (${sender.email})` : sender.email;
  const mail = linkMail(to, `${publicUrl}/groups/${groupId}`, {
    subject,
    why: `${who} writes to you as a member of “${groupName}”:\n\n${text}`,
    how: 'Reply to this email to answer. Your group is here:',
    button: 'See the group',
    otherwise:
      'You get this email because emails about assigned work are on in your profile. You can turn them off there.',
  });
  return { ...mail, replyTo: sender.email };
}
