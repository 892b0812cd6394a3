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
    summary: 'The follow-up questions of an interview that await an answer',
    description:
      'Only for the one who answers. Where the set asks follow-up questions, one is prepared from what a judged answer missed: at most one for each question and three for a session. An answer to it is uploaded under its questionId. pending says whether another one may still come.',
    params: z.object({ id: objectId }),
    result: OpenFollowUps,
    errorStatuses: [404],
  }),
};
