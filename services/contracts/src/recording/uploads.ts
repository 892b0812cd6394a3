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
    summary: 'Start uploading an answer in parts, or resume it',
    description:
      'The client chooses a UUID as uploadId. Like a single-request upload, it starts the session. Repeating the request returns the current state of the upload; 409 with another session or question.',
    params,
    body: AnswerTarget,
    result,
    errorStatuses: [403, 404, 409, 429],
  }),
  listUploads: recording.get('/api/uploads', 'signed-in', {
    summary: "The user's incomplete uploads",
    description:
      'An upload without a new part for ten minutes is cut_off. It can be completed as is, continued or discarded; after seven days it is deleted.',
    result: z.object({ uploads: z.array(AnswerUpload) }),
  }),
  getUpload: recording.get('/api/uploads/:uploadId', 'signed-in', {
    summary: 'The state of an upload in parts',
    description: 'After a lost connection, continue with nextPart.',
    params,
    result,
    errorStatuses: [404],
  }),
  sendPart: recording.put('/api/uploads/:uploadId/parts/:number', 'signed-in', {
    summary: 'Upload a part of an answer, numbered from 0',
    description:
      'Parts may arrive in any order, and more than once. 409 for a different part with a used number. Parts are limited to 512 KB, answers to 10 MB. Content-Digest (RFC 9530) is the SHA-256 hash of the part; 400 if it does not match.',
    params: params.extend({ number: partNumber }),
    accepts: 'bytes',
    result,
    errorStatuses: [404, 409, 413, 415, 429],
  }),
  completeUpload: recording.post('/api/uploads/:uploadId/complete', 'signed-in', {
    summary: 'Complete an upload in parts',
    description:
      'Responds like a single-request upload of the whole recording. 409 if a part is missing; nextPart of the upload says which. A rejected answer is deleted.',
    params,
    body: z.object({
      parts: z
        .int('The number of parts is required')
        .min(1, 'An answer has at least one part')
        .max(limits.partsPerAnswer, `An answer has at most ${limits.partsPerAnswer} parts`)
        .describe('How many parts the answer has'),
    }),
    status: 201,
    otherStatuses: { 200: 'The answer is already stored as this recording' },
    result: z.object({ recording: z.union([UploadedInterviewRecording, UploadedPracticeRecording]) }),
    errorStatuses: [404, 409, 413, 415, 429],
  }),
  discardUpload: recording.delete('/api/uploads/:uploadId', 'signed-in', {
    summary: 'Delete an incomplete upload',
    description: 'Deletes all of its parts. 409 for a completed upload: delete the recording instead.',
    params,
    errorStatuses: [404, 409],
  }),
};
