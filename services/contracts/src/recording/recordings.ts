import { z } from 'zod';
import { objectId, timestamp } from '../api/fields.ts';
import { limits } from '../api/limits.ts';
import { routesOf } from '../api/route.ts';
import { SpokenLanguage } from '../catalog/spoken-languages.ts';
import { mixedQuestionsMax } from './mixed-sessions.ts';
import { NamedQuestion } from './question-sources.ts';
import { Appeal, MachineVerdict, Review } from './verdict-review.ts';

/** The kind of a session. */
export const SessionKind = z.enum(['interview', 'practice']);
export type SessionKind = z.infer<typeof SessionKind>;

/** Processing stages, in order. Practice recordings end after transcription. */
export const Stage = z.enum(['media', 'transcription', 'assessment']);
export type Stage = z.infer<typeof Stage>;

/** A spoken word with its time in the recording. `confidence` is 0–1, or null if the engine reports none. */
export const Word = z.object({
  word: z.string(),
  startMs: z.number().int().nonnegative(),
  endMs: z.number().int().nonnegative(),
  confidence: z.number().min(0).max(1).nullable(),
  /** Whether the word comes from the candidate's correction. Its time is then an estimate. */
  edited: z.boolean().optional(),
});
export type Word = z.infer<typeof Word>;

/** An edited transcript awaiting review: most of it changed, or it has words where nothing was spoken. */
export const ProposedTranscript = z.object({
  text: z.string(),
  createdAt: timestamp,
  why: z.enum(['changed', 'unspoken']),
});
export type ProposedTranscript = z.infer<typeof ProposedTranscript>;

/** `error` is a readable reason if `status` is failed; `engine` names engine and model; `language` is the expected language. */
export const Transcription = z.object({
  status: z.enum(['pending', 'completed', 'failed']),
  text: z.string(),
  words: z.array(Word).optional(),
  completedAt: timestamp.nullable(),
  engine: z.string().optional(),
  language: SpokenLanguage.optional(),
  error: z.string().optional(),
  /** Stretches of speech without recognized words, even after a retry. Absent if there are none. */
  gaps: z.array(z.object({ fromMs: z.number().int(), toMs: z.number().int() })).optional(),
  /** The engine's transcript, if the candidate has corrected it. */
  original: z.object({ text: z.string(), words: z.array(Word).optional() }).optional(),
  correctedAt: timestamp.optional(),
  /** An edit that is too large to score without a review. Until then `text` and the score are those of the original. */
  proposed: ProposedTranscript.optional(),
});
export type Transcription = z.infer<typeof Transcription>;

/** How an answer treats a point; shown as covered, partly covered, not mentioned, contradicted. */
export const PointState = z.enum(['covered', 'partial', 'missing', 'contradicted']);
export type PointState = z.infer<typeof PointState>;

/** How a point was recognized: by its words, its meaning, or the sound of misheard words. */
export const PointMatch = z.enum(['words', 'meaning', 'sound']);
export type PointMatch = z.infer<typeof PointMatch>;

/** Minimum and maximum credit, in percentage points. */
export const CreditRange = z.object({ from: z.number().int().nonnegative(), to: z.number().int().nonnegative() });
export type CreditRange = z.infer<typeof CreditRange>;

/** The judge's finding for a point. `credit` is in percentage points; `reason` is a sentence for the candidate. */
const pointFinding = {
  state: PointState,
  credit: z.number().int().nonnegative().optional(),
  reason: z.string().optional(),
};

/**
 * One point of the expert's answer. `covered` is true if `state` is covered. The fields after `evidence` are present
 * if the engine judges point by point: the credits of all points then add up to the percentage.
 */
export const Point = z.object({
  text: z.string(),
  covered: z.boolean(),
  /** The candidate's words that earn or contradict the point; '' if it is missing. */
  evidence: z.string(),
  state: PointState.optional(),
  /** Maximum credit in whole percentage points; the weights of required points add up to 100. */
  weight: z.number().int().nonnegative().optional(),
  /** Earned credit in whole percentage points, at most `weight`. */
  credit: z.number().int().nonnegative().optional(),
  /** An optional point's weight comes on top of the 100. */
  optional: z.boolean().optional(),
  /** Indexes of the evidence's first and last word in the transcription's words (in the split text if there are none). */
  firstWord: z.number().int().nonnegative().optional(),
  lastWord: z.number().int().nonnegative().optional(),
  /** The evidence's time range in the recording; present if word times are known. */
  startMs: z.number().int().nonnegative().optional(),
  endMs: z.number().int().nonnegative().optional(),
  how: PointMatch.optional(),
  /** Whether only the answer as a whole earns the point. The evidence then joins the relevant sentences, which may be apart. */
  across: z.boolean().optional(),
  /** The judge's likelihoods that the answer makes the point and that it contradicts it, 0–1. */
  made: z.number().min(0).max(1).optional(),
  contradicted: z.number().min(0).max(1).optional(),
  /** The probability that the state is right, 0–1, calibrated on questions that the judge has not seen. */
  confidence: z.number().min(0).max(1).optional(),
  /** Minimum and maximum credit; present if the judge is unsure of the state. */
  creditRange: CreditRange.optional(),
  /** The reason for the state, in one sentence for the candidate. */
  reason: z.string().optional(),
  /** The judge's original finding for the whole answer, if the point has been changed since. */
  machine: z.object({ ...pointFinding, evidence: z.string() }).optional(),
  /** The words that the candidate says make the point, and the judge's finding for just these words. */
  claim: z
    .object({
      ...pointFinding,
      firstWord: z.number().int().nonnegative(),
      lastWord: z.number().int().nonnegative(),
      text: z.string(),
      startMs: z.number().int().nonnegative(),
      endMs: z.number().int().nonnegative(),
    })
    .optional(),
  /** A person's decision about the point. `state` is then theirs; `before` is the judge's, which may be the same. */
  review: z
    .object({
      reason: z.string(),
      before: z.object({
        covered: z.boolean(),
        state: PointState,
        credit: z.number().int().nonnegative().optional(),
        creditRange: CreditRange.optional(),
      }),
    })
    .optional(),
  /** For a missing point, the closest words of the answer. Absent if nothing comes close. */
  nearest: z
    .object({
      text: z.string(),
      /** The time range of the words in the recording; present if word times are known. */
      startMs: z.number().int().nonnegative().optional(),
      endMs: z.number().int().nonnegative().optional(),
    })
    .optional(),
});
export type Point = z.infer<typeof Point>;

/** Token usage of a remote model for a verdict. `costUsd` is null if no prices are configured. */
export const AssessmentUsage = z.object({
  promptTokens: z.number().int().nonnegative(),
  completionTokens: z.number().int().nonnegative(),
  costUsd: z.number().nonnegative().nullable(),
});
export type AssessmentUsage = z.infer<typeof AssessmentUsage>;

/**
 * Details of a verdict in addition to its score. `unscored`: transcribed, but there is nothing to judge by; `reason` says why
 * (also for `failed`, and for a silent answer).
 */
export const Assessment = z.object({
  status: z.enum(['pending', 'completed', 'unscored', 'failed']),
  engine: z.string().optional(),
  points: z.array(Point).optional(),
  /** Minimum and maximum percentage, 0–100; present if the judge is unsure of a point. */
  range: CreditRange.optional(),
  reason: z.string().optional(),
  usage: AssessmentUsage.optional(),
  /** The candidate's request for a review. */
  appeal: Appeal.optional(),
  /** A person's review. `isCorrect` and `correctnessPercentage` of the recording are then those of the review. */
  review: Review.optional(),
  /** Superseded reviews, newest first, with their decisions about points. */
  earlierReviews: z
    .array(Review.extend({ points: z.array(z.object({ text: z.string(), state: PointState, reason: z.string() })) }))
    .optional(),
  machine: MachineVerdict.optional(),
  /** The version for If-Match in reviews; only in responses to people who may review: admins, and coaches of the group. */
  version: z.string().optional(),
});
export type Assessment = z.infer<typeof Assessment>;

/** The parts of a verdict that a review replaces, for its version: the previous review, and the points it can decide. */
export function reviewedParts({ review, points = [] }: Pick<Assessment, 'review' | 'points'>) {
  return { review: review?.createdAt ?? null, points: points.map(({ text }) => text) };
}

/** A verdict for people who may not review: without the names of admins. Members know the coaches of their group. */
export function withoutReviewers({ review, earlierReviews, ...assessment }: Assessment): Assessment {
  const unnamed = <Given extends Pick<Review, 'by' | 'reviewer'>>(given: Given) => {
    const { reviewer: _, ...rest } = given;
    return given.by === 'coach' ? given : rest;
  };
  return {
    ...assessment,
    ...(review ? { review: unnamed(review) } : {}),
    ...(earlierReviews ? { earlierReviews: earlierReviews.map(unnamed) } : {}),
  };
}

/**
 * The revision of the set that the candidate saw, used by the first upload of a session. It is a hint: invalid times are
 * ignored, so that no answer is rejected for one.
 */
export const setUpdatedAt = z
  .string()
  .describe(
    "The shown set's updatedAt, ISO 8601. A session that begins with this upload asks what was asked then, even where the set has been edited or deleted since, for a day. Without it, or with a time that is not known, the set as it is now counts.",
  )
  .optional()
  .transform((text) => timestamp.safeParse(text).data);

/** The assignment of a session, used by its first upload. */
export const assignmentId = objectId
  .toLowerCase()
  .describe('The assignment that the session is for. Only the first upload of a session sets it.')
  .optional();

/** The questions of an interview that asks only part of its set, used by the first upload of a session. */
const askedQuestions = z
  .string()
  .regex(/^\d{1,4}(,\d{1,4}){0,999}$/, 'askedQuestions must be zero-based numbers of questions, such as 0,2')
  .transform((text) => [...new Set(text.split(',').map(Number))].sort((a, b) => a - b))
  .describe(
    'The zero-based numbers of the questions that this interview asks, such as 0,2. Without it all are asked. Only the first upload of a session sets it.',
  )
  .optional();

const sourcesMessage = `sources must be a JSON list of 1 to ${mixedQuestionsMax} questions, each with setId and questionId`;

/** The questions of a session that mixes several sets, used by its first upload. */
const sources = z
  .string()
  .max(10_000, sourcesMessage)
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue({ code: 'custom', message: sourcesMessage });
      return z.NEVER;
    }
  })
  .pipe(z.array(NamedQuestion, sourcesMessage).min(1, sourcesMessage).max(mixedQuestionsMax, sourcesMessage))
  .describe(
    'JSON: the questions of a session that mixes several sets, as a list of {setId, questionId, setUpdatedAt}. questionId is the zero-based number in that set, setUpdatedAt as above and optional. Such a session has the interviewSetId 000000000000000000000000, and its own questions are numbered in the order of the list. Only the first upload of a session sets it.',
  )
  .optional();

/** Text parts of an interview upload; the file part is `audio`. The order of parts doesn't matter. */
export const InterviewUpload = z.object({
  sessionId: z.uuid('sessionId must be a UUID').toLowerCase(),
  questionId: z
    .string()
    .regex(/^\d{1,4}$/, 'questionId must be the zero-based number of a question')
    .transform(Number),
  interviewSetId: objectId,
  technologyCategory: z.string().max(200).optional(),
  interviewSetTitle: z.string().max(500).optional(),
  setUpdatedAt,
  askedQuestions,
  sources,
  assignmentId,
});

/** Text parts of a practice upload; the file part is `file`. */
export const PracticeUpload = z.object({
  sessionId: z.uuid('sessionId must be a UUID').toLowerCase(),
  questionId: z
    .string()
    .regex(/^\d{1,4}$/, 'questionId must be the zero-based number of a question')
    .transform(Number),
  practiceSetId: objectId,
  technologyCategory: z.string().max(200).optional(),
  practiceSetTitle: z.string().max(500).optional(),
  setUpdatedAt,
  assignmentId,
});

/** The response to an upload. `take` counts answers to the same question from 1; the newest is shown. */
const UploadedRecording = z.object({
  _id: z.string(),
  sessionId: z.string(),
  questionId: z.number().int(),
  take: z.number().int(),
  createdAt: timestamp,
  audioUrl: z.string(),
  transcription: z.object({
    status: z.literal('pending').or(z.literal('completed')).or(z.literal('failed')),
    text: z.string(),
  }),
});
export const UploadedInterviewRecording = UploadedRecording.extend({ interviewId: z.string() });
export type UploadedInterviewRecording = z.infer<typeof UploadedInterviewRecording>;
export const UploadedPracticeRecording = UploadedRecording.extend({ practiceId: z.string() });
export type UploadedPracticeRecording = z.infer<typeof UploadedPracticeRecording>;

/** A message of GET /api/events: a recording entered or finished a stage. `started`: a worker has picked it up. */
export const LiveStatus = z.object({
  sessionId: z.string(),
  recordingId: z.string(),
  stage: Stage,
  status: z.enum(['pending', 'started', 'completed', 'unscored', 'failed']),
  /** During transcription: progress in percent, and the first words. */
  progress: z.object({ percent: z.number().min(0).max(100), text: z.string() }).optional(),
  /** Before transcription: how many answers are ahead in the queue, and the estimated wait for the transcript in ms. */
  estimate: z.object({ ahead: z.number().int(), readyInMs: z.number().int() }).optional(),
});
export type LiveStatus = z.infer<typeof LiveStatus>;

/** Error messages about uploads that browser and server share. Source: product specification, section 5. */
export const uploadMessages = {
  tooShort: 'Recording too short or empty',
  tooLarge: 'Recording is too large. Please record a shorter answer.',
  missingData: 'Missing required data for upload',
  unsupported: 'Unsupported recording format',
  infected: 'A virus was found in this recording. Please record your answer on another device.',
} as const;

/** The engines that a worker uses. */
export const WorkerEngines = z.object({
  worker: z.string(),
  /** Null if no engine can run. */
  speech: z.string().nullable(),
  /** Better speech engines that the worker can't use, with reasons. Absent from workers of older releases. */
  unavailable: z.array(z.object({ engine: z.string(), reason: z.string() })).default([]),
  assess: z.string(),
});
export type WorkerEngines = z.infer<typeof WorkerEngines>;

/** Content types of served media: the containers that uploads may have, as audio or video. */
const mediaTypes = [
  ...['audio/webm', 'audio/mp4', 'audio/ogg', 'audio/mpeg', 'audio/wav'],
  ...['video/webm', 'video/mp4', 'video/ogg'],
] as const;

const recording = routesOf('recording');
const recordingParams = z.object({ recordingId: objectId });

/** Uploads respond with 201, or with 200 and the existing recording if the same bytes are sent again. */
export const recordingRoutes = {
  uploadInterviewRecording: recording.post('/api/interviews/recordings', 'signed-in', {
    summary: "Store one answer of an interview (file part 'audio')",
    description:
      "Takes one answer as WebM, MP4, Ogg, MP3 or WAV, detected from its content, and queues its transcription and assessment. The parts may come in any order. The first upload with a sessionId starts the session. Uploading the same bytes again for the same session and question returns 200 and the existing recording; other bytes become the next take. 429 if there are too many uploads per minute or hour, or if the user's storage is full (code storage_full).",
    accepts: 'multipart',
    body: InterviewUpload,
    status: 201,
    otherStatuses: { 200: 'The same bytes are already stored as this recording' },
    result: z.object({ recording: UploadedInterviewRecording }),
    errorStatuses: [403, 404, 413, 415, 429],
  }),
  uploadPracticeRecording: recording.post('/api/practice/recordings', 'signed-in', {
    summary: "Store one answer of a practice session (file part 'file')",
    description:
      "Takes one answer as WebM, MP4, Ogg, MP3 or WAV, detected from its content, and queues its transcription. The parts may come in any order. The first upload with a sessionId starts the session. Uploading the same bytes again for the same session and question returns 200 and the existing recording; other bytes become the next take. 429 if there are too many uploads per minute or hour, or if the user's storage is full (code storage_full).",
    accepts: 'multipart',
    body: PracticeUpload,
    status: 201,
    otherStatuses: { 200: 'The same bytes are already stored as this recording' },
    result: z.object({ recording: UploadedPracticeRecording }),
    errorStatuses: [403, 404, 413, 415, 429],
  }),
  media: recording.get('/api/media/:recordingId', 'anyone', {
    summary: 'The recorded media, authorized by a token in the URL or a cookie; supports byte ranges',
    description:
      "Players need no header: the token in the URL grants access to one recording. Browsers don't need a token either: every response with media links also sets a cookie for the same recordings. Both expire with their sign-in, after six hours at the latest, and browsers don't cache the media. A Range header returns 206 with that range, an If-None-Match header with the ETag returns 304. After processing the media is a seekable file. 410 if retention has deleted the media.",
    params: recordingParams,
    query: z.object({ token: z.string().max(2000).optional() }),
    streams: mediaTypes,
    otherStatuses: { 206: 'The requested range' },
    emptyStatuses: { 304: 'Not modified' },
    errorStatuses: [401, 403, 404, 410, 416],
  }),
  events: recording.get('/api/events', 'signed-in', {
    summary: "Server-sent events: 'recording' and 'words' messages about one's own answers, a heartbeat every 15 s",
    description:
      'The stream stays open until the token ends. A recording message reports that a recording entered or finished a stage; read the details from the history. A words message has the uploadId of an answer that is still being spoken and its transcript so far. With comma-separated sessionIds, admins also get the recording messages of these sessions. A user can have 20 streams open at once.',
    query: z.object({
      sessionIds: z
        .string()
        .toLowerCase()
        .transform((ids) => ids.split(','))
        .pipe(
          z
            .array(z.uuid('sessionIds must be UUIDs'))
            .max(limits.watchedSessions, `At most ${limits.watchedSessions} sessions can be watched`),
        )
        .optional(),
    }),
    streams: ['text/event-stream'],
    errorStatuses: [429],
  }),
  engines: recording.get('/api/recordings/engines', 'admin', {
    summary: "The speech engine and judge of each worker, and why it can't use a better one",
    description: 'One entry per running worker.',
    result: z.object({ workers: z.array(WorkerEngines) }),
  }),
  reprocess: recording.post('/api/recordings/:id/reprocess', 'signed-in', {
    summary: 'Reprocess a failed or unscored recording, or rescore an old verdict',
    description:
      'Queues the recording at the stage where it ended. A completed verdict is rescored if it comes from a different engine than the current one and has no review; claims about points are dropped, an appeal is kept. Otherwise 409. Only for its owner and admins.',
    params: z.object({ id: objectId }),
    status: 202,
    result: z.object({ message: z.string() }),
    errorStatuses: [404, 409],
    audit: { action: 'recording.reprocess', target: 'recording' },
  }),
};
