import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import { dueFor } from '@interview-prep/contracts/recording/assignments';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { conflict, forbidden, notFound } from '@interview-prep/kit/http/http-error';
import type { RecordingModels } from '../models.ts';
import type { Session } from '../sessions/model.ts';
import type { StoredAssignment } from './model.ts';
import { feedbackAtOf } from './show-feedback.ts';

/**
 * The assignment as a new session stores it; undefined if the session isn't assigned work.
 * @throws HttpError 404 for someone else's assignment, 403 before it opens or after it closes, or for a set that is not
 * assigned, 409 after the last take
 */
export async function assignmentOf(
  models: RecordingModels,
  { assignmentId, kind, setId }: { assignmentId?: string | undefined; kind: SessionKind; setId: string },
  { sub: userId }: TokenClaims,
): Promise<Session['assignment']> {
  if (assignmentId === undefined) return undefined;
  const assignment = await models.assignments.findById(assignmentId).lean<StoredAssignment>();
  const group = assignment && (await models.groups.find(assignment.groupId));
  // Only current members of the group who were selected.
  if (!assignment || !group?.members.includes(userId) || assignment.memberIds?.includes(userId) === false)
    throw notFound('Assignment not found');
  const { groupId, sets, opensAt, closesLate, takes, feedback } = assignment;
  const dueAt = dueFor(assignment, userId);
  if (!sets.some((set) => set.kind === kind && set.setId === setId)) throw forbidden('This set is not assigned');
  if (group.archived) throw forbidden('This group is archived');
  const now = new Date();
  if (now < opensAt) throw forbidden('This work is not open yet');
  const late = dueAt !== null && now > dueAt;
  if (late && closesLate) throw forbidden('This work is closed: it was due before');
  await freeTakeKey(models, { assignment: { assignmentId }, userId, setId }, takes);
  return { assignmentId, groupId, late, feedback, feedbackAt: feedbackAtOf({ ...assignment, dueAt }, now) };
}

/**
 * A unique key for a take of limited work; undefined if takes are unlimited.
 * @throws HttpError 409 after the last take
 */
export async function freeTakeKey(
  { assignments, sessions }: RecordingModels,
  {
    assignment,
    userId,
    setId,
  }: Pick<Session, 'userId' | 'setId'> & { assignment?: { assignmentId: string } | undefined },
  limit?: number | null,
): Promise<string | undefined> {
  if (!assignment) return undefined;
  const { assignmentId } = assignment;
  const takes = limit === undefined ? (await assignments.findById(assignmentId, 'takes').lean())?.takes : limit;
  if (takes === null || takes === undefined) return undefined;
  const taken = await sessions.find({ 'assignment.assignmentId': assignmentId, userId, setId }, 'takeKey').lean();
  const keys = Array.from({ length: takes }, (_, take) => `${assignmentId} ${userId} ${setId} ${take}`);
  const free = keys.find((key) => !taken.some(({ takeKey }) => takeKey === key));
  if (taken.length >= takes || free === undefined) throw conflict('You have used all takes of this work');
  return free;
}
