import { z } from 'zod';

/** Sent by auth at each start, before it is ready, over the IPC channel to the process that supervises it. */
export const firstUsersReport = z.object({
  type: z.literal('first-users'),
  /** Where the first admin sets a password: works once, for 24 hours. Null where an admin can sign in already. */
  setUpLink: z.url().nullable(),
  /** The demonstration users who sign in with DEMO_PASSWORD: not those deleted or with a password of their own. */
  demoEmails: z.array(z.string()),
});
export type FirstUsersReport = z.infer<typeof firstUsersReport>;

/** Sent by auth before it deletes a user: mail that was caught on its way to them goes too. */
export const mailErasure = z.object({ type: z.literal('mail-erasure'), email: z.string() });
export type MailErasure = z.infer<typeof mailErasure>;

/** What auth sends to its supervisor. */
export type SupervisorMessage = FirstUsersReport | MailErasure;
