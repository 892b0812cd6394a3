import { z } from 'zod';
import { objectId } from '../api/fields.ts';
import { routesOf } from '../api/route.ts';

/**
 * A session's follow-up question: `questionId` is its own zero-based index among the session's questions, `parentQuestionId`
 * the index of the question whose answer it follows.
 */
export const FollowUp = z.object({
  questionId: z.number().int().nonnegative(),
  parentQuestionId: z.number().int().nonnegative(),
});
export type FollowUp = z.infer<typeof FollowUp>;

/** Follow-up questions waiting for an answer. */
export const OpenFollowUps = z.object({
  followUps: z.array(FollowUp.extend({ question: z.string() })),
  /** Whether more may come: an answer of the session is not judged yet. */
  pending: z.boolean(),
});
export type OpenFollowUps = z.infer<typeof OpenFollowUps>;

const recording = routesOf('recording');

export const followUpRoutes = {
  listFollowUps: recording.get('/api/sessions/:id/follow-ups', 'signed-in', {
    summary: 'The unanswered follow-up questions of an interview',
    description:
      "Only for the session's candidate. If the set asks follow-up questions, they are generated from what a judged answer missed: at most one per question and three per session. Their answers are uploaded under their questionId. pending says whether more may come.",
    params: z.object({ id: objectId }),
    result: OpenFollowUps,
    errorStatuses: [404],
  }),
};
