import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import {
  type AssignedProgress,
  type Assignment,
  type AssignmentTerms,
  assignmentRoutes,
} from '@interview-prep/contracts/recording/assignments';
import { termNames } from '@interview-prep/contracts/recording/term-names';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import { badRequest, conflict, forbidden, notFound } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import type { JobProducer } from '@interview-prep/kit/redis/job-queues';
import { trusted } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import { findSet } from '../sets/find-set.ts';
import { announce } from './announce.ts';
import { workOf } from './assigned-work.ts';
import type { StoredAssignment } from './model.ts';
import { feedbackAtOf, setFeedbackTime } from './show-feedback.ts';

const storedTerms = ({ opensAt, dueAt, ...rest }: AssignmentTerms) => ({
  ...rest,
  opensAt: new Date(opensAt),
  dueAt: dueAt === null ? null : new Date(dueAt),
});

function changedTerms(before: StoredAssignment, after: ReturnType<typeof storedTerms>) {
  const names = Object.keys(termNames) as (keyof AssignmentTerms)[];
  return names.filter((name) => String(before[name]) !== String(after[name]));
}

function present({ _id, opensAt, dueAt, releasedAt, createdAt, changed, ...rest }: StoredAssignment): Assignment {
  return {
    ...rest,
    id: _id.toHexString(),
    opensAt: opensAt.toISOString(),
    dueAt: dueAt?.toISOString() ?? null,
    releasedAt: releasedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
    ...(changed ? { changed: { at: changed.at.toISOString(), terms: changed.terms } } : {}),
  };
}

/** Serves assignments: to coaches for their groups, to members their own. */
export function serveAssignments(
  server: RouteServer,
  deps: { models: RecordingModels; jobs: JobProducer; setPatienceMs: number },
): void {
  const { models, setPatienceMs } = deps;
  const { assignments, groups, sessions, recordings } = models;

  /** @throws HttpError 404 for those outside the group, 403 for its members */
  const requireCoach = async (groupId: string, { sub, role }: TokenClaims) => {
    const group = await groups.find(groupId);
    if (!group) throw notFound('Group not found');
    if (role === 'admin' || group.coaches.includes(sub)) return group;
    throw group.members.includes(sub)
      ? forbidden('Only coaches of this group may do this')
      : notFound('Group not found');
  };
  const requireOwn = async (id: string, user: TokenClaims) => {
    const assignment = await assignments.findById(id).lean<StoredAssignment>();
    if (!assignment) throw notFound('Assignment not found');
    await requireCoach(assignment.groupId, user);
    return assignment;
  };

  /** What was done stays done where the mail can't be queued: the sweep announces it. */
  const tell = (assignment: StoredAssignment, news: Parameters<typeof announce>[1]) =>
    announce(assignment, news, deps).catch(() => undefined);

  /** How far somebody is with each set. */
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
      await requireCoach(groupId, user);
      const found = await assignments.find({ groupId }).sort({ dueAt: 1, createdAt: 1 }).lean<StoredAssignment[]>();
      return { assignments: found.map(present) };
    }
    const mine = await workOf(user.sub, models);
    return {
      assignments: await Promise.all(
        // Without a date comes last.
        [...mine.filter(({ dueAt }) => dueAt), ...mine.filter(({ dueAt }) => !dueAt)].map(async (one) => {
          const { memberIds: _, ...shown } = present(one);
          return { ...shown, own: await progressOf(one, user.sub) };
        }),
      ),
    };
  });

  server.serve(assignmentRoutes.createAssignment, async ({ body, user, res }) => {
    const { groupId, sets: named, memberIds, ...terms } = body;
    const group = await requireCoach(groupId, user);
    if (group.archived) throw conflict('This group is archived');
    const stranger = memberIds?.findIndex((id) => !group.members.includes(id)) ?? -1;
    if (stranger >= 0) {
      const message = 'This person is not a member of the group';
      throw badRequest(message, [{ path: `memberIds.${stranger}`, message }]);
    }
    const sets = await Promise.all(
      named.map(async ({ kind, setId }, index) => {
        const set = await findSet(models, { setId, kind, shownUpdatedAt: undefined, patienceMs: setPatienceMs });
        if (set) return { kind, setId, title: set.title, questionCount: set.questions.length };
        const message = 'This set is not published';
        throw badRequest(message, [{ path: `sets.${index}`, message }]);
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
    // Members are told once of changes that follow one another.
    if (before.changed && Number(at) - Number(before.changed.at) < 5 * 60_000) terms.push(...before.changed.terms);
    const $set = { ...storedTerms(body), ...(terms.length > 0 ? { changed: { at, terms: [...new Set(terms)] } } : {}) };
    const changed = await assignments
      .findOneAndUpdate({ _id: before._id }, { $set }, { returnDocument: 'after' })
      .lean<StoredAssignment>();
    if (!changed) throw notFound('Assignment not found');
    const { feedback } = changed;
    // What was shown stays shown.
    const hidden = {
      'assignment.assignmentId': params.id.toLowerCase(),
      $or: [{ 'assignment.feedbackAt': null }, { 'assignment.feedbackAt': trusted({ $gt: new Date() }) }],
    };
    await setFeedbackTime(hidden, { feedback, feedbackAt: feedbackAtOf(changed, new Date()) }, models);
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
        $or: [{ 'assignment.feedbackAt': null }, { 'assignment.feedbackAt': trusted({ $gt: feedbackAt }) }],
      },
      { feedbackAt },
      models,
    );
}
