import { z } from 'zod';
import { timestamp } from '../api/fields.ts';

/** A request for a person to judge the answer. */
export const Appeal = z.object({
  reason: z.string(),
  createdAt: timestamp,
  /** Whether the product asked, since the edited transcript needs a check. The candidate asks otherwise. */
  automatic: z.boolean().optional(),
});
export type Appeal = z.infer<typeof Appeal>;

/** What a person says about a moment of a recording. */
export const ReviewComment = z.object({ atMs: z.number().int().nonnegative(), text: z.string() });
export type ReviewComment = z.infer<typeof ReviewComment>;

/** A person's verdict. It counts in place of the machine's, which stays beside it. */
export const Review = z.object({
  /** `coach`: of the group that the answer was assigned in. `reviewer` only in events that were queued before guests' verdicts became feedback. */
  by: z.enum(['admin', 'coach', 'reviewer']),
  /** Everyone sees which coach gave it, and only reviewers which admin. `email` is null once they are deleted. Absent in reviews of older releases. */
  reviewer: z.object({ userId: z.string(), email: z.string().nullable() }).optional(),
  createdAt: timestamp,
  correctnessPercentage: z.number().int().min(0).max(100),
  /** Why, for the candidate. */
  reason: z.string(),
  comments: z.array(ReviewComment),
});
export type Review = z.infer<typeof Review>;

/** The judge's verdict, where a person has given another. */
export const MachineVerdict = z.object({
  isCorrect: z.boolean().nullable(),
  correctnessPercentage: z.number().min(0).max(100).nullable(),
});
export type MachineVerdict = z.infer<typeof MachineVerdict>;
