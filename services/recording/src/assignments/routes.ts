import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import {
  type AssignedProgress,
  type Assignment,
  type AssignmentTerms,
  assignmentRoutes,
  dueFor,
  type Reminded,
} from '@interview-prep/contracts/recording/assignments';
import { termNames } from '@interview-prep/contracts/recording/term-names';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import type { AuditTrail } from '@interview-prep/kit/audit/audit-trail';
import { withRetries } from '@interview-prep/kit/http/edit-version';
import { conflict, invalidField, notFound } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import type { JobProducer } from '@interview-prep/kit/redis/job-queues';
import { trusted } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import { findSet } from '../sets/find-set.ts';
import { announce } from './announce.ts';
import { byDue, membersDone, membersWith, workOf } from './assigned-work.ts';
import type { StoredAssignment } from './model.ts';
import { feedbackAtOf, setFeedbackTime } from './show-feedback.ts';

/** How long changes are batched into one mail. */
const collectMs = 5 * 60_000;

/** The minimum interval between reminders of one assignment to the same member. */
const remindAgainMs = 24 * 60 * 60_000;

const storedTerms = ({ opensAt, dueAt, ...rest }: AssignmentTerms) => ({
  ...rest,
  opensAt: new Date(opensAt),
  dueAt: dueAt === null ? null : new Date(dueAt),
});

function changedTerms(before: StoredAssignment, after: ReturnType<typeof storedTerms>) {
  const names = Object.keys(termNames) as (keyof AssignmentTerms)[];
  return names.filter((name) => String(before[name]) !== String(after[name]));
}

function present(assignment: StoredAssignment): Assignment {
  const { _id, opensAt, dueAt, releasedAt, createdAt, changed, extensions = [], ...rest } = assignment;
  const { reminders: _reminders, revision: _revision, ...shown } = rest;
  return {
    ...shown,
    ...(extensions.length > 0
      ? { extensions: extensions.map(({ userId, dueAt: until }) => ({ userId, dueAt: until.toISOString() })) }
      : {}),
    id: _id.toHexString(),
    opensAt: opensAt.toISOString(),
    dueAt: dueAt?.toISOString() ?? null,
    releasedAt: releasedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    ...(changed ? { changed: { at: changed.at.toISOString(), terms: changed.terms } } : {}),
  };
}

/** Routes for assignments: coaches manage those of their groups, members see their own. */
export function serveAssignments(
  server: RouteServer,
  deps: { models: RecordingModels; jobs: JobProducer; setPatienceMs: number; audit?: AuditTrail | undefined },
): void {
  const { models, setPatienceMs } = deps;
  const { assignments, groups, sessions, recordings } = models;

  const requireOwn = async (id: string, user: TokenClaims) => {
    const assignment = await assignments.findById(id).lean<StoredAssignment>();
    if (!assignment) throw notFound('Assignment not found');
    await groups.requireCoach(assignment.groupId, user);
    return assignment;
  };

  /** @throws HttpError 409 in an archived group, 400 for a user who does not have the assignment */
  const requireMembers = async (assignment: StoredAssignment, userIds: readonly string[]) => {
    if ((await groups.find(assignment.groupId))?.archived) throw conflict('This group is archived');
    const members = new Set(await membersWith(assignment, models));
    const stranger = userIds.findIndex((id) => !members.has(id));
    if (stranger < 0) return;
    throw invalidField(`userIds.${stranger}`, 'This person does not have this assignment');
  };

  /** Changes extensions or reminders; null if another request changed them first. */
  const changeLists = ({ _id, revision }: StoredAssignment, $set: Partial<StoredAssignment>) =>
    assignments
      .findOneAndUpdate(
        { _id, revision: revision ?? null },
        { $set, $inc: { revision: 1 } },
        { returnDocument: 'after' },
      )
      .lean<StoredAssignment>();

  /** Changes when some members see feedback. Feedback already shown stays visible. */
  const moveFeedback = async (assignment: StoredAssignment, who: object, dueAt: Date | null) => {
    const hidden = {
      'assignment.assignmentId': assignment._id.toHexString(),
      ...who,
      'assignment.feedbackAt': trusted({ $not: { $lte: new Date() } }),
    };
    const { feedback } = assignment;
    await setFeedbackTime(hidden, { feedback, feedbackAt: feedbackAtOf({ ...assignment, dueAt }, new Date()) }, models);
  };
  const moveFeedbackOf = async (assignment: StoredAssignment, userIds: readonly string[]) => {
    for (const group of byDue(assignment, userIds))
      await moveFeedback(assignment, { userId: trusted({ $in: group.userIds }) }, group.dueAt);
  };

  /** Never fails the change: if its mail can't be queued, the sweep announces it. */
  const tell = (assignment: StoredAssignment, news: Parameters<typeof announce>[1]) =>
    announce(assignment, news, deps).catch(() => undefined);

  /** A person's progress with each set. */
  const progressOf = async ({ _id, sets }: StoredAssignment, userId: string): Promise<AssignedProgress[]> => {
    const taken = await sessions
      .find({ 'assignment.assignmentId': _id.toHexString(), userId }, 'setId questions askedQuestions createdAt')
      .sort({ createdAt: -1 })
      .lean();
    return Promise.all(
      sets.map(async ({ setId }) => {
        const its = taken.filter((session) => session.setId === setId);
        const [newest] = its;
        return {
          setId,
          takesUsed: its.length,
          newest: newest
            ? {
                interviewId: newest._id.toHexString(),
                answered: (await recordings.distinct('questionId', { session: newest._id })).length,
                questionCount: (newest.askedQuestions ?? newest.questions).length,
              }
            : null,
        };
      }),
    );
  };

  server.serve(assignmentRoutes.listAssignments, async ({ query: { groupId }, user }) => {
    if (groupId !== undefined) {
      await groups.requireCoach(groupId, user);
      const found = await assignments.find({ groupId }).sort({ dueAt: 1, createdAt: 1 }).lean<StoredAssignment[]>();
      return { assignments: found.map(present) };
    }
    const mine = await workOf(user.sub, models);
    return {
      assignments: await Promise.all(
        mine.map(async (one) => {
          const { memberIds: _, ...shown } = present(one);
          return { ...shown, own: await progressOf(one, user.sub) };
        }),
      ),
    };
  });

  server.serve(assignmentRoutes.createAssignment, async ({ body, user, res }) => {
    const { groupId, sets: named, memberIds, ...terms } = body;
    const group = await groups.requireCoach(groupId, user);
    if (group.archived) throw conflict('This group is archived');
    const stranger = memberIds?.findIndex((id) => !group.members.includes(id)) ?? -1;
    if (stranger >= 0) throw invalidField(`memberIds.${stranger}`, 'This person is not a member of the group');
    const sets = await Promise.all(
      named.map(async ({ kind, setId }, index) => {
        const set = await findSet(models, { setId, kind }, setPatienceMs);
        if (set) return { kind, setId, title: set.title, questionCount: set.questions.length };
        throw invalidField(`sets.${index}`, 'This set is not published');
      }),
    );
    const created = await assignments.create({
      ...storedTerms(terms),
      groupId,
      sets,
      memberIds,
      releasedAt: null,
      createdAt: new Date(),
    });
    addToAudit(res, { target: `assignment:${created._id}`, details: { group: groupId } });
    await tell(created.toObject(), { about: 'new', at: created.createdAt });
    return { assignment: present(created.toObject()) };
  });

  server.serve(assignmentRoutes.updateAssignment, async ({ params, body, user }) => {
    const before = await requireOwn(params.id, user);
    const at = new Date();
    const terms = changedTerms(before, storedTerms(body));
    // Batch consecutive changes into one mail.
    if (before.changed && Number(at) - Number(before.changed.at) < collectMs) terms.push(...before.changed.terms);
    const $set = { ...storedTerms(body), ...(terms.length > 0 ? { changed: { at, terms: [...new Set(terms)] } } : {}) };
    const changed = await assignments
      .findOneAndUpdate({ _id: before._id }, { $set }, { returnDocument: 'after' })
      .lean<StoredAssignment>();
    if (!changed) throw notFound('Assignment not found');
    const extended = (changed.extensions ?? []).map(({ userId }) => userId);
    await moveFeedback(changed, { userId: trusted({ $nin: extended }) }, changed.dueAt);
    await moveFeedbackOf(changed, extended);
    if (changed.changed?.at.getTime() === at.getTime())
      await tell(changed, { about: 'changed', at, changes: changed.changed.terms });
    return { assignment: present(changed) };
  });

  server.serve(assignmentRoutes.releaseFeedback, async ({ params, user }) => {
    const { _id } = await requireOwn(params.id, user);
    const now = new Date();
    await assignments.updateOne({ _id, releasedAt: null }, { $set: { releasedAt: now } });
    await showAll(params.id, now);
    return { assignment: present(await assignments.findById(_id).orFail().lean<StoredAssignment>()) };
  });

  server.serve(assignmentRoutes.extendAssignment, async ({ params, body, user, req, res }) => {
    const userIds = [...new Set(body.userIds)];
    const until = body.dueAt === null ? null : new Date(body.dueAt);
    const at = new Date();
    const { before, changed } = await withRetries(async () => {
      const stored = await requireOwn(params.id, user);
      await requireMembers(stored, body.userIds);
      if (until && stored.dueAt === null) throw conflict('This work has no due date');
      if (until && (until <= at || until <= (stored.dueAt ?? at)))
        throw invalidField('dueAt', 'Please choose a time to come, after the due date');
      const others = (stored.extensions ?? []).filter(({ userId }) => !userIds.includes(userId));
      const theirs = until ? userIds.map((userId) => ({ userId, dueAt: until, at })) : [];
      const extensions = [...others, ...theirs];
      const next = await changeLists(stored, { extensions });
      return next && { before: stored, changed: next };
    });
    const moved = userIds.filter((id) => dueFor(before, id)?.getTime() !== dueFor(changed, id)?.getTime());
    addToAudit(res, { details: { members: userIds.length, until: until?.toISOString() ?? 'the due date' } });
    for (const userId of moved)
      await deps.audit?.record({
        action: 'assignment.extend',
        outcome: 'success',
        actor: user.sub,
        address: req.ip ?? null,
        requestId: String(req.id),
        target: `user:${userId}`,
        details: {
          assignment: changed._id.toHexString(),
          group: changed.groupId,
          from: dueFor(before, userId)?.toISOString() ?? '',
          to: dueFor(changed, userId)?.toISOString() ?? '',
        },
      });
    if (changed.feedback === 'due') await moveFeedbackOf(changed, moved);
    // This mail replaces a pending one about an earlier change.
    const isRecent = changed.changed && at.getTime() - changed.changed.at.getTime() < collectMs;
    const changes = [...new Set(['dueAt', ...(isRecent ? (changed.changed?.terms ?? []) : [])])];
    await tell(changed, { about: 'changed', at, changes, userIds: moved });
    return { assignment: present(changed) };
  });

  server.serve(assignmentRoutes.remindMembers, async ({ params, body, user, res }) => {
    const userIds = [...new Set(body.userIds)];
    const at = new Date();
    const { assignment, result } = await withRetries(async () => {
      const stored = await requireOwn(params.id, user);
      await requireMembers(stored, body.userIds);
      if (stored.opensAt > at) throw conflict('This work is not open yet');
      const isDone = await membersDone(stored, models);
      const lately = (stored.reminders ?? []).filter((one) => at.getTime() - one.at.getTime() < remindAgainMs);
      const wasReminded = new Set(lately.map(({ userId }) => userId));
      const lists = { reminded: [], done: [], recent: [], closed: [] } as Record<keyof Reminded, string[]>;
      for (const userId of userIds) {
        const dueAt = dueFor(stored, userId);
        if (isDone.has(userId)) lists.done.push(userId);
        else if (stored.closesLate && dueAt !== null && dueAt < at) lists.closed.push(userId);
        else lists[wasReminded.has(userId) ? 'recent' : 'reminded'].push(userId);
      }
      const reminders = [...lately, ...lists.reminded.map((userId) => ({ userId, at }))];
      const next = await changeLists(stored, { reminders });
      return next && { assignment: next, result: lists };
    });
    addToAudit(res, { details: { members: result.reminded.length } });
    try {
      await announce(assignment, { about: 'reminder', at, userIds: result.reminded }, deps);
    } catch (error) {
      // Nobody was reminded: let the coach try again.
      await assignments.updateOne({ _id: assignment._id }, { $pull: { reminders: { at } } });
      throw error;
    }
    return result;
  });

  server.serve(assignmentRoutes.deleteAssignment, async ({ params, user }) => {
    const assignment = await requireOwn(params.id, user);
    await assignments.deleteOne({ _id: assignment._id });
    await tell(assignment, { about: 'withdrawn', at: new Date() });
    await showAll(params.id, new Date());
    return null;
  });

  const showAll = (id: string, feedbackAt: Date) =>
    setFeedbackTime(
      {
        'assignment.assignmentId': id.toLowerCase(),
        'assignment.feedbackAt': trusted({ $not: { $lte: feedbackAt } }),
      },
      { feedbackAt },
      models,
    );
}
