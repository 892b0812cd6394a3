import type { AssignmentMail } from '@interview-prep/contracts/recording/assignments';
import type { Logger } from '@interview-prep/kit/process/logger';
import { repeat } from '@interview-prep/kit/process/repeat';
import type { JobProducer } from '@interview-prep/kit/redis/job-queues';
import { trusted } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import { byDue, membersDone, membersWith } from './assigned-work.ts';
import { announceScores } from './best-score.ts';
import type { StoredAssignment } from './model.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** How often to look for unannounced changes, and for work that is due soon. */
const everyMs = 5 * minuteMs;

/** How long news is re-announced, in case Redis lost it or was down. Auth never sends the same mail twice. */
const newsForMs = hourMs;

/** How long scores revealed at the due date are re-announced. Auth never sends a gradebook the same score twice. */
const scoresForMs = 6 * hourMs;

/** How long before the due date members are reminded, and how long before it is too late for that reminder. */
const reminders = [
  { beforeMs: 48 * hourMs, forMs: 6 * hourMs },
  { beforeMs: 2 * hourMs, forMs: 1.5 * hourMs },
] as const;

type AnnounceDeps = {
  models: Pick<RecordingModels, 'assignments' | 'groups' | 'sessions' | 'recordings'>;
  jobs: JobProducer;
};

/** Tells members about an assignment by mail: now, or with the next sweep if Redis is down. */
export async function announce(
  assignment: StoredAssignment,
  news: Pick<AssignmentMail, 'about'> & Partial<Pick<AssignmentMail, 'changes' | 'userIds'>> & { at: Date },
  deps: AnnounceDeps,
): Promise<void> {
  const { _id, title, timeZone, extensions = [] } = assignment;
  // Members who got an extension since then were mailed the new date separately.
  const extended = new Set(extensions.filter(({ at }) => at > news.at).map(({ userId }) => userId));
  const readers = (news.userIds ?? (await membersWith(assignment, deps.models))).filter((id) => !extended.has(id));
  for (const { dueAt, userIds } of byDue(assignment, readers)) {
    await deps.jobs.add('auth', 'assignment-mail', {
      changes: [],
      ...news,
      at: news.at.toISOString(),
      assignmentId: _id.toHexString(),
      title,
      dueAt: dueAt?.toISOString() ?? null,
      timeZone,
      userIds,
    });
  }
}

/** Announces new and changed work, work that is due soon, and scores revealed at the due date, whether announced before or not. */
export async function announceAll(deps: AnnounceDeps, now: number = Date.now()): Promise<void> {
  const { assignments } = deps.models;
  const recent = trusted({ $gt: new Date(now - newsForMs) });
  for (const one of await assignments.find({ createdAt: recent }).lean<StoredAssignment[]>())
    await announce(one, { about: 'new', at: one.createdAt }, deps);
  for (const one of await assignments.find({ 'changed.at': recent }).lean<StoredAssignment[]>())
    if (one.changed) await announce(one, { about: 'changed', at: one.changed.at, changes: one.changed.terms }, deps);

  for (const one of await assignments.find({ 'extensions.at': recent }).lean<StoredAssignment[]>())
    for (const { userId, at } of one.extensions ?? [])
      if (at.getTime() > now - newsForMs)
        await announce(one, { about: 'changed', at, changes: ['dueAt'], userIds: [userId] }, deps);

  const dueWithin = (times: object) => ({ $or: [{ dueAt: trusted(times) }, { 'extensions.dueAt': trusted(times) }] });
  const lately = dueWithin({ $gt: new Date(now - scoresForMs), $lte: new Date(now) });
  for (const one of await assignments.find({ feedback: 'due', ...lately }).lean<StoredAssignment[]>())
    await announceScores(one, deps);

  for (const { beforeMs, forMs } of reminders) {
    const near = { $gt: new Date(now + beforeMs - forMs), $lte: new Date(now + beforeMs) };
    for (const one of await assignments.find(dueWithin(near)).lean<StoredAssignment[]>()) {
      const done = await membersDone(one, deps.models);
      const open = (await membersWith(one, deps.models)).filter((id) => !done.has(id));
      for (const { dueAt, userIds } of byDue(one, open)) {
        if (dueAt === null || dueAt <= near.$gt || dueAt > near.$lte) continue;
        const at = new Date(dueAt.getTime() - beforeMs);
        // They were just mailed the due date.
        if (one.createdAt > at || (one.changed && one.changed.at > at)) continue;
        await announce(one, { about: 'due', at, userIds }, deps);
      }
    }
  }
}

/** Announces everything pending now and every five minutes, in each process. @returns a function that stops it */
export function startAnnouncing(deps: AnnounceDeps, log: Logger): () => Promise<void> {
  return repeat(
    everyMs,
    () => announceAll(deps),
    (error) => log.warn({ err: error }, 'could not announce assigned work; it will be retried'),
  );
}
