import { z } from 'zod';
import { timestamp } from '../api/fields.ts';
import { routesOf } from '../api/route.ts';

/** What became of a question that a session asked. */
export const QuestionState = z.enum(['correct', 'partly', 'incorrect', 'pending', 'unjudged', 'unanswered']);

/** A user's newest interview: enough to say what to do next. */
export const LatestInterview = z.object({
  _id: z.string(),
  interviewSetId: z.string(),
  title: z.string(),
  technology: z.string(),
  createdAt: timestamp,
  /** Without their numbers. */
  questions: z.array(z.string()),
  /** Those that were asked, in order. `questionId` is zero-based; `percentage` is null without a verdict. */
  outcomes: z.array(
    z.object({
      questionId: z.number().int(),
      state: QuestionState,
      percentage: z.number().nullable(),
      /** Whether the score depends on edited words, and no person has confirmed it. */
      edited: z.boolean(),
    }),
  ),
});
export type LatestInterview = z.infer<typeof LatestInterview>;

/**
 * The average of one interview's answers in a technology, 0–100. Interviews ask different questions, so only `soFar` is to be
 * compared from one to the next: the average of the newest answer to each question, as it was after this interview.
 */
export const TrendPoint = z.object({
  interviewId: z.string(),
  title: z.string(),
  createdAt: timestamp,
  average: z.number(),
  judgedCount: z.number().int(),
  /** Scores in the average that depend on edited words, and that no person has confirmed. */
  editedCount: z.number().int(),
  /** Scores in the average that a person gave. */
  reviewedCount: z.number().int(),
  soFar: z.object({ average: z.number(), questionCount: z.number().int() }),
});
export type TrendPoint = z.infer<typeof TrendPoint>;

/** A point that the newest answer to its question missed or made by half. */
export const MissedPoint = z.object({
  text: z.string(),
  /** The rest of the expert's sentence, which other points are from; '' where the point is all of it. */
  before: z.string(),
  after: z.string(),
  question: z.string(),
  /** In how many answers. */
  times: z.number().int(),
  /** The interview with the newest answer, and the question's zero-based number there. */
  interviewId: z.string(),
  questionId: z.number().int(),
});
export type MissedPoint = z.infer<typeof MissedPoint>;

/** A user's progress in one technology. */
export const TechnologyProgress = z.object({
  technology: z.string(),
  /** Interviews and practice sessions. */
  sessionCount: z.number().int(),
  spokenMs: z.number().int(),
  /** Different questions that were answered and judged. */
  questionCount: z.number().int(),
  /** Of the newest answer to each of them, 0–100; null without one. */
  average: z.number().nullable(),
  /** Those of the newest answers whose score depends on edited words, and that no person has confirmed. */
  editedCount: z.number().int(),
  /** Those that a person scored. */
  reviewedCount: z.number().int(),
  /** The questions that were answered in several interviews: their averages at first and now; null where there are none. */
  repeated: z.object({ questionCount: z.number().int(), first: z.number(), now: z.number() }).nullable(),
  /** The newest interviews, oldest first. */
  trend: z.array(TrendPoint),
  /** Those missed most often first. */
  missed: z.array(MissedPoint),
});
export type TechnologyProgress = z.infer<typeof TechnologyProgress>;

/** A user's progress; the technology of the newest session first. */
export const Progress = z.object({
  /** Calendar days in a row with a session, up to today or yesterday. */
  streakDays: z.number().int(),
  spokenMs: z.number().int(),
  sessionCount: z.number().int(),
  latest: LatestInterview.nullable(),
  technologies: z.array(TechnologyProgress),
});
export type Progress = z.infer<typeof Progress>;

/** A question that comes back, with its place in the set in which it was answered last. */
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
  /** Whether the score depends on edited words, and no person has confirmed it. */
  edited: z.boolean(),
});
export type ReviewQuestion = z.infer<typeof ReviewQuestion>;

/** Whether a text names a time zone that this system knows. */
function isTimeZone(name: string): boolean {
  try {
    return Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

const history = routesOf('history');

/** What a user has reached, and which questions come back. */
export const progressRoutes = {
  progress: history.get('/api/progress', 'signed-in', {
    summary: "The user's progress in each technology",
    description:
      'From the newest 1000 sessions: the average of the newest answers in each technology, how it grew over the latest 30 interviews, what became of questions that were answered again, the points still missed most often, the time spoken, the days in a row, and the newest interview question by question. Days are counted in timeZone, UTC by default.',
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
    summary: 'The questions that come back to the user, the soonest first',
    description:
      'Every judged question comes back after some days: soon after a weak answer, later after each good one. Gives at most 100; dueCount counts all that are due now, total all that come back.',
    result: z.object({ questions: z.array(ReviewQuestion), dueCount: z.number().int(), total: z.number().int() }),
  }),
};
