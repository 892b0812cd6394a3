import { z } from 'zod';

/**
 * The one shape of every error that leaves the product.
 * `message` is for a person, `code` for a machine; `details` name the fields at fault; `requestId` finds the log lines.
 */
export const ErrorBody = z.object({
  message: z.string(),
  code: z.string(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  requestId: z.string().optional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

/** The message that any other client can show for a failed call. */
export const Message = z.object({ message: z.string() });
