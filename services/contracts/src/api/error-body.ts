import { z } from 'zod';
import { timestamp } from './fields.ts';

/** Of an edit that came too late: who saved the last change (null if unknown), when, and the version since then. */
export const EditConflict = z.object({ by: z.string().nullable(), at: timestamp, version: z.string() });
export type EditConflict = z.infer<typeof EditConflict>;

/**
 * The body of every error response. `message` is for people, `code` for programs; `details` names invalid fields, or
 * with `conflict` those that someone else has changed; `requestId` finds the lines in the log.
 */
export const ErrorBody = z.object({
  message: z.string(),
  code: z.string(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  conflict: EditConflict.optional(),
  requestId: z.string().optional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

/** A body with a message to show. */
export const Message = z.object({ message: z.string() });
