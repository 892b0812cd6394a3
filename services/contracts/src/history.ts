import { z } from 'zod';
import { objectId, timestamp } from './fields.ts';
import { limits } from './limits.ts';
import { Assessment, Transcription } from './recordings.ts';
import { defineRoute } from './route.ts';

/** Who took a session, copied by value at upload; fields are null once the user is deleted. */
export const UserDetails = z.object({
  email: z.string().nullable(),
  role: z.string().nullable(),
  lastLogin: timestamp.nullable(),
});
export type UserDetails = z.infer<typeof UserDetails>;

/** One sitting of one interview set by one user. `averageCorrectness` is 0–100 over what has been judged. */
export const InterviewItem = z.object({
  _id: z.string(),
  sessionId: z.string(),
  userId: z.string(),
  createdAt: timestamp,
  technology: z.string(),
  interviewSetId: z.string(),
  title: z.string(),
  questionCount: z.number().int(),
  answeredCount: z.number().int(),
  pendingCount: z.number().int(),
  averageCorrectness: z.number().nullable(),
  userDetails: UserDetails,
});
export type InterviewItem = z.infer<typeof InterviewItem>;

/** One sitting of one practice set by one user. */
export const PracticeItem = z.object({
  _id: z.string(),
  sessionId: z.string(),
  createdAt: timestamp,
  technology: z.string(),
  practiceSetId: z.string(),
  title: z.string(),
  questionCount: z.number().int(),
  answeredCount: z.number().int(),
  pendingCount: z.number().int(),
  userDetails: UserDetails,
});
export type PracticeItem = z.infer<typeof PracticeItem>;

/** What the details of both kinds tell of a recording. `peaks`: loudness over time, 0–1, for the waveform. */
const RecordingDetail = z.object({
  _id: z.string(),
  /** Zero-based index into questions. */
  questionId: z.number().int(),
  take: z.number().int(),
  createdAt: timestamp,
  /** '' where there is no media to play. */
  audioUrl: z.string(),
  mediaType: z.string(),
  durationMs: z.number().int().nullable(),
  peaks: z.array(z.number()).optional(),
  transcription: Transcription,
});

/** `chatGPTResponse` holds the expert answer's text. */
export const InterviewRecordingDetail = RecordingDetail.extend({
  isCorrect: z.boolean().nullable(),
  correctnessPercentage: z.number().min(0).max(100).nullable(),
  chatGPTResponse: z.string(),
  assessment: Assessment,
});
export type InterviewRecordingDetail = z.infer<typeof InterviewRecordingDetail>;

export const PracticeRecordingDetail = RecordingDetail;
export type PracticeRecordingDetail = z.infer<typeof PracticeRecordingDetail>;

/** Questions come with their 'Question N:' or 'N.' prefix stripped; recordings are every question's newest take. */
export const InterviewDetail = z.object({
  _id: z.string(),
  sessionId: z.string(),
  userId: z.string(),
  userDetails: UserDetails,
  technology: z.string(),
  title: z.string(),
  createdAt: timestamp,
  questions: z.array(z.string()),
  recordings: z.array(InterviewRecordingDetail),
});
export type InterviewDetail = z.infer<typeof InterviewDetail>;

export const PracticeDetail = z.object({
  _id: z.string(),
  sessionId: z.string(),
  createdAt: timestamp,
  title: z.string(),
  technology: z.string(),
  userDetails: UserDetails,
  questions: z.array(z.string()),
  answers: z.array(z.string()),
  recordings: z.array(PracticeRecordingDetail),
});
export type PracticeDetail = z.infer<typeof PracticeDetail>;

/** A page of a history list: newest first. `cursor` is a former page's `nextCursor`. */
export const HistoryQuery = z.object({
  email: z.string().trim().max(limits.emailMaxLength).optional(),
  technology: z.string().trim().max(limits.nameMaxLength).optional(),
  limit: z.coerce
    .number('limit must be a number from 1 to 200')
    .int('limit must be a whole number')
    .min(1, 'limit must be at least 1')
    .max(limits.historyPageMax, 'limit must be at most 200')
    .default(limits.historyPageDefault),
  cursor: z.string().max(200).optional(),
});
export type HistoryQuery = z.infer<typeof HistoryQuery>;

export const GroupsQuery = z.object({
  by: z.enum(['email', 'technology'], "by must be 'email' or 'technology'"),
  email: z.string().trim().max(limits.emailMaxLength).optional(),
});

/** A group of sessions: the email ('' where it is unknown) or the technology, how many, and the latest of them. */
export const HistoryGroup = z.object({ key: z.string(), count: z.number().int(), latest: timestamp });
export type HistoryGroup = z.infer<typeof HistoryGroup>;

const page = <Item extends z.ZodType>(item: Item) =>
  z.object({ recordings: z.array(item), nextCursor: z.string().nullable(), total: z.number().int() });
const groups = z.object({ groups: z.array(HistoryGroup) });
const history = { service: 'history' } as const;

/** Source: api.md, history. */
export const historyRoutes = {
  interviewHistory: defineRoute({
    ...history,
    method: 'get',
    path: '/api/interviews/history',
    access: 'signed-in',
    summary: 'Interview sessions, newest first',
    query: HistoryQuery,
    result: page(InterviewItem),
  }),
  interviewGroups: defineRoute({
    ...history,
    method: 'get',
    path: '/api/interviews/history/groups',
    access: 'signed-in',
    summary: 'Interview sessions counted by email (not for dev) or technology',
    query: GroupsQuery,
    result: groups,
    errorStatuses: [403],
  }),
  interviewDetail: defineRoute({
    ...history,
    method: 'get',
    path: '/api/interviews/:id',
    access: 'signed-in',
    summary: 'One interview session, whole',
    params: z.object({ id: objectId }),
    result: InterviewDetail,
    errorStatuses: [404],
  }),
  practiceHistory: defineRoute({
    ...history,
    method: 'get',
    path: '/api/practice/history',
    access: 'signed-in',
    summary: 'Practice sessions, newest first',
    query: HistoryQuery,
    result: page(PracticeItem),
  }),
  practiceGroups: defineRoute({
    ...history,
    method: 'get',
    path: '/api/practice/history/groups',
    access: 'signed-in',
    summary: 'Practice sessions counted by email (not for dev) or technology',
    query: GroupsQuery,
    result: groups,
    errorStatuses: [403],
  }),
  practiceDetail: defineRoute({
    ...history,
    method: 'get',
    path: '/api/practice/details/:id',
    access: 'signed-in',
    summary: "One practice session, whole; id is the entry's _id or its sessionId",
    // Session ids are kept in lower case, however they were sent.
    params: z.object({ id: z.string().min(1).max(100).toLowerCase() }),
    result: PracticeDetail,
    errorStatuses: [404],
  }),
};
