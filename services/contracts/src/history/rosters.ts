import { z } from 'zod';
import { objectId, timestamp } from '../api/fields.ts';
import { routesOf } from '../api/route.ts';
import { PointState, SessionKind } from '../recording/recordings.ts';
import { Review } from '../recording/verdict-review.ts';

const score = z.number().min(0).max(100).nullable();

/** A member's work on an assignment. Scores are averages per session, only of interviews; null before the first verdict. */
export const RosterRow = z.object({
  userId: z.string(),
  takes: z.number().int(),
  /** Sets that the member has completed at least once. */
  doneSetIds: z.array(z.string()),
  first: score,
  latest: score,
  best: score,
  /** Answers in the scores that a person reviewed. */
  reviewedCount: z.number().int(),
  /** Answers that are still being processed. */
  pendingCount: z.number().int(),
  spokenMs: z.number().int(),
  /** Whether a session was started after the due date. */
  late: z.boolean(),
  lastAt: timestamp,
  /** The member's newest session. */
  newest: z.object({ kind: SessionKind, id: z.string() }),
});
export type RosterRow = z.infer<typeof RosterRow>;

/** A member's newest answer to a question of an assignment. */
export const RosterAnswer = z.object({
  userId: z.string(),
  /** 0–100; null in practice and until there is a verdict. */
  score,
  /** Whether it is still being processed. */
  pending: z.boolean(),
  /** Whether a person gave the score. */
  reviewed: z.boolean(),
  /** The judge's score, if a person has given another; null otherwise. */
  machineScore: score,
  /** Null until measured. */
  durationMs: z.number().nullable(),
  /** The session with the answer, and the question's zero-based index in it. */
  sessionId: z.string(),
  questionId: z.number().int(),
});
export type RosterAnswer = z.infer<typeof RosterAnswer>;

/** A group's answers to a question of an assignment. Answers are identified by the member's id. */
export const RosterQuestion = z.object({
  kind: SessionKind,
  setId: z.string(),
  /** Without its number prefix. */
  question: z.string(),
  answers: z.array(RosterAnswer),
  /** The engines that judged these answers. */
  engines: z.array(z.string()),
  /** The average of the scores; null without any. */
  mean: score,
  /** Histogram of the scores in five bins: below 20, below 40, below 60, below 80, and 80 or more. */
  fifths: z.array(z.number().int()).length(5),
  /** The required points that were missed or only partly covered most often, with the number of answers judged by each. */
  missed: z.array(
    z.object({
      text: z.string(),
      /** The rest of the expert's sentence. */
      before: z.string(),
      after: z.string(),
      times: z.number().int(),
      of: z.number().int(),
    }),
  ),
  /** Null with fewer than two answers of known length. */
  lengths: z.object({ longest: z.string(), shortest: z.string() }).nullable(),
  /** Three answers of different members to listen to; `typical` has the score nearest to the median. Null with fewer than three scores. */
  listen: z.object({ best: z.string(), typical: z.string(), weakest: z.string() }).nullable(),
});
export type RosterQuestion = z.infer<typeof RosterQuestion>;

/** One of a member's answers in an assignment, as a report shows it. */
export const MemberAnswer = RosterAnswer.pick({
  score: true,
  machineScore: true,
  pending: true,
  durationMs: true,
  questionId: true,
}).extend({
  /** Without its number prefix. */
  question: z.string(),
  /** Points, each within its expert sentence. */
  points: z.array(z.object({ text: z.string(), before: z.string(), after: z.string(), state: PointState })),
  /** Number of fillers and of pauses of two seconds or more. Null if not measured. */
  delivery: z
    .object({ wordsPerMinute: z.number().nullable(), fillers: z.number().int(), pauses: z.number().int() })
    .nullable(),
  engine: z.string().nullable(),
  /** The human review; null without one. */
  review: Review.nullable(),
});
export type MemberAnswer = z.infer<typeof MemberAnswer>;

/** A take of one set of an assignment. */
export const MemberSession = z.object({
  sessionId: z.string(),
  kind: SessionKind,
  title: z.string(),
  createdAt: timestamp,
  late: z.boolean(),
  /** The average score of its answers. */
  score,
  questionCount: z.number().int(),
  answers: z.array(MemberAnswer),
});
export type MemberSession = z.infer<typeof MemberSession>;

/** How often reviewers overruled the judge in a group. */
export const Overruled = z.object({
  /** Scores of answers for its assignments. */
  scored: z.number().int(),
  /** Scores that a person has reviewed, and how many of those changed. */
  reviewed: z.number().int(),
  changed: z.number().int(),
  /** The mean absolute change in percentage points; null without any. */
  points: z.number().int().nullable(),
});
export type Overruled = z.infer<typeof Overruled>;

const history = routesOf('history');
const params = z.object({ groupId: objectId.toLowerCase(), assignmentId: objectId.toLowerCase() });

export const rosterRoutes = {
  roster: history.get('/api/rosters/:groupId/:assignmentId', 'signed-in', {
    scopes: ['results:read'],
    summary: "Each member's work on an assignment",
    description:
      "For coaches of the group and admins. Omits members who haven't started and people who have left the group.",
    params,
    result: z.object({ rows: z.array(RosterRow) }),
    errorStatuses: [403, 404],
    revalidated: true,
  }),
  overruled: history.get('/api/rosters/:groupId', 'signed-in', {
    scopes: ['results:read'],
    summary: 'How often reviewers overruled the judge in a group',
    description:
      'For coaches of the group and admins. Counts every take of every assignment by current members, with the newest answer to each question per take.',
    params: params.pick({ groupId: true }),
    result: z.object({ overruled: Overruled }),
    errorStatuses: [403, 404],
    revalidated: true,
  }),
  rosterQuestions: history.get('/api/rosters/:groupId/:assignmentId/questions', 'signed-in', {
    scopes: ['results:read'],
    summary: 'How the members answered each question of an assignment',
    description:
      "For coaches of the group and admins. Uses each member's newest answer to a question across all takes of the assignment. Omits follow-up questions, since they differ by member, and answers of people who have left the group. If a question was changed between takes, both wordings are listed.",
    params,
    result: z.object({ questions: z.array(RosterQuestion) }),
    errorStatuses: [403, 404],
    revalidated: true,
  }),
  memberReport: history.get('/api/rosters/:groupId/:assignmentId/members/:userId', 'signed-in', {
    scopes: ['results:read'],
    summary: "One member's work on an assignment, answer by answer",
    description:
      'For coaches of the group and admins: each take, oldest first, with the newest answer to each question. 404 for people who are not current members.',
    params: params.extend({ userId: objectId.toLowerCase() }),
    result: z.object({ sessions: z.array(MemberSession) }),
    errorStatuses: [403, 404],
    revalidated: true,
  }),
};
