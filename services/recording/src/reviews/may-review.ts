import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import type { Review } from '@interview-prep/contracts/recording/verdict-review';
import { forbidden, notFound } from '@interview-prep/kit/http/http-error';
import type { RecordingModels } from '../models.ts';
import type { Recording } from '../recordings/model.ts';

/**
 * As whom somebody may review an answer: as an admin, or as a coach of the group that it was assigned in, while the one who
 * answered is a member.
 * @throws HttpError 403 for one's own answer, 404 for what they may not see
 */
export async function reviewerOf(
  { session, userId }: Pick<Recording, 'session' | 'userId'>,
  { sub, role }: TokenClaims,
  { sessions, groups }: Pick<RecordingModels, 'sessions' | 'groups'>,
): Promise<Review['by']> {
  if (role === 'admin') return 'admin';
  if (userId === sub) throw forbidden('You may not review your own answers');
  const taken = await sessions.findById(session, 'assignment').lean();
  const group = taken?.assignment ? await groups.find(taken.assignment.groupId) : null;
  if (!group?.coaches.includes(sub) || !group.members.includes(userId)) throw notFound('Recording not found');
  return 'coach';
}
