import { createHash } from 'node:crypto';
import type { AssignmentMail } from '@interview-prep/contracts/recording/assignments';
import { termNames } from '@interview-prep/contracts/recording/term-names';
import { Types } from 'mongoose';
import { linkMail } from './link-mail.ts';
import type { Mail } from './mailer.ts';

/** News about assigned work, for one member. */
export type AssignmentNews = Omit<AssignmentMail, 'userIds'>;

/** The id of a member's mail: the same occasion gives the same one. */
export function assignmentMailId({ about, at, assignmentId, dueAt }: AssignmentNews, userId: string): Types.ObjectId {
  const occasion = [about, assignmentId, userId, Date.parse(at), dueAt && Date.parse(dueAt)].join(' ');
  return new Types.ObjectId(createHash('sha256').update(occasion).digest('hex').slice(0, 24));
}

/** The mail about assigned work. The due date is in the coach's time zone, which it names. */
export function assignmentMail(to: string, news: AssignmentNews, publicUrl: string): Mail {
  const { about, at, title, dueAt, timeZone, changes } = news;
  const date = (time: string) =>
    `${new Intl.DateTimeFormat('en-US', { dateStyle: 'full', timeStyle: 'short', timeZone }).format(new Date(time))} (${timeZone})`;
  const due = dueAt === null ? 'It has no due date.' : `It is due on ${date(dueAt)}.`;
  const named = changes.map((term) => termNames[term as keyof typeof termNames] ?? term);
  const [subject, why] = {
    new: [`New work: “${title}”`, `A coach has assigned “${title}” to you. ${due}`],
    changed: [
      `Changed: “${title}”`,
      `A coach has changed “${title}”, which is assigned to you: ${new Intl.ListFormat('en').format(named)}. ${due}`,
    ],
    reminder: [
      `Reminder: “${title}”`,
      `A coach reminds you of “${title}”, which is assigned to you and not finished yet. ${
        dueAt !== null && dueAt < at ? `It was due on ${date(dueAt)}. You can still take it.` : due
      }`,
    ],
    due: [`Due soon: “${title}”`, `“${title}” is assigned to you and not finished yet. ${due}`],
    withdrawn: [
      `Withdrawn: “${title}”`,
      `A coach has withdrawn “${title}”. You no longer need to take it; what you have answered stays in your history.`,
    ],
  }[about] as [string, string];
  return linkMail(to, `${publicUrl}/`, {
    subject,
    why,
    how: 'Your assigned work is on your first page:',
    button: 'See your work',
    otherwise:
      'You get this email because emails about assigned work are on in your profile. You can turn them off there.',
  });
}
