import { z } from 'zod';
import { timestamp } from '../api/fields.ts';

/** A link with which a user sets a password, once. */
export const PasswordLink = z.object({
  /** Whether it goes to the user by mail. Without a mail server it is `link`, to pass on. */
  isMailed: z.boolean(),
  /** Shown only here. */
  link: z.string().optional(),
  expiresAt: timestamp,
});
export type PasswordLink = z.infer<typeof PasswordLink>;
