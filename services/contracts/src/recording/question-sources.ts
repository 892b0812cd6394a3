import { z } from 'zod';
import { objectId, timestamp } from '../api/fields.ts';

/** The set that a session's question comes from. `questionId` is its zero-based index in that set. */
export const QuestionSource = z.object({
  setId: z.string(),
  title: z.string(),
  technology: z.string(),
  questionId: z.number().int().nonnegative(),
});
export type QuestionSource = z.infer<typeof QuestionSource>;

/** A question in an upload. `setUpdatedAt`: the revision of its set that the candidate saw. */
export const NamedQuestion = z.object({
  setId: objectId,
  questionId: z.number().int().min(0).max(9999),
  setUpdatedAt: timestamp.optional().catch(undefined),
});
export type NamedQuestion = z.infer<typeof NamedQuestion>;
