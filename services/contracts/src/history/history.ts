import { z } from 'zod';
import { objectId, requiredText, timestamp } from '../api/fields.ts';
import { limits } from '../api/limits.ts';
import { routesOf } from '../api/route.ts';
import { RecordingSnapshot } from '../events/snapshots.ts';
import { SessionAssignment } from '../recording/assignments.ts';
import { FollowUp } from '../recording/follow-ups.ts';
import { QuestionSource } from '../recording/question-sources.ts';

/** The user of a session, as of the upload; fields are null once the user is deleted. */
export const UserDetails = z.object({
  email: z.string().nullable(),
  role: z.string().nullable(),
  lastLogin: timestamp.nullable(),
});
export type UserDetails = z.infer<typeof UserDetails>;

/** Parallel to the questions, in sessions that mix several sets. */
const sources = z.array(QuestionSource).optional();

/**
 * One user's session with one interview set. `questionCount` counts the questions asked, which may be only some of the
 * set's. `averageCorrectness` is 0–100, over the assessed answers.
 */
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
  /** Scores in the average that depend on edited words and have no review. */
  editedCount: z.number().int(),
  /** Scores in the average that a person gave. */
  reviewedCount: z.number().int(),
  assignment: SessionAssignment.optional(),
  sources,
  userDetails: UserDetails,
});
export type InterviewItem = z.infer<typeof InterviewItem>;

/** One user's session with one practice set. */
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

/**
 * A recording in an interview's detail: its snapshot without internal fields. `questionId` is a zero-based index
 * into questions, `peaks` is the loudness over time, 0–1, and `chatGPTResponse` the expert answer's text.
 */
export const InterviewRecordingDetail = RecordingSnapshot.omit({
  recordingId: true,
  stage: true,
  stageStatus: true,
  revision: true,
}).extend({
  _id: z.string(),
  /** '' if no media is available. */
  audioUrl: z.string(),
  peaks: RecordingSnapshot.shape.peaks.optional(),
});
export type InterviewRecordingDetail = z.infer<typeof InterviewRecordingDetail>;

/** A recording in a practice session's detail: like an interview's, but without a verdict. */
export const PracticeRecordingDetail = InterviewRecordingDetail.omit({
  isCorrect: true,
  correctnessPercentage: true,
  chatGPTResponse: true,
  assessment: true,
  guestFeedback: true,
});
export type PracticeRecordingDetail = z.infer<typeof PracticeRecordingDetail>;

/** `questions` have no 'Question N:' or 'N.' prefix; `recordings` holds each question's newest take. */
export const InterviewDetail = z.object({
  _id: z.string(),
  sessionId: z.string(),
  userId: z.string(),
  userDetails: UserDetails,
  technology: z.string(),
  title: z.string(),
  createdAt: timestamp,
  interviewSetId: z.string(),
  assignment: SessionAssignment.optional(),
  sources,
  questions: z.array(z.string()),
  /** The follow-up questions, the last of `questions`. Those without an answer were never asked. */
  followUps: z.array(FollowUp).optional(),
  /** The zero-based indexes of the questions that were asked, in order. */
  askedQuestions: z.array(z.number().int()),
  recordings: z.array(InterviewRecordingDetail),
});
export type InterviewDetail = z.infer<typeof InterviewDetail>;

/** One of a person's answers to the same question, across interviews. */
export const QuestionTake = InterviewRecordingDetail.extend({ interviewId: z.string(), title: z.string() });
export type QuestionTake = z.infer<typeof QuestionTake>;

/** All takes of a question, oldest first; limited to the newest ones. */
export const QuestionTakes = z.object({ question: z.string(), technology: z.string(), takes: z.array(QuestionTake) });
export type QuestionTakes = z.infer<typeof QuestionTakes>;

export const PracticeDetail = z.object({
  _id: z.string(),
  sessionId: z.string(),
  createdAt: timestamp,
  title: z.string(),
  technology: z.string(),
  userDetails: UserDetails,
  practiceSetId: z.string(),
  questions: z.array(z.string()),
  answers: z.array(z.string()),
  recordings: z.array(PracticeRecordingDetail),
});
export type PracticeDetail = z.infer<typeof PracticeDetail>;

const pageSize = z
  .int('limit must be a whole number from 1 to 200')
  .min(1, 'limit must be at least 1')
  .max(limits.historyPageMax, 'limit must be at most 200');
const pageLimit = pageSize.default(limits.historyPageDefault);
/** z.coerce would also accept '', '0x10' and '1e2'. */
const asNumber = (text: unknown) => (typeof text === 'string' && /^-?\d+$/.test(text) ? Number(text) : text);

/** Bounds of a session's start: `from` is inclusive, `to` exclusive. */
const period = { from: timestamp.optional(), to: timestamp.optional() };

/**
 * The query for a page of a history list, newest first. `text` matches part of a set's title or a question, ignoring case;
 * `cursor` is the previous page's `nextCursor`.
 */
export const HistoryQuery = z.object({
  email: z.string().max(limits.emailMaxLength).trim().optional(),
  text: z.string().max(limits.titleMaxLength).trim().optional(),
  ...period,
  technology: z.string().max(limits.nameMaxLength).trim().optional(),
  limit: z.preprocess(asNumber, pageLimit),
  cursor: z.string().max(200).optional(),
});
export type HistoryQuery = z.infer<typeof HistoryQuery>;

const by = z.enum(['email', 'technology'], "by must be 'email' or 'technology'");

/** Without `limit`, all groups. `cursor` is the previous page's `nextCursor`. */
export const GroupsQuery = HistoryQuery.pick({ email: true, text: true, from: true, to: true }).extend({
  by,
  limit: z.preprocess(asNumber, pageSize.optional()),
  cursor: z.string().max(400).optional(),
});

/** A search text: present or absent, never blank. */
const searchText = (label: string, max: number) => requiredText(label, max, `${label} must not be blank`).optional();

/** The same filters in a body, to keep personal data out of URLs. */
export const HistorySearch = z.object({
  email: searchText('Email', limits.emailMaxLength),
  text: searchText('The search', limits.titleMaxLength),
  ...period,
  technology: searchText('Technology', limits.nameMaxLength),
  limit: pageLimit,
  cursor: searchText('Cursor', 200),
});

export const GroupsSearch = HistorySearch.pick({ email: true, text: true, from: true, to: true }).extend({
  by,
  limit: pageSize.optional(),
  cursor: searchText('Cursor', 400),
});

/** A group of sessions. `key` is the email ('' if unknown) or the technology. */
export const HistoryGroup = z.object({ key: z.string(), count: z.number().int(), latest: timestamp });
export type HistoryGroup = z.infer<typeof HistoryGroup>;

/** Totals over the user's own sessions. `average` is 0–100 over the judged answers; null if there are none. */
export const HistorySummary = z.object({
  answeredCount: z.number().int(),
  judgedCount: z.number().int(),
  average: z.number().nullable(),
  spokenMs: z.number().int(),
});
export type HistorySummary = z.infer<typeof HistorySummary>;

const page = <Item extends z.ZodType>(item: Item) =>
  z.object({
    recordings: z.array(item),
    nextCursor: z.string().nullable(),
    total: z.number().int(),
    /** Covers the newest 1000 sessions; only on the first page of the user's own history. */
    summary: HistorySummary.optional(),
  });
const groups = z.object({ groups: z.array(HistoryGroup), nextCursor: z.string().nullable() });
const history = routesOf('history');

const searched =
  'Like GET of the path without /search, but with the filter in the body, to keep search terms out of URLs.';

/** Routes of the history. See docs/specification.md, section 7. */
export const historyRoutes = {
  interviewHistory: history.get('/api/interviews/history', 'signed-in', {
    scopes: ['results:read'],
    summary: 'Interview sessions, newest first',
    description: 'Users see their own sessions, admins see all. Each page returns the cursor of the next one.',
    query: HistoryQuery,
    result: page(InterviewItem),
  }),
  searchInterviewHistory: history.post('/api/interviews/history/search', 'signed-in', {
    summary: 'Interview sessions that match a filter, newest first',
    description: searched,
    body: HistorySearch,
    result: page(InterviewItem),
  }),
  interviewGroups: history.get('/api/interviews/history/groups', 'signed-in', {
    summary: 'Interview sessions counted by email (not for dev) or technology',
    description: "Counts the sessions that the user may see, with the time of each group's latest session.",
    query: GroupsQuery,
    result: groups,
    revalidated: true,
    errorStatuses: [403],
  }),
  searchInterviewGroups: history.post('/api/interviews/history/groups/search', 'signed-in', {
    summary: 'Interview sessions that match a filter, counted by email (not for dev) or technology',
    description: searched,
    body: GroupsSearch,
    result: groups,
    errorStatuses: [403],
  }),
  interviewDetail: history.get('/api/interviews/:id', 'signed-in', {
    scopes: ['results:read'],
    summary: 'One interview session in full',
    description: 'The questions, the newest take of each, its transcript and its verdict.',
    params: z.object({ id: objectId }),
    result: InterviewDetail,
    errorStatuses: [404],
  }),
  questionTakes: history.get('/api/interviews/:id/questions/:questionId/takes', 'signed-in', {
    summary: "All takes of one of an interview's questions, oldest first",
    description:
      "The candidate's answers to this question in this interview and in all others that asked it. questionId is zero-based. Limited to the newest 20.",
    params: z.object({ id: objectId, questionId: z.coerce.number().int().min(0).max(9999) }),
    result: QuestionTakes,
    errorStatuses: [404],
  }),
  practiceHistory: history.get('/api/practice/history', 'signed-in', {
    scopes: ['results:read'],
    summary: 'Practice sessions, newest first',
    description: 'Users see their own sessions, admins see all. Each page returns the cursor of the next one.',
    query: HistoryQuery,
    result: page(PracticeItem),
  }),
  searchPracticeHistory: history.post('/api/practice/history/search', 'signed-in', {
    summary: 'Practice sessions that match a filter, newest first',
    description: searched,
    body: HistorySearch,
    result: page(PracticeItem),
  }),
  practiceGroups: history.get('/api/practice/history/groups', 'signed-in', {
    summary: 'Practice sessions counted by email (not for dev) or technology',
    description: "Counts the sessions that the user may see, with the time of each group's latest session.",
    query: GroupsQuery,
    result: groups,
    revalidated: true,
    errorStatuses: [403],
  }),
  searchPracticeGroups: history.post('/api/practice/history/groups/search', 'signed-in', {
    summary: 'Practice sessions that match a filter, counted by email (not for dev) or technology',
    description: searched,
    body: GroupsSearch,
    result: groups,
    errorStatuses: [403],
  }),
  practiceDetail: history.get('/api/practice/details/:id', 'signed-in', {
    scopes: ['results:read'],
    summary: "One practice session in full; id is the entry's _id or its sessionId",
    description: 'The questions, their model answers, and the newest take of each with its transcript.',
    // Session ids are stored in lower case, however they were sent.
    params: z.object({ id: z.string().min(1).max(100).toLowerCase() }),
    result: PracticeDetail,
    errorStatuses: [404],
  }),
};
