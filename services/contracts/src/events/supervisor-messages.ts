import { z } from 'zod';

/** Sent by auth at each start, before it is ready, over the IPC channel to its supervisor. */
export const firstUsersReport = z.object({
  type: z.literal('first-users'),
  /** A single-use link for the first admin's password, valid for 24 hours. Null if an admin can already sign in. */
  setUpLink: z.url().nullable(),
  /** The demonstration users whose password is DEMO_PASSWORD: not those deleted or with a password of their own. */
  demoEmails: z.array(z.string()),
});
export type FirstUsersReport = z.infer<typeof firstUsersReport>;

/** Sent by auth before it deletes a user, so that caught mail to them is deleted too. */
export const mailErasure = z.object({ type: z.literal('mail-erasure'), email: z.string() });
export type MailErasure = z.infer<typeof mailErasure>;

/** Messages from auth to its supervisor. */
export type SupervisorMessage = FirstUsersReport | MailErasure;
