import { z } from 'zod';
import { timestamp } from '../api/fields.ts';

/** A single-use link for setting a password. */
export const PasswordLink = z.object({
  /** Whether the link is mailed to the user. Without a mail server `link` has to be passed on. */
  isMailed: z.boolean(),
  /** Shown only in this response. */
  link: z.string().optional(),
  expiresAt: timestamp,
});
export type PasswordLink = z.infer<typeof PasswordLink>;
