import { z } from 'zod';
import { idParams, objectId, requiredText, timestamp } from '../api/fields.ts';
import { limits } from '../api/limits.ts';
import { routesOf } from '../api/route.ts';
import { type Assessment, SessionKind } from './recordings.ts';

/**
 * When feedback (verdicts, points and expert answers) becomes visible to members: at once, after the last take, at the due
 * date, or when a coach releases it.
 */
export const FeedbackTime = z.enum(['at-once', 'last-take', 'due', 'release']);
export type FeedbackTime = z.infer<typeof FeedbackTime>;

/** The assignment details that a session stores. */
export const SessionAssignment = z.object({
  assignmentId: z.string(),
  groupId: z.string(),
  /** Whether the session was started after the due date. */
  late: z.boolean(),
  feedback: FeedbackTime,
  /** When feedback becomes visible to the member; null for not yet. */
  feedbackAt: timestamp.nullable(),
});
export type SessionAssignment = z.infer<typeof SessionAssignment>;

/** Whether the member may see feedback now. Admins, and coaches of the group, always may. */
export function isFeedbackShown(
  assignment: { feedbackAt: string | Date | null } | undefined,
  now: number = Date.now(),
): boolean {
  return !assignment || (assignment.feedbackAt !== null && new Date(assignment.feedbackAt).getTime() <= now);
}

/** The feedback fields of a recording, with their values while feedback is hidden. */
export function hiddenFeedback({
  feedback,
  feedbackAt,
}: {
  feedback: FeedbackTime;
  feedbackAt: string | Date | null;
}): {
  isCorrect: null;
  correctnessPercentage: null;
  chatGPTResponse: string;
  assessment: Assessment;
} {
  const when = {
    'at-once': '',
    'last-take': 'after your last take',
    due: feedbackAt === null ? 'once the work is due' : `on ${new Date(feedbackAt).toISOString().slice(0, 10)}`,
    release: 'when your coach releases it',
  }[feedback];
  return {
    isCorrect: null,
    correctnessPercentage: null,
    chatGPTResponse: '',
    assessment: { status: 'unscored', reason: `You will see feedback ${when}.` },
  };
}

/** A set in an assignment, with its title and number of questions when it was assigned. */
export const AssignedSet = z.object({
  kind: SessionKind,
  setId: z.string(),
  title: z.string(),
  questionCount: z.number().int(),
});
export type AssignedSet = z.infer<typeof AssignedSet>;

const setsMax = 20;
const takes = z
  .int('Takes must be a whole number')
  .min(1, 'At least one take is needed')
  .max(100, 'At most 100 takes')
  .nullable();
const timeZone = z
  .string('A time zone is required')
  .max(60, 'This time zone is not known')
  .refine((name) => {
    try {
      return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
    } catch {
      return false;
    }
  }, 'This time zone is not known');

/** The terms of an assignment that a coach sets, in addition to its sets and members. */
const terms = {
  title: requiredText('Title', limits.titleMaxLength),
  opensAt: z.iso.datetime('Please choose when it opens'),
  dueAt: z.iso.datetime('Please choose when it is due').nullable().describe('Null for no date.'),
  timeZone: timeZone.describe("The coach's, in which they chose the times."),
  takes: takes.describe('How often each set may be taken; null for any number.'),
  timeLimitSeconds: z
    .int('The time limit must be a whole number of seconds')
    .min(15, 'The time limit must be at least 15 seconds')
    .max(1800, 'The time limit must be at most 1,800 seconds')
    .nullable()
    .describe("For each answer; it replaces the set's own. Null for the set's."),
  minimumScore: z
    .int('The score must be a whole number')
    .min(0, 'The score must be from 0 to 100')
    .max(100, 'The score must be from 0 to 100')
    .nullable()
    .describe('The percentage wanted; null for none.'),
  feedback: z.enum(FeedbackTime.options, 'Please choose when feedback is shown'),
  closesLate: z.boolean('Please choose yes or no').describe('Whether nothing can be begun once it is due.'),
};

type Terms = z.infer<z.ZodObject<typeof terms>>;
/** The first inconsistency of the terms; null if they are consistent. */
function faultOf({ opensAt, dueAt, takes, feedback, closesLate }: Terms): { path: string; message: string } | null {
  if (dueAt !== null && dueAt <= opensAt) return { path: 'dueAt', message: 'The work must be due after it opens' };
  if (feedback === 'due' && dueAt === null) return { path: 'dueAt', message: 'Feedback after the due date needs one' };
  if (closesLate && dueAt === null) return { path: 'dueAt', message: 'Closing late work needs a due date' };
  if (feedback === 'last-take' && takes === null)
    return { path: 'takes', message: 'Feedback after the last take needs a number of takes' };
  return null;
}
function checkTerms(given: Terms, context: z.RefinementCtx): void {
  const fault = faultOf(given);
  if (fault) context.addIssue({ code: 'custom', path: [fault.path], message: fault.message });
}

/** A change of an assignment's terms. Its sets and members stay the same. */
export const AssignmentTerms = z.object(terms).superRefine(checkTerms);
export type AssignmentTerms = z.infer<typeof AssignmentTerms>;

const someMembers = z
  .array(objectId.toLowerCase(), 'Please choose the members')
  .min(1, 'Please choose at least one member')
  .max(5000, 'Please choose at most 5,000 members');

export const NewAssignment = z
  .object({
    ...terms,
    groupId: objectId.toLowerCase(),
    sets: z
      .array(
        z.object({ kind: z.enum(SessionKind.options, 'Please choose a kind of set'), setId: objectId.toLowerCase() }),
        'Please choose at least one set',
      )
      .min(1, 'Please choose at least one set')
      .max(setsMax, `Please choose at most ${setsMax} sets`),
    memberIds: someMembers
      .nullable()
      .describe('Some members; null for everyone in the group, also those who join later.'),
  })
  .superRefine(checkTerms);
export type NewAssignment = z.infer<typeof NewAssignment>;

/** A later due date for one member. */
export const AssignmentExtension = z.object({ userId: z.string(), dueAt: timestamp });
export type AssignmentExtension = z.infer<typeof AssignmentExtension>;

/** The due date for one member; null for none. An extension never moves it earlier. */
export function dueFor<Instant extends string | Date>(
  {
    dueAt,
    extensions = [],
  }: { dueAt: Instant | null; extensions?: readonly { userId: string; dueAt: Instant }[] | undefined },
  userId: string,
): Instant | null {
  const extended = extensions.find((one) => one.userId === userId)?.dueAt;
  return dueAt !== null && extended !== undefined && extended > dueAt ? extended : dueAt;
}

/** A later due date for some members; null removes their extensions. */
export const NewExtension = z.object({
  userIds: someMembers,
  dueAt: z.iso.datetime('Please choose when it is due for them').nullable(),
});
export type NewExtension = z.infer<typeof NewExtension>;

/** A mail to members about assigned work. `at` identifies the occasion: each person gets one mail per occasion. */
export const AssignmentMail = z.object({
  /** `due`: the due date is near; `reminder`: sent by a coach; `withdrawn`: the assignment was deleted. */
  about: z.enum(['new', 'changed', 'due', 'reminder', 'withdrawn']),
  at: timestamp,
  assignmentId: z.string(),
  title: z.string(),
  /** The recipients' due date. */
  dueAt: timestamp.nullable(),
  timeZone: z.string(),
  /** The names of the changed terms. */
  changes: z.array(z.string()),
  userIds: z.array(z.string()),
});
export type AssignmentMail = z.infer<typeof AssignmentMail>;

/** A member's best score for an assignment, as far as the member may see it. */
export const AssignmentScore = z.object({
  assignmentId: z.string(),
  groupId: z.string(),
  userId: z.string(),
  /** The mean percentage of the best complete takes of its interview sets; sets without one count as 0. */
  score: z.number().min(0).max(100),
  /** Whether every set has a complete take. */
  isComplete: z.boolean(),
  at: timestamp,
});
export type AssignmentScore = z.infer<typeof AssignmentScore>;

/** A person's progress in one set of an assignment. */
export const AssignedProgress = z.object({
  setId: z.string(),
  takesUsed: z.number().int(),
  /** The history entry of the newest take, and its number of answered questions. */
  newest: z.object({ interviewId: z.string(), answered: z.number().int(), questionCount: z.number().int() }).nullable(),
});
export type AssignedProgress = z.infer<typeof AssignedProgress>;

export const Assignment = z.object({
  id: z.string(),
  groupId: z.string(),
  ...terms,
  sets: z.array(AssignedSet),
  /** Only for coaches and admins. */
  memberIds: z.array(z.string()).nullable().optional(),
  /** Only for coaches and admins; a member's `dueAt` already includes their extension. Absent for none. */
  extensions: z.array(AssignmentExtension).optional(),
  releasedAt: timestamp.nullable(),
  createdAt: timestamp,
  /** The latest change of the terms; absent for none. */
  changed: z.object({ at: timestamp, terms: z.array(z.enum(Object.keys(terms) as (keyof Terms)[])) }).optional(),
  /** The reader's own progress, if they are assigned; one entry per set. */
  own: z.array(AssignedProgress).optional(),
});
export type Assignment = z.infer<typeof Assignment>;

/** The result of a reminder, by ids of members. */
export const Reminded = z.object({
  reminded: z.array(z.string()),
  done: z.array(z.string()),
  /** Already reminded within the last 24 hours. */
  recent: z.array(z.string()),
  /** Can no longer start: overdue, and late work is not accepted. */
  closed: z.array(z.string()),
});
export type Reminded = z.infer<typeof Reminded>;

const recording = routesOf('recording');
const result = z.object({ assignment: Assignment });

/** Routes of assignments. Outsiders to the group get 404; its members get 403 for actions of coaches. */
export const assignmentRoutes = {
  listAssignments: recording.get('/api/assignments', 'signed-in', {
    scopes: ['results:read', 'sets:manage'],
    summary: "One's assigned work; with groupId, all assignments of a group, for its coaches and admins",
    description: 'Sorted by due date. One’s own work excludes archived groups.',
    query: z.object({ groupId: objectId.toLowerCase().optional() }),
    result: z.object({ assignments: z.array(Assignment) }),
    errorStatuses: [403, 404],
  }),
  createAssignment: recording.post('/api/assignments', 'signed-in', {
    scopes: ['sets:manage'],
    summary: 'Assign sets to a group, or to some of its members',
    description: 'For coaches of the group and admins. The sets must be published.',
    body: NewAssignment,
    status: 201,
    result,
    errorStatuses: [403, 404, 409],
    audit: { action: 'assignment.create' },
  }),
  updateAssignment: recording.put('/api/assignments/:id', 'signed-in', {
    scopes: ['sets:manage'],
    summary: 'Change the terms of an assignment',
    description:
      'Existing sessions stay unchanged, including whether they were late; the time of feedback follows the new terms. Assigned members see what changed, and get a mail unless they opted out.',
    params: idParams,
    body: AssignmentTerms,
    result,
    errorStatuses: [403, 404, 409],
    audit: { action: 'assignment.update', target: 'assignment' },
  }),
  releaseFeedback: recording.post('/api/assignments/:id/release', 'signed-in', {
    scopes: ['sets:manage'],
    summary: "Release an assignment's feedback to its members",
    description: "Irreversible: released feedback can't be hidden again.",
    params: idParams,
    result,
    errorStatuses: [403, 404],
    audit: { action: 'assignment.release', target: 'assignment' },
  }),
  extendAssignment: recording.put('/api/assignments/:id/extensions', 'signed-in', {
    scopes: ['sets:manage'],
    summary: 'Give some members a later due date, or remove it',
    description:
      "They are notified by mail unless they opted out. Sessions started late stay late; feedback at the due date uses theirs. Each member's extension is recorded in the audit log.",
    params: idParams,
    body: NewExtension,
    result,
    errorStatuses: [403, 404, 409],
    audit: { action: 'assignment.extend', target: 'assignment' },
  }),
  remindMembers: recording.post('/api/assignments/:id/reminders', 'signed-in', {
    scopes: ['sets:manage'],
    summary: 'Remind some members of an assignment by mail',
    description:
      'Each member is in one of the lists. Those in `reminded` get a mail unless they opted out of mails about assigned work (`workMail` of the people in GET /api/groups/{id}); those in `recent` were reminded in the last 24 hours.',
    params: idParams,
    body: z.object({ userIds: someMembers }),
    status: 200,
    result: Reminded,
    errorStatuses: [403, 404, 409],
    audit: { action: 'assignment.remind', target: 'assignment' },
  }),
  deleteAssignment: recording.delete('/api/assignments/:id', 'signed-in', {
    scopes: ['sets:manage'],
    summary: 'Delete an assignment',
    description: 'Members keep their sessions, with feedback.',
    params: idParams,
    errorStatuses: [403, 404],
    audit: { action: 'assignment.delete', target: 'assignment' },
  }),
};
