import { linkMail } from './link-mail.ts';
import type { MailRequest } from './mail-requests.ts';
import type { Mail } from './mailer.ts';

/** The mail that a person has judged an answer. It says neither the question nor the verdict: mail is read by others too. */
export function reviewMail(
  to: string,
  { interviewId, questionId }: NonNullable<MailRequest['review']>,
  publicUrl: string,
): Mail {
  const number = questionId + 1;
  return linkMail(to, `${publicUrl}/interviews/${interviewId}#question-${number}`, {
    subject: 'A person has judged your answer',
    why: `You asked for a person's verdict on your answer to question ${number} of an interview at the Interview Preparation Platform. It is there now.`,
    how: 'Read it here:',
    button: 'See the verdict',
    limits: '',
    otherwise: 'You get this mail because you chose so in your profile, where you can turn it off.',
  });
}
