import { z } from 'zod';
import { timestamp } from '../api/fields.ts';

/** A request for a human review. */
export const Appeal = z.object({
  reason: z.string(),
  createdAt: timestamp,
  /** Whether it was created automatically because the edited transcript needs a check, not by the candidate. */
  automatic: z.boolean().optional(),
});
export type Appeal = z.infer<typeof Appeal>;

/** A reviewer's comment at a moment of a recording. */
export const ReviewComment = z.object({ atMs: z.number().int().nonnegative(), text: z.string() });
export type ReviewComment = z.infer<typeof ReviewComment>;

/** A person's verdict. It overrides the machine's, which is kept beside it. */
export const Review = z.object({
  /** `coach`: of the assignment's group. `reviewer` only in events queued before guests' verdicts became feedback. */
  by: z.enum(['admin', 'coach', 'reviewer']),
  /** Everyone sees which coach it was, only reviewers see which admin. `email` is null once deleted. Absent in old reviews. */
  reviewer: z.object({ userId: z.string(), email: z.string().nullable() }).optional(),
  createdAt: timestamp,
  correctnessPercentage: z.number().int().min(0).max(100),
  /** The explanation for the candidate. */
  reason: z.string(),
  comments: z.array(ReviewComment),
});
export type Review = z.infer<typeof Review>;

/** The judge's verdict, if a person has given another. */
export const MachineVerdict = z.object({
  isCorrect: z.boolean().nullable(),
  correctnessPercentage: z.number().min(0).max(100).nullable(),
});
export type MachineVerdict = z.infer<typeof MachineVerdict>;
