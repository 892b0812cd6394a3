import { z } from 'zod';
import { timestamp } from '../api/fields.ts';

/** An answer's media, deleted under the retention policy. The transcript and the verdict stay. */
export const MediaDeletion = z.object({
  at: timestamp,
  /** The retention period in days. */
  afterDays: z.number().int().positive(),
});
export type MediaDeletion = z.infer<typeof MediaDeletion>;

/** The reason why media is unavailable, for the candidate. */
export function mediaDeletionText({ afterDays }: Pick<MediaDeletion, 'afterDays'>): string {
  const days = afterDays === 1 ? '1 day' : `${afterDays} days`;
  return `This recording was deleted after ${days}. Its transcript and scores are kept.`;
}
