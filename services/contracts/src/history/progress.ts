import { z } from 'zod';
import { timestamp } from '../api/fields.ts';
import { routesOf } from '../api/route.ts';

/** The outcome of a question that a session asked. */
export const QuestionState = z.enum(['correct', 'partly', 'incorrect', 'pending', 'unjudged', 'unanswered']);

/** A user's newest interview, with enough detail to suggest the next step. */
export const LatestInterview = z.object({
  _id: z.string(),
  interviewSetId: z.string(),
  title: z.string(),
  technology: z.string(),
  createdAt: timestamp,
  /** Without number prefixes. */
  questions: z.array(z.string()),
  /** The questions that were asked, in order. `questionId` is zero-based; `percentage` is null without a verdict. */
  outcomes: z.array(
    z.object({
      questionId: z.number().int(),
      state: QuestionState,
      percentage: z.number().nullable(),
      /** Whether the score depends on edited words and has no review. */
      edited: z.boolean(),
    }),
  ),
});
export type LatestInterview = z.infer<typeof LatestInterview>;

/**
 * The average of one interview's answers in a technology, 0–100. Interviews ask different questions, so only `soFar` is
 * comparable between them: the average of the newest answer to each question, as of the end of this interview.
 */
export const TrendPoint = z.object({
  interviewId: z.string(),
  title: z.string(),
  createdAt: timestamp,
  average: z.number(),
  judgedCount: z.number().int(),
  /** Scores in the average that depend on edited words and have no review. */
  editedCount: z.number().int(),
  /** Scores in the average that a person gave. */
  reviewedCount: z.number().int(),
  soFar: z.object({ average: z.number(), questionCount: z.number().int() }),
});
export type TrendPoint = z.infer<typeof TrendPoint>;

/** A point that the newest answer to its question missed or only partly covered. */
export const MissedPoint = z.object({
  text: z.string(),
  /** The rest of the expert's sentence, which belongs to other points; '' if the point is the whole sentence. */
  before: z.string(),
  after: z.string(),
  question: z.string(),
  /** The number of answers that missed it. */
  times: z.number().int(),
  /** The interview with the newest answer, and the question's zero-based index in it. */
  interviewId: z.string(),
  questionId: z.number().int(),
});
export type MissedPoint = z.infer<typeof MissedPoint>;

/** A user's progress in one technology. */
export const TechnologyProgress = z.object({
  technology: z.string(),
  /** Number of interviews and practice sessions. */
  sessionCount: z.number().int(),
  spokenMs: z.number().int(),
  /** Number of distinct questions with a judged answer. */
  questionCount: z.number().int(),
  /** The average over the newest answer to each of them, 0–100; null if there are none. */
  average: z.number().nullable(),
  /** How many of the newest answers have a score that depends on edited words and has no review. */
  editedCount: z.number().int(),
  /** How many of them a person has reviewed. */
  reviewedCount: z.number().int(),
  /** Questions answered in more than one interview: their average in the first and in the newest; null if there are none. */
  repeated: z.object({ questionCount: z.number().int(), first: z.number(), now: z.number() }).nullable(),
  /** The newest interviews, oldest first. */
  trend: z.array(TrendPoint),
  /** Most often missed first. */
  missed: z.array(MissedPoint),
});
export type TechnologyProgress = z.infer<typeof TechnologyProgress>;

/** A user's progress per technology; the technology of the newest session comes first. */
export const Progress = z.object({
  /** The current streak: consecutive days with a session, up to today or yesterday. */
  streakDays: z.number().int(),
  spokenMs: z.number().int(),
  sessionCount: z.number().int(),
  latest: LatestInterview.nullable(),
  technologies: z.array(TechnologyProgress),
});
export type Progress = z.infer<typeof Progress>;

/** A question scheduled for review, with its place in the set in which it was last answered. */
export const ReviewQuestion = z.object({
  question: z.string(),
  technology: z.string(),
  interviewSetId: z.string(),
  /** Zero-based. */
  questionId: z.number().int(),
  title: z.string(),
  dueAt: timestamp,
  answeredAt: timestamp,
  correctnessPercentage: z.number(),
  /** Whether the score depends on edited words and has no review. */
  edited: z.boolean(),
});
export type ReviewQuestion = z.infer<typeof ReviewQuestion>;

/** Whether the string is a time zone that this system supports. */
function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const history = routesOf('history');

/** Routes of a user's progress and due questions. */
export const progressRoutes = {
  progress: history.get('/api/progress', 'signed-in', {
    summary: "The user's progress in each technology",
    description:
      'From the newest 1000 sessions: the average of the newest answers per technology, its trend over the latest 30 interviews, the results of repeated questions, the points still missed most often, the time spoken, the current streak, and the newest interview question by question. Days are counted in timeZone, UTC by default.',
    query: z.object({
      timeZone: z
        .string()
        .max(64)
        .refine(isTimeZone, 'timeZone must be a time zone such as Europe/Berlin')
        .default('UTC'),
    }),
    result: Progress,
  }),
  reviews: history.get('/api/reviews', 'signed-in', {
    summary: "The user's questions scheduled for review, soonest first",
    description:
      'Spaced repetition: every judged question is scheduled again, soon after a weak answer and later after each good one. Returns at most 100; dueCount counts all that are due now, total all that are scheduled.',
    result: z.object({ questions: z.array(ReviewQuestion), dueCount: z.number().int(), total: z.number().int() }),
  }),
};
