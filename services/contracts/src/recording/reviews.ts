import { z } from 'zod';
import { idParams, objectId, requiredText, timestamp } from '../api/fields.ts';
import { routesOf } from '../api/route.ts';
import { Assessment, PointState, SessionKind } from './recordings.ts';

/** Maximum length of a reason or comment, in characters. */
export const reviewTextMaxLength = 2000;

/** Default page size of the review queue. */
export const reviewPageSize = 25;

/** Maximum number of reviews per answer. All are kept. */
export const reviewsMax = 20;

export const NewAppeal = z.object({ reason: requiredText('Reason', reviewTextMaxLength) });
export type NewAppeal = z.infer<typeof NewAppeal>;

/**
 * A person's verdict on an answer. Listed points count as decided, even if they agree with the judge; other points keep the
 * judge's state. Without a percentage the score is the sum of the points.
 */
export const NewReview = z.object({
  correctnessPercentage: z.int().min(0).max(100).nullable().default(null),
  points: z
    .array(
      z.object({
        /** The zero-based index into the verdict's points. */
        point: z.int().min(0).max(999),
        state: PointState,
        reason: z.string().trim().max(reviewTextMaxLength).default(''),
      }),
    )
    .max(100)
    .default([]),
  reason: requiredText('Reason', reviewTextMaxLength),
  comments: z
    .array(z.object({ atMs: z.int().min(0).max(86_400_000), text: requiredText('Comment', reviewTextMaxLength) }))
    .max(100)
    .default([]),
});
export type NewReview = z.infer<typeof NewReview>;

/** Why an answer awaits review: one was requested, or the judge is unsure and the feedback is still hidden. */
export const ReviewCause = z.enum(['appeal', 'unsure']);
export type ReviewCause = z.infer<typeof ReviewCause>;

/** An answer that awaits review or has been reviewed. */
export const ReviewItem = z.object({
  cause: ReviewCause,
  /** The group of its assignment; absent for private practice. */
  groupId: z.string().optional(),
  recordingId: z.string(),
  interviewId: z.string(),
  questionId: z.number().int(),
  question: z.string(),
  title: z.string(),
  /** Null once the user is deleted. */
  email: z.string().nullable(),
  /** The time of the request; without one, the time of the answer. */
  createdAt: timestamp,
  /** The question to the reviewer; '' if none was given. */
  reason: z.string(),
  /** Whether the review was requested automatically, as in `Appeal`. */
  automatic: z.boolean().optional(),
  /** The judge's score, 0–100; null if there is none. */
  machinePercentage: z.number().nullable(),
  /** The reviewer's score; null before the review. */
  reviewPercentage: z.number().nullable(),
  /** The reviewer and the time of the review; absent before it. The email is null once the reviewer is deleted. */
  reviewed: z.object({ email: z.string().nullable(), at: timestamp }).optional(),
  /** Number of points that the judge is unsure of and no person has decided. */
  unsurePoints: z.number().int(),
});
export type ReviewItem = z.infer<typeof ReviewItem>;

const figures = {
  /** Answers with a score from both. */
  count: z.number().int(),
  /** Pearson correlation of the percentages; null if undefined. */
  pearson: z.number().nullable(),
  /** Cohen's κ of the displayed verdicts (correct, partly, incorrect); null if undefined. */
  kappa: z.number().nullable(),
  /** Mean absolute difference, in percentage points. */
  difference: z.number(),
};

/** Agreement between judge and reviewers; sets and questions with the largest differences come first. */
export const ReviewAgreement = z.object({
  all: z.object(figures).nullable(),
  sets: z.array(z.object({ ...figures, title: z.string() })),
  questions: z.array(z.object({ ...figures, title: z.string(), question: z.string() })),
});
export type ReviewAgreement = z.infer<typeof ReviewAgreement>;

/** An answer was reviewed at its candidate's request. `reviewedAt` is the time of the review. */
export const AnswerReviewed = z.object({
  userId: objectId,
  recordingId: objectId,
  /** The history entry's id. */
  interviewId: objectId,
  questionId: z.number().int().nonnegative(),
  reviewedAt: timestamp,
});
export type AnswerReviewed = z.infer<typeof AnswerReviewed>;

/** An answer awaits review, at its candidate's request or automatically. `groupId` is that of its assignment. */
export const AnswerAppealed = z.object({
  recordingId: objectId,
  appealedAt: timestamp,
  groupId: objectId.optional(),
});
export type AnswerAppealed = z.infer<typeof AnswerAppealed>;

/** The admin's to-do list: the oldest appeals, and the newest recordings whose processing failed. */
export const Overview = z.object({
  appeals: z.object({ count: z.number().int(), oldest: z.array(ReviewItem) }),
  failed: z.object({
    count: z.number().int(),
    newest: z.array(
      z.object({
        recordingId: z.string(),
        kind: SessionKind,
        interviewId: z.string(),
        questionId: z.number().int(),
        title: z.string(),
        /** Null once the user is deleted. */
        email: z.string().nullable(),
        createdAt: timestamp,
        reason: z.string(),
      }),
    ),
  }),
  /** The number of unprocessed answers, and how long the oldest has been waiting. */
  waiting: z.object({ count: z.number().int(), since: timestamp.nullable() }),
});
export type Overview = z.infer<typeof Overview>;

/** Maximum number of snippets per person. */
export const snippetsMax = 50;
export const snippetNameMaxLength = 80;

/** A comment that a reviewer saves for reuse. */
export const NewSnippet = z.object({
  name: requiredText('Name', snippetNameMaxLength),
  text: requiredText('Text', reviewTextMaxLength),
});
export type NewSnippet = z.infer<typeof NewSnippet>;

export const Snippet = NewSnippet.extend({ id: z.string() });
export type Snippet = z.infer<typeof Snippet>;

const whole = (value: unknown) => (typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value);
const reviewQueueQuery = z.object({
  state: z.enum(['waiting', 'reviewed']).default('waiting'),
  cause: ReviewCause.optional(),
  groupId: objectId.toLowerCase().optional(),
  assignmentId: objectId.toLowerCase().optional(),
  page: z.preprocess(whole, z.int().min(1).max(1000).default(1)),
  limit: z.preprocess(whole, z.int().min(1).max(100).default(reviewPageSize)),
});
export type ReviewQueueQuery = z.infer<typeof reviewQueueQuery>;

const recording = routesOf('recording');
const snippets = z.object({ snippets: z.array(Snippet) });
const result = z.object({ message: z.string() });

/** Routes for reviews by people. */
export const reviewRoutes = {
  appeal: recording.post('/api/recordings/:id/appeal', 'signed-in', {
    summary: 'Request a human review of an answer',
    description:
      "Only for the answer's candidate, once per answer. 409 while the answer is being processed, or if a review was already requested.",
    params: idParams,
    body: NewAppeal,
    status: 201,
    result,
    errorStatuses: [404, 409],
  }),
  review: recording.put('/api/recordings/:id/review', 'signed-in', {
    summary: 'Review an answer',
    description:
      "For admins, and for coaches of the assignment's group while the candidate is a member; coaches may not review their own answers. The verdict overrides the machine's, which is kept as `assessment.machine` and, for each changed point, as `machine`. Another review replaces it; the previous one is kept in `assessment.earlierReviews`. 409 while the answer is being processed, and after 20 reviews.",
    params: idParams,
    body: NewReview,
    result: z.object({
      isCorrect: z.boolean().nullable(),
      correctnessPercentage: z.number().nullable(),
      assessment: Assessment,
    }),
    errorStatuses: [403, 404, 409],
    versioned: true,
    audit: { action: 'recording.review', target: 'recording' },
  }),
  overview: recording.get('/api/recordings/overview', 'admin', {
    summary: 'Admin overview: open appeals, failed recordings, unprocessed answers',
    description: 'The counts, the three oldest open appeals, and the three newest failed recordings.',
    result: Overview,
  }),
  reviewQueue: recording.get('/api/recordings/review-queue', 'signed-in', {
    summary: 'Answers that await review or have been reviewed',
    description:
      "Coaches see the work of their groups' members, without their own answers; admins see everything. Appeals come first, oldest first, followed by answers that the judge is unsure about, while their feedback is not shown yet. `state=reviewed` lists reviewed answers, newest review first. 403 for people who coach no group.",
    query: reviewQueueQuery,
    result: z.object({
      items: z.array(ReviewItem),
      /** The number of matches; counted up to 1,000 per cause. */
      total: z.number().int(),
    }),
    errorStatuses: [403, 404],
  }),
  listSnippets: recording.get('/api/review-snippets', 'signed-in', {
    summary: "One's own snippets: reusable comments for reviews, in the order they were added",
    description: 'Visible only to their owner.',
    result: snippets,
  }),
  addSnippet: recording.post('/api/review-snippets', 'signed-in', {
    summary: 'Save a snippet',
    description: 'Returns all snippets. 409 if there are already 50.',
    body: NewSnippet,
    status: 201,
    result: snippets,
    errorStatuses: [409],
  }),
  updateSnippet: recording.put('/api/review-snippets/:id', 'signed-in', {
    summary: 'Rename or change a snippet',
    description: 'Returns all snippets.',
    params: idParams,
    body: NewSnippet,
    result: snippets,
    errorStatuses: [404],
  }),
  deleteSnippet: recording.delete('/api/review-snippets/:id', 'signed-in', {
    summary: 'Delete a snippet',
    description: 'Reviews that used it stay unchanged. Returns the remaining snippets.',
    params: idParams,
    result: snippets,
    errorStatuses: [404],
  }),
  reviewAgreement: recording.get('/api/recordings/agreement', 'admin', {
    summary: "How closely the judge's verdicts match people's, by set and question",
    description: 'Based on the 10,000 newest reviewed answers.',
    result: ReviewAgreement,
  }),
};
