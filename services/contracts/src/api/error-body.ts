import { z } from 'zod';
import { timestamp } from './fields.ts';

/** The conflicting save of a rejected edit: who made it (null if unknown), when, and the resulting version. */
export const EditConflict = z.object({ by: z.string().nullable(), at: timestamp, version: z.string() });
export type EditConflict = z.infer<typeof EditConflict>;

/**
 * The body of every error response. `message` is for people, `code` for programs; `details` lists invalid fields, or
 * for `conflict` the fields that someone else has changed; `requestId` finds the request in the logs.
 */
export const ErrorBody = z.object({
  message: z.string(),
  code: z.string(),
  details: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
  conflict: EditConflict.optional(),
  requestId: z.string().optional(),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

/** An error response whose message can be shown. */
export const Message = z.object({ message: z.string() });
