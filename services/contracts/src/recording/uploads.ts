import { z } from 'zod';
import { objectId, timestamp } from '../api/fields.ts';
import { limits } from '../api/limits.ts';
import { routesOf } from '../api/route.ts';
import { mixedQuestionsMax } from './mixed-sessions.ts';
import { NamedQuestion } from './question-sources.ts';
import {
  assignmentId,
  SessionKind,
  setUpdatedAt,
  UploadedInterviewRecording,
  UploadedPracticeRecording,
} from './recordings.ts';

const questionNumber = z
  .int('A question has a zero-based number')
  .min(0, 'A question has a zero-based number')
  .max(9999, 'A question has a zero-based number');

/** The metadata of an upload in parts: the text fields of a single-request upload. */
export const AnswerTarget = z.object({
  kind: SessionKind,
  setId: objectId.toLowerCase(),
  sessionId: z.uuid('The id of the session must be a UUID').toLowerCase(),
  questionId: questionNumber,
  setUpdatedAt,
  askedQuestions: z
    .array(questionNumber)
    .min(1)
    .max(1000)
    .transform((numbers) => [...new Set(numbers)].sort((a, b) => a - b))
    .optional(),
  sources: z.array(NamedQuestion).min(1).max(mixedQuestionsMax).optional(),
  assignmentId,
});
export type AnswerTarget = z.infer<typeof AnswerTarget>;

/** `cut_off`: no part has arrived for ten minutes. Another part reopens the upload. */
export const UploadState = z.enum(['open', 'cut_off', 'complete']);
export type UploadState = z.infer<typeof UploadState>;

/** An answer that is uploaded in parts while it is being spoken. */
export const AnswerUpload = z.object({
  /** The UUID chosen by the browser. */
  id: z.string(),
  kind: SessionKind,
  sessionId: z.string(),
  setId: z.string(),
  questionId: z.number().int(),
  /** The question and the set's title, as of the start of the session. */
  question: z.string(),
  title: z.string(),
  state: UploadState,
  /** The index of the first missing part. */
  nextPart: z.number().int(),
  receivedBytes: z.number().int(),
  /** The length of a cut-off answer; null until measured. */
  durationMs: z.number().int().nullable(),
  startedAt: timestamp,
  lastPartAt: timestamp.nullable(),
  /** The recording created by the completed upload. */
  recordingId: z.string().nullable(),
});
export type AnswerUpload = z.infer<typeof AnswerUpload>;

/** A message of GET /api/events: the words so far of an answer that is still being spoken; only the end of a long text. */
export const LiveWords = z.object({ uploadId: z.string(), text: z.string() });
export type LiveWords = z.infer<typeof LiveWords>;

/** The value of a Content-Digest header with a SHA-256 hash in base64. Source: RFC 9530. */
export const contentDigest = /^sha-256=:([A-Za-z0-9+/]{43}=):$/;

const recording = routesOf('recording');
const params = z.object({ uploadId: z.uuid('uploadId must be a UUID').toLowerCase() });
const partNumber = z
  .string()
  .regex(/^\d{1,4}$/, 'A part has a zero-based number')
  .transform(Number)
  .refine((number) => number < limits.partsPerAnswer, `An answer has at most ${limits.partsPerAnswer} parts`);
const result = z.object({ upload: AnswerUpload });

/** Routes for uploading answers in parts while they are being spoken. Someone else's upload responds with 404. */
export const uploadRoutes = {
  beginUpload: recording.put('/api/uploads/:uploadId', 'signed-in', {
    summary: 'Begin an answer that is sent in parts, or find it again',
    description:
      'The uploadId is a UUID that the client chooses. The answer begins its session, as the single upload does. The same request again answers with the upload as it is; with another session or question it answers 409.',
    params,
    body: AnswerTarget,
    result,
    errorStatuses: [403, 404, 409, 429],
  }),
  listUploads: recording.get('/api/uploads', 'signed-in', {
    summary: "The user's answers that have not been completed",
    description:
      'An answer without a part for ten minutes is cut_off. It can be completed as it is, continued or discarded; after seven days it is deleted.',
    result: z.object({ uploads: z.array(AnswerUpload) }),
  }),
  getUpload: recording.get('/api/uploads/:uploadId', 'signed-in', {
    summary: 'An answer that is sent in parts: what has arrived',
    description: 'nextPart is where to go on after a lost connection.',
    params,
    result,
    errorStatuses: [404],
  }),
  sendPart: recording.put('/api/uploads/:uploadId/parts/:number', 'signed-in', {
    summary: 'Send a part of an answer, numbered from 0',
    description:
      'Parts may arrive in any order, and more than once. Another part under a number that was used answers 409. A part is at most 512 KB, the answer at most 10 MB. Content-Digest (RFC 9530) is the SHA-256 hash of the part; a part that does not match it answers 400.',
    params: params.extend({ number: partNumber }),
    accepts: 'bytes',
    result,
    errorStatuses: [404, 409, 413, 415, 429],
  }),
  completeUpload: recording.post('/api/uploads/:uploadId/complete', 'signed-in', {
    summary: 'Complete an answer that was sent in parts',
    description:
      'Answers as the single upload of the whole recording does. Where a part is missing it answers 409, and nextPart of the upload says which. An answer that is refused is deleted.',
    params,
    body: z.object({
      parts: z
        .int('The number of parts is required')
        .min(1, 'An answer has at least one part')
        .max(limits.partsPerAnswer, `An answer has at most ${limits.partsPerAnswer} parts`)
        .describe('How many parts the answer has'),
    }),
    status: 201,
    otherStatuses: { 200: 'The answer is stored already, as this recording' },
    result: z.object({ recording: z.union([UploadedInterviewRecording, UploadedPracticeRecording]) }),
    errorStatuses: [404, 409, 413, 415, 429],
  }),
  discardUpload: recording.delete('/api/uploads/:uploadId', 'signed-in', {
    summary: 'Delete an answer that was not completed',
    description: 'What has arrived of it is deleted. A complete answer answers 409: it is deleted as a recording.',
    params,
    errorStatuses: [404, 409],
  }),
};
