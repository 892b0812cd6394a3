import { z } from 'zod';
import { objectId, requiredText, timestamp } from '../api/fields.ts';
import { routesOf } from '../api/route.ts';
import { Stage } from './recordings.ts';

/** Maximum number of answers that one call retries or gives up on. */
export const queueBatchMax = 200;

/** Maximum number of answers listed per kind. */
export const queuedAnswersMax = 100;

/** A processing stage as a queue of answers; counted from the recordings, so that it is right even while Redis is empty. */
export const StageQueue = z.object({
  stage: Stage,
  waiting: z.number().int(),
  active: z.number().int(),
  /** Paused during an outage, until the next retry. */
  paused: z.number().int(),
  failed: z.number().int(),
  /** When the oldest waiting, active or paused answer was given; null if there is none. */
  oldestAt: timestamp.nullable(),
});
export type StageQueue = z.infer<typeof StageQueue>;

/** Any other queue of the recording service and its workers, as it is in Redis. */
export const OtherQueue = z.object({
  queue: z.enum(['ahead', 'trials', 'recording']),
  waiting: z.number().int(),
  active: z.number().int(),
  /** Waiting for a retry. */
  retrying: z.number().int(),
  /** The error of the oldest failed job; null if there is none. */
  reason: z.string().nullable(),
});
export type OtherQueue = z.infer<typeof OtherQueue>;

/** Answers whose stage failed for the same reason, and that were not given up on. */
export const FailureKind = z.object({
  stage: Stage,
  reason: z.string(),
  count: z.number().int(),
  oldestAt: timestamp,
  newestAt: timestamp,
});
export type FailureKind = z.infer<typeof FailureKind>;

/** Answers in a stage: those that failed for a reason, or without one those that are unfinished. */
export const AnswerKind = z.object({ stage: Stage, reason: requiredText('Reason', 2000).optional() });
export type AnswerKind = z.infer<typeof AnswerKind>;

/** All answers of a kind, or one of them. */
export const ChosenAnswers = AnswerKind.extend({ recordingId: objectId.optional() });
export type ChosenAnswers = z.infer<typeof ChosenAnswers>;

/** An answer in a queue. */
export const QueuedAnswer = z.object({
  recordingId: z.string(),
  /** The history entry's id. */
  sessionId: z.string(),
  kind: z.enum(['interview', 'practice']),
  questionId: z.number().int(),
  title: z.string(),
  /** Null once the user is deleted. */
  email: z.string().nullable(),
  state: z.enum(['waiting', 'active', 'paused', 'failed']),
  answeredAt: timestamp,
  /** The last state change. */
  changedAt: timestamp,
  /** Only for paused answers. */
  nextTryAt: timestamp.nullable(),
});
export type QueuedAnswer = z.infer<typeof QueuedAnswer>;

const recording = routesOf('recording');
const Changed = z.object({
  changed: z.number().int(),
  /** How many answers of the kind are left for the next call. */
  left: z.number().int(),
});

/** Admin routes for waiting, active and failed answers. */
export const queueRoutes = {
  listQueues: recording.get('/api/recordings/queues', 'admin', {
    summary: 'Waiting, active and failed answers by queue',
    description:
      'Groups the 10,000 newest failures by reason, without answers that were given up on. `others` is empty while Redis is down.',
    result: z.object({ stages: z.array(StageQueue), others: z.array(OtherQueue), failures: z.array(FailureKind) }),
  }),
  listQueuedAnswers: recording.post('/api/recordings/queues/answers', 'admin', {
    summary: "A stage's answers that failed for a reason, or that are unfinished",
    description: `The ${queuedAnswersMax} newest failures, or the ${queuedAnswersMax} that come next.`,
    body: AnswerKind,
    result: z.object({ answers: z.array(QueuedAnswer) }),
  }),
  retryAnswers: recording.post('/api/recordings/queues/retry', 'admin', {
    summary: 'Retry answers: one, or all of a kind',
    description: `Failed answers are reprocessed from the stage that failed; answers paused by an outage are resumed. At most ${queueBatchMax} at a time. Answers without media stay unchanged.`,
    body: ChosenAnswers,
    result: Changed,
    audit: { action: 'queue.retry' },
  }),
  giveUpAnswers: recording.post('/api/recordings/queues/give-up', 'admin', {
    summary: 'Give up on answers: one, or all of a kind',
    description: `Unfinished answers are marked as failed; failed ones are no longer listed. Their users can still reprocess them. At most ${queueBatchMax} at a time.`,
    body: ChosenAnswers,
    result: Changed,
    audit: { action: 'queue.give-up' },
  }),
};
