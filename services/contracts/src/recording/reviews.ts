import { z } from 'zod';
import { idParams, objectId, requiredText, timestamp } from '../api/fields.ts';
import { routesOf } from '../api/route.ts';
import { Assessment, PointState, SessionKind } from './recordings.ts';

/** The longest reason or comment, in characters. */
export const reviewTextMaxLength = 2000;

/** How many answers a page of the review queue has, unless it is asked for another number. */
export const reviewPageSize = 25;

/** How many reviews an answer may have. All are kept. */
export const reviewsMax = 20;

export const NewAppeal = z.object({ reason: requiredText('Reason', reviewTextMaxLength) });
export type NewAppeal = z.infer<typeof NewAppeal>;

/**
 * A person's verdict on an answer. Each point in it is decided, also where the judge found the same; points that are left out
 * stay as the judge found them. Without a percentage the points add up to it.
 */
export const NewReview = z.object({
  correctnessPercentage: z.int().min(0).max(100).nullable().default(null),
  points: z
    .array(
      z.object({
        /** The zero-based index in the verdict's points. */
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

/** Why an answer waits for a review: one was requested, or the judge is unsure and its feedback is not shown yet. */
export const ReviewCause = z.enum(['appeal', 'unsure']);
export type ReviewCause = z.infer<typeof ReviewCause>;

/** An answer that a person is asked to judge, or has judged. */
export const ReviewItem = z.object({
  cause: ReviewCause,
  /** Of the group that it was assigned in; absent for private practice. */
  groupId: z.string().optional(),
  recordingId: z.string(),
  interviewId: z.string(),
  questionId: z.number().int(),
  question: z.string(),
  title: z.string(),
  /** Null once the user is deleted. */
  email: z.string().nullable(),
  /** When a person was asked; where none was, when it was answered. */
  createdAt: timestamp,
  /** What the candidate or the product asks; '' where none did. */
  reason: z.string(),
  /** Whether the product asked, as in `Appeal`. */
  automatic: z.boolean().optional(),
  /** Of the machine, 0–100; null where it gave none. */
  machinePercentage: z.number().nullable(),
  /** Of the person; null before the review. */
  reviewPercentage: z.number().nullable(),
  /** Who gave the review, and when; absent before it. The email is null once they are deleted. */
  reviewed: z.object({ email: z.string().nullable(), at: timestamp }).optional(),
  /** Points of which the judge is not sure, and no person has decided. */
  unsurePoints: z.number().int(),
});
export type ReviewItem = z.infer<typeof ReviewItem>;

const figures = {
  /** Answers that both judged. */
  count: z.number().int(),
  /** Pearson's correlation of the percentages; null where it cannot be computed. */
  pearson: z.number().nullable(),
  /** Cohen's κ of the shown verdicts (correct, partly, incorrect); null where it cannot be computed. */
  kappa: z.number().nullable(),
  /** Mean absolute difference, in percentage points. */
  difference: z.number(),
};

/** How far machine and people agree; sets and questions where they differ most come first. */
export const ReviewAgreement = z.object({
  all: z.object(figures).nullable(),
  sets: z.array(z.object({ ...figures, title: z.string() })),
  questions: z.array(z.object({ ...figures, title: z.string(), question: z.string() })),
});
export type ReviewAgreement = z.infer<typeof ReviewAgreement>;

/** A person has judged an answer whose candidate asked for it. `reviewedAt` is the time of the review. */
export const AnswerReviewed = z.object({
  userId: objectId,
  recordingId: objectId,
  /** The history entry's id. */
  interviewId: objectId,
  questionId: z.number().int().nonnegative(),
  reviewedAt: timestamp,
});
export type AnswerReviewed = z.infer<typeof AnswerReviewed>;

/** An answer waits for a person: its candidate asked for a review, or the product did. `groupId` is that of its assignment. */
export const AnswerAppealed = z.object({
  recordingId: objectId,
  appealedAt: timestamp,
  groupId: objectId.optional(),
});
export type AnswerAppealed = z.infer<typeof AnswerAppealed>;

/** What waits for an admin: the oldest appeals, and the newest recordings whose processing failed. */
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
  /** Answers that are not processed yet, and since when the oldest waits. */
  waiting: z.object({ count: z.number().int(), since: timestamp.nullable() }),
});
export type Overview = z.infer<typeof Overview>;

/** How many snippets a person keeps. */
export const snippetsMax = 50;
export const snippetNameMaxLength = 80;

/** A remark that a reviewer keeps to use again. */
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

/** A person judges where the candidate asks for it. */
export const reviewRoutes = {
  appeal: recording.post('/api/recordings/:id/appeal', 'signed-in', {
    summary: 'Request a human review of an answer',
    description:
      'Only the one who answered may, and once for each answer. 409 while the answer is still processed, or where a person was asked before.',
    params: idParams,
    body: NewAppeal,
    status: 201,
    result,
    errorStatuses: [404, 409],
  }),
  review: recording.put('/api/recordings/:id/review', 'signed-in', {
    summary: "Give a person's verdict on an answer",
    description:
      "For admins, and for coaches of the group that the answer was assigned in, while the one who answered is a member; a coach may not review answers of their own. The verdict counts in place of the machine's, which stays as `assessment.machine` and, for each changed point, as `machine`. Another review replaces it; the one before is kept in `assessment.earlierReviews`. 409 while the answer is still processed, and after 20 reviews.",
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
    summary: 'What waits for an admin: open appeals, failed recordings, answers that are not processed yet',
    description: 'The numbers of all, the three oldest open appeals, and the three newest recordings that failed.',
    result: Overview,
  }),
  reviewQueue: recording.get('/api/recordings/review-queue', 'signed-in', {
    summary: 'Answers that wait for a person, or that a person has judged',
    description:
      'For coaches what members of their groups answered for them, without answers of their own; for admins everything. Appeals come first, the oldest on top; then answers of which the judge is unsure, while their feedback is not shown yet. `state=reviewed` lists what a person has judged, the newest review first. 403 for those who coach no group.',
    query: reviewQueueQuery,
    result: z.object({
      items: z.array(ReviewItem),
      /** How many the filter finds; counted to 1,000 of each cause. */
      total: z.number().int(),
    }),
    errorStatuses: [403, 404],
  }),
  listSnippets: recording.get('/api/review-snippets', 'signed-in', {
    summary: "One's own snippets: remarks to use again in reviews, in the order they were added",
    description: 'Nobody else sees them.',
    result: snippets,
  }),
  addSnippet: recording.post('/api/review-snippets', 'signed-in', {
    summary: 'Keep a snippet',
    description: 'The answer has all of them. 409 where there are 50.',
    body: NewSnippet,
    status: 201,
    result: snippets,
    errorStatuses: [409],
  }),
  updateSnippet: recording.put('/api/review-snippets/:id', 'signed-in', {
    summary: 'Rename or change a snippet',
    description: 'The answer has all of them.',
    params: idParams,
    body: NewSnippet,
    result: snippets,
    errorStatuses: [404],
  }),
  deleteSnippet: recording.delete('/api/review-snippets/:id', 'signed-in', {
    summary: 'Delete a snippet',
    description: 'Reviews that it was used in keep their words. The answer has those that are left.',
    params: idParams,
    result: snippets,
    errorStatuses: [404],
  }),
  reviewAgreement: recording.get('/api/recordings/agreement', 'admin', {
    summary: "How closely the judge's verdicts match people's, by set and question",
    description: 'Over the 10 000 newest answers that a person has judged.',
    result: ReviewAgreement,
  }),
};
