import type { Assessment } from '@interview-prep/contracts/recording/recordings';
import type { Recording } from './model.ts';

/** A verdict that is awaited again. What the candidate asked a person stays, and so do the points, where some are claimed. */
export function pendingAssessment({ assessment }: Pick<Recording, 'assessment'>): Assessment {
  const { points = [] } = assessment;
  const claimed = points.some(({ claim }) => claim) ? { points } : {};
  return { status: 'pending', ...claimed, ...keptAppeal({ assessment }) };
}

/** The part of a verdict that another verdict keeps. */
export function keptAppeal({ assessment: { appeal } }: Pick<Recording, 'assessment'>): Pick<Assessment, 'appeal'> {
  return appeal ? { appeal } : {};
}
