import { z } from 'zod';
import { objectId, timestamp } from './fields.ts';
import { InterviewDetail, InterviewRecordingDetail } from './history.ts';
import { NewReview } from './reviews.ts';
import { defineRoute } from './route.ts';

/** The longest time that a link works, in days. */
export const shareDaysMax = 90;
/** The links of one session that work at the same time. */
export const sharesMax = 20;

/** What a link allows: reading, or giving verdicts as well. */
export const ShareRole = z.enum(['read', 'review']);
export type ShareRole = z.infer<typeof ShareRole>;

/** What a link shows. */
export const SharedParts = z.object({ media: z.boolean(), transcript: z.boolean(), verdicts: z.boolean() });
export type SharedParts = z.infer<typeof SharedParts>;

const daysMessage = `Days must be a whole number from 1 to ${shareDaysMax}`;

/** A link to be made. A reviewer sees everything. */
export const NewShare = z
  .object({
    role: ShareRole.default('read'),
    shows: SharedParts.default({ media: true, transcript: true, verdicts: true }),
    days: z.int(daysMessage).min(1, daysMessage).max(shareDaysMax, daysMessage).default(7),
  })
  .refine(({ shows }) => shows.media || shows.transcript || shows.verdicts, {
    message: 'Choose at least one thing to show',
    path: ['shows'],
  });
export type NewShare = z.infer<typeof NewShare>;

/** A link as its owner sees it. The token is shown once, when it is made. */
export const Share = z.object({
  id: z.string(),
  role: ShareRole,
  shows: SharedParts,
  createdAt: timestamp,
  expiresAt: timestamp,
});
export type Share = z.infer<typeof Share>;

/** The token of a link: it stands in the fragment of its address, which browsers send to no server. */
const ShareToken = z.object({
  token: z
    .string('Token is required')
    .min(1, 'Token is required')
    .max(100, 'Token must be at most 100 characters long'),
});

/** An interview as a link shows it: without its candidate's name, and without what is not shared. */
export const SharedInterview = InterviewDetail.pick({
  title: true,
  technology: true,
  createdAt: true,
  questions: true,
  askedQuestions: true,
  followUps: true,
}).extend({
  role: ShareRole,
  shows: SharedParts,
  expiresAt: timestamp,
  recordings: z.array(InterviewRecordingDetail),
});
export type SharedInterview = z.infer<typeof SharedInterview>;

const recording = { service: 'recording' } as const;
const session = z.object({ id: objectId });

/** Links by which people without an account read an interview, or judge it. */
export const shareRoutes = {
  createShare: defineRoute({
    ...recording,
    method: 'post',
    path: '/api/sessions/:id/shares',
    access: 'signed-in',
    summary: 'Make a link to an interview for people without an account',
    description:
      'Only the one who answered may. The token is in this answer only: the server keeps a hash. The page is /shared#TOKEN. 409 where too many links work already.',
    params: session,
    body: NewShare,
    status: 201,
    result: z.object({ share: Share, token: z.string() }),
    errorStatuses: [404, 409],
    audit: { action: 'session.share', target: 'session' },
  }),
  listShares: defineRoute({
    ...recording,
    method: 'get',
    path: '/api/sessions/:id/shares',
    access: 'signed-in',
    summary: 'The links to an interview that work',
    description: 'Only for the one who answered.',
    params: session,
    result: z.object({ shares: z.array(Share) }),
    errorStatuses: [404],
  }),
  revokeShare: defineRoute({
    ...recording,
    method: 'delete',
    path: '/api/shares/:id',
    access: 'signed-in',
    summary: 'End a link',
    description: 'Only the one who made it may. Media that it shows ends with it.',
    params: session,
    errorStatuses: [404],
    audit: { action: 'session.unshare' },
  }),
  readShare: defineRoute({
    ...recording,
    method: 'post',
    path: '/api/shared',
    access: 'anyone',
    summary: 'The interview that a link shows',
    description: 'The token is in the body, so that no log has it. 404 where the link has ended.',
    body: ShareToken,
    status: 200,
    result: SharedInterview,
    errorStatuses: [404],
  }),
  reviewShared: defineRoute({
    ...recording,
    method: 'put',
    path: '/api/shared/recordings/:id/review',
    access: 'anyone',
    summary: "Give a reviewer's verdict on a shared answer",
    description: 'As an admin does, with the token of a link that allows it. Answers the interview as it then is.',
    params: session,
    body: z.intersection(ShareToken, NewReview),
    result: SharedInterview,
    errorStatuses: [403, 404, 409],
    audit: { action: 'recording.review', target: 'recording' },
  }),
};
