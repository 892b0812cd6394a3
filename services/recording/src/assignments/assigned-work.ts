import { trusted } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import type { StoredAssignment } from './model.ts';

type WorkModels = Pick<RecordingModels, 'assignments' | 'groups' | 'sessions' | 'recordings'>;

/** What is assigned to somebody, what is due first first; nothing of archived groups. */
export async function workOf(userId: string, { assignments, groups }: WorkModels): Promise<StoredAssignment[]> {
  const active = (await groups.of(userId, 'members')).filter(({ archived }) => !archived);
  const found = await assignments
    .find({ groupId: trusted({ $in: active.map(({ _id }) => _id) }) })
    .sort({ dueAt: 1, createdAt: 1 })
    .lean<StoredAssignment[]>();
  return found.filter(({ memberIds }) => memberIds === null || memberIds.includes(userId));
}

/** The members who have an assignment; none in an archived group. */
export async function membersWith({ groupId, memberIds }: StoredAssignment, models: WorkModels): Promise<string[]> {
  const group = await models.groups.find(groupId);
  if (!group || group.archived) return [];
  return group.members.filter((id) => memberIds === null || memberIds.includes(id));
}

/** Those who have an answer to each question of each set. @param userId of one person alone */
export async function membersDone(
  { _id, sets }: StoredAssignment,
  models: WorkModels,
  userId?: string,
): Promise<Set<string>> {
  const taken = await models.sessions
    .find(
      { 'assignment.assignmentId': _id.toHexString(), ...(userId ? { userId } : {}) },
      'userId setId questions askedQuestions',
    )
    .lean();
  const answers = await models.recordings
    .find({ session: trusted({ $in: taken.map((session) => session._id) }) }, 'session questionId')
    .lean();
  const answered = new Map<string, Set<number>>();
  for (const { session, questionId } of answers)
    answered.set(String(session), (answered.get(String(session)) ?? new Set()).add(questionId));
  const whole = new Map<string, Set<string>>();
  for (const { _id: session, userId: member, setId, questions, askedQuestions } of taken) {
    if ((answered.get(String(session))?.size ?? 0) < (askedQuestions ?? questions).length) continue;
    whole.set(member, (whole.get(member) ?? new Set()).add(setId));
  }
  return new Set([...whole].filter(([, done]) => sets.every(({ setId }) => done.has(setId))).map(([member]) => member));
}
