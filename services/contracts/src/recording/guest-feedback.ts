import { z } from 'zod';
import { timestamp } from '../api/fields.ts';
import { PointState } from './recordings.ts';
import { ReviewComment } from './verdict-review.ts';

/** How many pieces of guest feedback an answer keeps: the newest. */
export const guestFeedbackMax = 50;

/**
 * What someone with a share link says about an answer. It is shown beside the score and never changes it: the candidate
 * creates the links, so a guest may be the candidate.
 */
export const GuestFeedback = z.object({
  /** The link it was given with. Feedback given again with the same link replaces the first. */
  shareId: z.string(),
  createdAt: timestamp,
  /** Null where the guest named none, 0–100. */
  correctnessPercentage: z.number().int().min(0).max(100).nullable(),
  /** Only the points that the guest commented on. */
  points: z.array(z.object({ text: z.string(), state: PointState, reason: z.string() })),
  reason: z.string(),
  comments: z.array(ReviewComment),
});
export type GuestFeedback = z.infer<typeof GuestFeedback>;
