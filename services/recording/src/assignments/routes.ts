import type { TokenClaims } from '@interview-prep/contracts/auth/users';
import {
  type AssignedProgress,
  type Assignment,
  type AssignmentTerms,
  assignmentRoutes,
} from '@interview-prep/contracts/recording/assignments';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import { badRequest, conflict, forbidden, notFound } from '@interview-prep/kit/http/http-error';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import { trusted } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import { findSet } from '../sets/find-set.ts';
import type { StoredAssignment } from './model.ts';
import { feedbackAtOf, setFeedbackTime } from './show-feedback.ts';

const storedTerms = ({ opensAt, dueAt, ...rest }: AssignmentTerms) => ({
  ...rest,
  opensAt: new Date(opensAt),
  dueAt: dueAt === null ? null : new Date(dueAt),
});

function present({ _id, opensAt, dueAt, releasedAt, createdAt, ...rest }: StoredAssignment): Assignment {
  return {
    ...rest,
    id: _id.toHexString(),
    opensAt: opensAt.toISOString(),
    dueAt: dueAt?.toISOString() ?? null,
    releasedAt: releasedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  };
}

/** Serves assignments: to coaches for their groups, to members their own. */
export function serveAssignments(
  server: RouteServer,
  { models, setPatienceMs }: { models: RecordingModels; setPatienceMs: number },
): void {
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
    const active = (await groups.of(user.sub, 'members')).filter(({ archived }) => !archived);
    const found = await assignments
      .find({ groupId: trusted({ $in: active.map(({ _id }) => _id) }) })
      .sort({ dueAt: 1, createdAt: 1 })
      .lean<StoredAssignment[]>();
    const mine = found.filter(({ memberIds }) => memberIds === null || memberIds.includes(user.sub));
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
    return { assignment: present(created.toObject()) };
  });

  server.serve(assignmentRoutes.updateAssignment, async ({ params, body, user }) => {
    const before = await requireOwn(params.id, user);
    const changed = await assignments
      .findOneAndUpdate({ _id: before._id }, { $set: storedTerms(body) }, { returnDocument: 'after' })
      .lean<StoredAssignment>();
    if (!changed) throw notFound('Assignment not found');
    const { feedback } = changed;
    // What was shown stays shown.
    const hidden = {
      'assignment.assignmentId': params.id.toLowerCase(),
      $or: [{ 'assignment.feedbackAt': null }, { 'assignment.feedbackAt': trusted({ $gt: new Date() }) }],
    };
    await setFeedbackTime(hidden, { feedback, feedbackAt: feedbackAtOf(changed, new Date()) }, models);
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
    const { _id } = await requireOwn(params.id, user);
    await assignments.deleteOne({ _id });
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
