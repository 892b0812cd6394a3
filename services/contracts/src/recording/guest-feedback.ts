import { z } from 'zod';
import { timestamp } from '../api/fields.ts';
import { PointState } from './recordings.ts';
import { ReviewComment } from './verdict-review.ts';

/** Maximum number of guest feedback entries per answer; older ones are dropped. */
export const guestFeedbackMax = 50;

/**
 * Feedback from someone with a share link. It is shown beside the score and never changes it: the candidate
 * creates the links, so a guest may be the candidate.
 */
export const GuestFeedback = z.object({
  /** The share link it was given through. New feedback through the same link replaces the previous one. */
  shareId: z.string(),
  createdAt: timestamp,
  /** 0–100; null if the guest gave no score. */
  correctnessPercentage: z.number().int().min(0).max(100).nullable(),
  /** Only points that the guest commented on. */
  points: z.array(z.object({ text: z.string(), state: PointState, reason: z.string() })),
  reason: z.string(),
  comments: z.array(ReviewComment),
});
export type GuestFeedback = z.infer<typeof GuestFeedback>;
