import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import type { ReviewQueueQuery } from '@interview-prep/contracts/recording/reviews';
import { forbidden, notFound } from '@interview-prep/kit/http/http-error';
import { trusted } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import type { Recording } from '../recordings/model.ts';

/** The fields of a recording that the lists need. */
export const listed =
  'session questionId createdAt assigned correctnessPercentage assessment.appeal assessment.review assessment.machine assessment.points.creditRange';

/** Counting stops here: beyond this, the exact number doesn't matter. */
const countMax = 1000;

/** Matches times stored as text. The range allows a sparse index, the existence a partial one. */
export const isThere = trusted({ $exists: true, $gt: '' });
const isMissing = trusted({ $exists: false });

/** The groups whose answers a user may review, and the filter for those answers. */
async function scopeOf({ groupId }: ReviewQueueQuery, { sub, role }: TokenClaims, { groups }: RecordingModels) {
  if (role === 'admin')
    return { groupIds: groupId && [groupId], filter: groupId ? { 'assigned.groupId': groupId } : {} };
  const coached = await groups.of(sub, 'coaches');
  if (coached.length === 0) throw forbidden('Only admins and coaches may do this');
  const wanted = coached.filter(({ _id }) => groupId === undefined || _id === groupId);
  if (wanted.length === 0) throw notFound('Group not found');
  const filters = wanted.map(({ _id, members }) => ({
    'assigned.groupId': _id,
    userId: trusted({ $in: members.filter((member) => member !== sub) }),
  }));
  return { groupIds: wanted.map(({ _id }) => _id), filter: filters.length === 1 ? filters[0]! : { $or: filters } };
}

/** The assignments whose feedback may not be shown yet. */
async function unreleased(
  { assignmentId }: ReviewQueueQuery,
  groupIds: readonly string[] | undefined,
  now: Date,
  { assignments }: RecordingModels,
): Promise<string[]> {
  const found = await assignments
    .find(
      {
        ...(groupIds ? { groupId: trusted({ $in: groupIds }) } : {}),
        ...(assignmentId ? { _id: assignmentId } : {}),
        releasedAt: null,
        feedback: trusted({ $ne: 'at-once' }),
      },
      'feedback dueAt extensions',
    )
    .lean();
  return found
    .filter(
      ({ feedback, dueAt, extensions = [] }) =>
        feedback !== 'due' || dueAt === null || dueAt > now || extensions.some((extended) => extended.dueAt > now),
    )
    .map(({ _id }) => _id.toHexString());
}

/**
 * A page of answers that need a review, or were reviewed: for admins all of them, for coaches those that members of
 * their groups gave for their assignments.
 * @throws HttpError 403 if the user coaches no group, 404 for a group that is not theirs
 */
export async function readQueue(
  query: ReviewQueueQuery,
  user: TokenClaims,
  models: RecordingModels,
): Promise<{ recordings: Recording[]; total: number }> {
  const { state, cause, assignmentId, page, limit } = query;
  const scope = await scopeOf(query, user, models);
  const ofAssignment = assignmentId ? { 'assigned.assignmentId': assignmentId } : {};
  const kept = { kind: 'interview', ...scope.filter, ...ofAssignment };
  const parts: { filter: object; sort: Record<string, 1 | -1> }[] = [];
  if (state === 'reviewed') {
    const asked = cause && { 'assessment.appeal.createdAt': cause === 'appeal' ? isThere : isMissing };
    parts.push({
      filter: { ...kept, 'assessment.review.createdAt': isThere, ...asked },
      sort: { 'assessment.review.createdAt': -1 },
    });
  } else {
    if (cause !== 'unsure')
      parts.push({
        filter: { ...kept, 'assessment.appeal.createdAt': isThere, 'assessment.review.createdAt': isMissing },
        sort: { 'assessment.appeal.createdAt': 1 },
      });
    if (cause !== 'appeal') {
      const now = new Date();
      const waiting = await unreleased(query, scope.groupIds || undefined, now, models);
      parts.push({
        filter: {
          ...kept,
          'assigned.assignmentId': trusted({ $in: waiting }),
          'assigned.feedbackAt': trusted({ $not: { $lte: now } }),
          'assessment.points.creditRange': trusted({ $exists: true }),
          'assessment.appeal.createdAt': isMissing,
          'assessment.review.createdAt': isMissing,
        },
        sort: { createdAt: 1 },
      });
    }
  }
  let skip = (page - 1) * limit;
  let total = 0;
  const recordings: Recording[] = [];
  for (const { filter, sort } of parts) {
    const count = await models.recordings.countDocuments(filter, { limit: countMax });
    const room = limit - recordings.length;
    if (room > 0 && skip < count)
      recordings.push(
        ...(await models.recordings.find(filter).select(listed).sort(sort).skip(skip).limit(room).lean<Recording[]>()),
      );
    skip = Math.max(0, skip - count);
    total += count;
  }
  return { recordings, total };
}
