import { dueFor } from '@interview-prep/contracts/recording/assignments';
import { trusted } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import type { StoredAssignment } from './model.ts';

type WorkModels = Pick<RecordingModels, 'assignments' | 'groups' | 'sessions' | 'recordings'>;

/** A user's assigned work with their own due dates, earliest first and undated work last. Excludes archived groups. */
export async function workOf(userId: string, { assignments, groups }: WorkModels): Promise<StoredAssignment[]> {
  const active = (await groups.of(userId, 'members')).filter(({ archived }) => !archived);
  const found = await assignments
    .find({ groupId: trusted({ $in: active.map(({ _id }) => _id) }) })
    .sort({ createdAt: 1 })
    .lean<StoredAssignment[]>();
  return found
    .filter(({ memberIds }) => memberIds === null || memberIds.includes(userId))
    .map((one) => ownWork(one, userId))
    .sort(
      (a, b) =>
        (a.dueAt?.getTime() ?? Number.POSITIVE_INFINITY) - (b.dueAt?.getTime() ?? Number.POSITIVE_INFINITY) || 0,
    );
}

/** An assignment from one member's point of view: with their due date, and an extension as the latest change. */
function ownWork(assignment: StoredAssignment, userId: string): StoredAssignment {
  const { extensions, reminders: _, ...rest } = assignment;
  const dueAt = dueFor(assignment, userId);
  const extension = extensions?.find((one) => one.userId === userId);
  const isNews = extension && dueAt === extension.dueAt && !(rest.changed && rest.changed.at > extension.at);
  return { ...rest, dueAt, ...(isNews ? { changed: { at: extension.at, terms: ['dueAt'] } } : {}) };
}

/** Groups members by their due date for an assignment, in milliseconds; null for no due date. */
export function byDue(
  assignment: Pick<StoredAssignment, 'dueAt' | 'extensions'>,
  userIds: readonly string[],
): { dueAt: Date | null; userIds: string[] }[] {
  const groups = new Map<number | null, { dueAt: Date | null; userIds: string[] }>();
  for (const userId of userIds) {
    const dueAt = dueFor(assignment, userId);
    const key = dueAt?.getTime() ?? null;
    const group = groups.get(key) ?? { dueAt, userIds: [] };
    group.userIds.push(userId);
    groups.set(key, group);
  }
  return [...groups.values()];
}

/** The members who have an assignment. Empty for an archived group. */
export async function membersWith({ groupId, memberIds }: StoredAssignment, models: WorkModels): Promise<string[]> {
  const group = await models.groups.find(groupId);
  if (!group || group.archived) return [];
  return group.members.filter((id) => memberIds === null || memberIds.includes(id));
}

/** The members who have answered each question of each set. @param userId checks only this member */
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

/** The data that assignments store about one user, for their export: selection, extensions and reminders. */
export async function workNaming(userId: string, { assignments }: Pick<RecordingModels, 'assignments'>) {
  const named = [{ memberIds: userId }, { 'extensions.userId': userId }, { 'reminders.userId': userId }];
  const found = await assignments.find({ $or: named }).sort({ createdAt: 1 }).lean<StoredAssignment[]>();
  return found.map((one) => ({
    title: one.title,
    dueAt: dueFor(one, userId),
    extendedAt: one.extensions?.find((extension) => extension.userId === userId)?.at ?? null,
    remindedAt: one.reminders?.find((reminder) => reminder.userId === userId)?.at ?? null,
  }));
}
