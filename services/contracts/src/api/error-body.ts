import { z } from 'zod';

/**
 * The body of every error response. `message` is for people, `code` for programs; `details` names invalid fields;
 * `requestId` finds the lines in the log.
 */
export const ErrorBody = z.object({
  message: z.string(),
  code: z.string(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  requestId: z.string().optional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

/** A body with a message to show. */
export const Message = z.object({ message: z.string() });
