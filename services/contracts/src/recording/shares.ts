import { z } from 'zod';
import { objectId, timestamp } from '../api/fields.ts';
import { routesOf } from '../api/route.ts';
import { InterviewDetail, InterviewRecordingDetail } from '../history/history.ts';
import { NewReview } from './reviews.ts';

/** Maximum lifetime of a link, in days. */
export const shareDaysMax = 90;
/** Maximum number of active links per session. */
export const sharesMax = 20;

/** Rate limits per link: views per 15 minutes, and feedback per hour. */
export const shareLimits = { calls: 300, feedback: 60 } as const;
/** Maximum number of links in the admins' list. */
export const listedSharesMax = 500;

/** A link's permission: viewing, or feedback as well. */
export const ShareRole = z.enum(['read', 'review']);
export type ShareRole = z.infer<typeof ShareRole>;

/** The parts of an interview that a link can show; shared-fields.ts maps fields to parts. */
export const SharedParts = z.object({ media: z.boolean(), transcript: z.boolean(), verdicts: z.boolean() });
export type SharedParts = z.infer<typeof SharedParts>;

const daysMessage = `Days must be a whole number from 1 to ${shareDaysMax}`;

/** A new link. Links for feedback always show all parts. */
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

/** A link as its owner sees it. The token is shown only once, when the link is created. */
export const Share = z.object({
  id: z.string(),
  role: ShareRole,
  shows: SharedParts,
  createdAt: timestamp,
  expiresAt: timestamp,
});
export type Share = z.infer<typeof Share>;

/** A link as admins see it. */
export const ListedShare = Share.extend({
  /** The interview's history entry. */
  interviewId: z.string(),
  title: z.string(),
  /** The owner's email; null once the user is deleted. */
  email: z.string().nullable(),
});
export type ListedShare = z.infer<typeof ListedShare>;

/** The token of a link. It is in the URL's fragment, which browsers don't send to servers. */
const ShareToken = z.object({
  token: z
    .string('Token is required')
    .min(1, 'Token is required')
    .max(100, 'Token must be at most 100 characters long'),
});

/** An interview as seen through a link: without the candidate's name and anything that isn't shared. */
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

const recording = routesOf('recording');
const session = z.object({ id: objectId });

/** Routes of links that let people without an account view an interview or leave feedback. */
export const shareRoutes = {
  createShare: recording.post('/api/sessions/:id/shares', 'signed-in', {
    summary: 'Create a link to an interview for people without an account',
    description:
      "Only for the interview's candidate. Only this response contains the token: the server stores a hash. The page is /shared#TOKEN. 403 if SHARE_LINKS is off, 409 if there are too many active links.",
    params: session,
    body: NewShare,
    status: 201,
    result: z.object({ share: Share, token: z.string() }),
    errorStatuses: [403, 404, 409],
    audit: { action: 'session.share', target: 'session' },
  }),
  listShares: recording.get('/api/sessions/:id/shares', 'signed-in', {
    summary: 'The active links to an interview',
    description: "Only for the interview's candidate. `enabled` is false if SHARE_LINKS is off: no link works then.",
    params: session,
    result: z.object({ shares: z.array(Share), enabled: z.boolean() }),
    errorStatuses: [404],
  }),
  listAllShares: recording.get('/api/shares', 'admin', {
    summary: 'The active links of all users, newest first',
    description: `At most ${listedSharesMax}; \`total\` counts all. \`enabled\` is false where SHARE_LINKS is off: no link works then.`,
    result: z.object({ shares: z.array(ListedShare), total: z.number().int(), enabled: z.boolean() }),
  }),
  revokeAllShares: recording.delete('/api/shares', 'admin', {
    summary: 'Revoke all links of all users',
    description: 'Also revokes access to the media they show. Users can create new links.',
    audit: { action: 'session.unshare' },
  }),
  revokeShare: recording.delete('/api/shares/:id', 'signed-in', {
    summary: 'Revoke a link',
    description: 'Only for its creator and admins. Also revokes access to the media it shows.',
    params: session,
    errorStatuses: [404],
    audit: { action: 'session.unshare' },
  }),
  readShare: recording.post('/api/shared', 'anyone', {
    summary: 'The interview that a link shows',
    description:
      "The token is in the body to keep it out of logs. Shows only what the link's options allow. 404 if the link has expired or was revoked, 429 if it is used too often.",
    body: ShareToken,
    result: SharedInterview,
    errorStatuses: [404, 429],
  }),
  reviewShared: recording.put('/api/shared/recordings/:id/review', 'anyone', {
    summary: 'Leave feedback on a shared answer',
    description:
      'Requires the token of a link that allows feedback, for the answers that it shows. The feedback is stored as `guestFeedback` and never changes the score. New feedback through the same link replaces the previous one. Returns the updated interview.',
    params: session,
    body: z.intersection(ShareToken, NewReview),
    result: SharedInterview,
    errorStatuses: [403, 404, 409, 429],
    audit: { action: 'recording.feedback', target: 'recording' },
  }),
};
