import { z } from 'zod';
import { timestamp } from '../api/fields.ts';

/** Retention has deleted the media of an answer, and left its transcript and verdict. */
export const MediaDeletion = z.object({
  at: timestamp,
  /** How many days after it was recorded it was due. */
  afterDays: z.number().int().positive(),
});
export type MediaDeletion = z.infer<typeof MediaDeletion>;

/** Why there is nothing to play, for the candidate. */
export function mediaDeletionText({ afterDays }: Pick<MediaDeletion, 'afterDays'>): string {
  const days = afterDays === 1 ? '1 day' : `${afterDays} days`;
  return `This recording was deleted after ${days}. Its transcript and scores are kept.`;
}
