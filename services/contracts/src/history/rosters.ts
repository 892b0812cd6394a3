import { z } from 'zod';
import { objectId, timestamp } from '../api/fields.ts';
import { routesOf } from '../api/route.ts';
import { PointState, SessionKind } from '../recording/recordings.ts';
import { Review } from '../recording/verdict-review.ts';

const score = z.number().min(0).max(100).nullable();

/** What one member has done for an assignment. Scores are averages of a session, of interviews alone; null before the first verdict. */
export const RosterRow = z.object({
  userId: z.string(),
  takes: z.number().int(),
  /** The sets that they have answered whole, at least once. */
  doneSetIds: z.array(z.string()),
  first: score,
  latest: score,
  best: score,
  /** Answers in the scores that a person scored. */
  reviewedCount: z.number().int(),
  /** Answers that are still being processed. */
  pendingCount: z.number().int(),
  spokenMs: z.number().int(),
  /** Whether one of the sessions was begun after the work was due. */
  late: z.boolean(),
  lastAt: timestamp,
  /** Their newest session. */
  newest: z.object({ kind: SessionKind, id: z.string() }),
});
export type RosterRow = z.infer<typeof RosterRow>;

/** A member's newest answer to a question of an assignment. */
export const RosterAnswer = z.object({
  userId: z.string(),
  /** 0–100; null in practice, and while there is no verdict. */
  score,
  /** Whether it is still being processed. */
  pending: z.boolean(),
  /** Whether the score is a person's. */
  reviewed: z.boolean(),
  /** What the judge said, where a person has given another verdict; null otherwise. */
  machineScore: score,
  /** Null until it is known. */
  durationMs: z.number().nullable(),
  /** The session with the answer, and the zero-based number of the question there. */
  sessionId: z.string(),
  questionId: z.number().int(),
});
export type RosterAnswer = z.infer<typeof RosterAnswer>;

/** How the members of a group answered a question of an assignment. Answers are named by the id of the member. */
export const RosterQuestion = z.object({
  kind: SessionKind,
  setId: z.string(),
  /** Without its number. */
  question: z.string(),
  answers: z.array(RosterAnswer),
  /** The judges of these answers. */
  engines: z.array(z.string()),
  /** Of the scores; null without any. */
  mean: score,
  /** How many scores are in each fifth: below 20, below 40, below 60, below 80, and from 80 on. */
  fifths: z.array(z.number().int()).length(5),
  /** The points that most answers missed or made by half, and how many of those judged by them; optional points are left out. */
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
  /** Null without two answers whose lengths are known. */
  lengths: z.object({ longest: z.string(), shortest: z.string() }).nullable(),
  /** Three to listen to, of different members: the score of `typical` is the nearest to the median. Null with fewer scores than three. */
  listen: z.object({ best: z.string(), typical: z.string(), weakest: z.string() }).nullable(),
});
export type RosterQuestion = z.infer<typeof RosterQuestion>;

/** One of a member's answers in an assignment, with what a report says of it. */
export const MemberAnswer = RosterAnswer.pick({
  score: true,
  machineScore: true,
  pending: true,
  durationMs: true,
  questionId: true,
}).extend({
  /** Without its number. */
  question: z.string(),
  /** Each within the expert's sentence. */
  points: z.array(z.object({ text: z.string(), before: z.string(), after: z.string(), state: PointState })),
  /** How it was spoken: the number of fillers, and of pauses of two seconds or more. Null where that was not measured. */
  delivery: z
    .object({ wordsPerMinute: z.number().nullable(), fillers: z.number().int(), pauses: z.number().int() })
    .nullable(),
  engine: z.string().nullable(),
  /** What a person says about it; null for nothing. */
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
  /** The average of its answers. */
  score,
  questionCount: z.number().int(),
  answers: z.array(MemberAnswer),
});
export type MemberSession = z.infer<typeof MemberSession>;

/** How often people overruled the judge in a group. */
export const Overruled = z.object({
  /** Scores of answers for its assignments. */
  scored: z.number().int(),
  /** Those that a person has reviewed, and those of them whose score changed. */
  reviewed: z.number().int(),
  changed: z.number().int(),
  /** By how many points the changed ones differ from the judge's, on average; null without any. */
  points: z.number().int().nullable(),
});
export type Overruled = z.infer<typeof Overruled>;

const history = routesOf('history');
const params = z.object({ groupId: objectId.toLowerCase(), assignmentId: objectId.toLowerCase() });

export const rosterRoutes = {
  roster: history.get('/api/rosters/:groupId/:assignmentId', 'signed-in', {
    scopes: ['results:read'],
    summary: 'What each member has done for an assignment',
    description:
      'For coaches of the group and admins. Members who have not begun are left out, as are people who have left the group.',
    params,
    result: z.object({ rows: z.array(RosterRow) }),
    errorStatuses: [403, 404],
    revalidated: true,
  }),
  overruled: history.get('/api/rosters/:groupId', 'signed-in', {
    scopes: ['results:read'],
    summary: 'How often people overruled the judge in a group',
    description:
      'For coaches of the group and admins. Every take of every assignment counts, of those who are members now; of a question its newest answer in the take.',
    params: params.pick({ groupId: true }),
    result: z.object({ overruled: Overruled }),
    errorStatuses: [403, 404],
    revalidated: true,
  }),
  rosterQuestions: history.get('/api/rosters/:groupId/:assignmentId/questions', 'signed-in', {
    scopes: ['results:read'],
    summary: 'How the members answered each question of an assignment',
    description:
      "For coaches of the group and admins. Of each member the newest answer to a question counts, in whichever take of the assignment it was given. Follow-up questions are left out, since each member gets their own; so is what people said who have left the group. Where a set's question was changed between takes, both wordings are listed.",
    params,
    result: z.object({ questions: z.array(RosterQuestion) }),
    errorStatuses: [403, 404],
    revalidated: true,
  }),
  memberReport: history.get('/api/rosters/:groupId/:assignmentId/members/:userId', 'signed-in', {
    scopes: ['results:read'],
    summary: 'What one member did for an assignment, answer by answer',
    description:
      'For coaches of the group and admins: each take, the oldest first, with the newest answer to each question. 404 for somebody who is not a member now.',
    params: params.extend({ userId: objectId.toLowerCase() }),
    result: z.object({ sessions: z.array(MemberSession) }),
    errorStatuses: [403, 404],
    revalidated: true,
  }),
};
