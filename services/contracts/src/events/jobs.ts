import { z } from 'zod';
import { timestamp } from '../api/fields.ts';
import { AuditEvent } from '../audit/audit-event.ts';
import { WebhookEvent } from '../auth/webhooks.ts';
import { AssignmentMail, AssignmentScore } from '../recording/assignments.ts';
import { DeletionSnapshot, deletionId } from '../recording/deletions.ts';
import { AnswerAppealed, AnswerReviewed } from '../recording/reviews.ts';
import { TrialJob } from '../recording/trials.ts';
import {
  GroupSnapshot,
  RecordingSnapshot,
  SessionSnapshot,
  SetSnapshot,
  TechnologiesSnapshot,
  UserSnapshot,
} from './snapshots.ts';

/** `attempts` of a job with unlimited retries: the largest integer that BullMQ's Lua scripts represent exactly. */
export const unlimitedAttempts = 2 ** 31 - 1;

/**
 * A kind of job. `attempts` is the total; `backoffMs` is the first delay, doubled after each attempt up to a minute.
 * `id` derives the job id from the payload, so that the same work is queued once. BullMQ forbids ':' and bare integers.
 */
export interface JobKind<Payload> {
  readonly payload: z.ZodType<Payload>;
  readonly attempts: number;
  readonly backoffMs: number;
  readonly id: (payload: Payload) => string;
}

const job = <Payload>(kind: JobKind<Payload>) => kind;

/** Events are retried until applied, since each is published only once. Handlers are idempotent upserts. */
const event = { attempts: unlimitedAttempts, backoffMs: 1000 } as const;

/** `run` numbers the processing runs of a recording: reprocessing is a separate job. */
const StageJob = z.object({
  recordingId: z.string(),
  run: z.number().int().positive(),
  requestId: z.string().optional(),
});
export type StageJob = z.infer<typeof StageJob>;

const stage = (attempts: number, backoffMs: number) =>
  job({ payload: StageJob, attempts, backoffMs, id: ({ recordingId, run }) => `${recordingId}-${run}` });

/** What to republish: everything, or what changed since a time. */
const Republish = z.object({ since: timestamp.nullable() });

/** In milliseconds, because ISO times contain colons. */
const republishId = ({ since }: z.infer<typeof Republish>) => `republish-${since ? Date.parse(since) : 'all'}`;

/**
 * Every queue with its jobs. A queue is named after its only consumer; the worker consumes the stages, the trials, and answers
 * that are still being spoken.
 * Services communicate only through these queues.
 */
export const queues = {
  /** auth keeps a copy of the technologies' slugs and the audit log of all services, and sends mail. */
  auth: {
    'audit-event': job({ ...event, payload: AuditEvent, id: ({ id }) => `audit-${id}` }),
    'answer-reviewed': job({
      ...event,
      payload: AnswerReviewed,
      id: ({ recordingId, reviewedAt }) => `reviewed-${recordingId}-${Date.parse(reviewedAt)}`,
    }),
    'answer-appealed': job({
      ...event,
      payload: AnswerAppealed,
      id: ({ recordingId, appealedAt }) => `appealed-${recordingId}-${Date.parse(appealedAt)}`,
    }),
    'webhook-event': job({ ...event, payload: WebhookEvent, id: ({ id }) => `webhook-${id.replaceAll(' ', '-')}` }),
    'assignment-mail': job({
      ...event,
      payload: AssignmentMail,
      id: ({ about, assignmentId, at, dueAt }) =>
        ['work', about, assignmentId, Date.parse(at), dueAt ? Date.parse(dueAt) : 'never'].join('-'),
    }),
    'assignment-score': job({
      ...event,
      payload: AssignmentScore,
      id: ({ assignmentId, userId, score, isComplete, at }) =>
        ['score', assignmentId, userId, score * 100, isComplete, Date.parse(at)].join('-'),
    }),
    'technologies-changed': job({
      ...event,
      payload: TechnologiesSnapshot,
      id: ({ revision }) => `technologies-${revision}`,
    }),
    /** Requests that the groups be republished. */
    republish: job({ ...event, payload: Republish, id: republishId }),
  },
  /** catalog republishes everything on request. */
  catalog: {
    republish: job({ ...event, payload: Republish, id: republishId }),
  },
  /** recording keeps copies of sets, users and groups. */
  recording: {
    'set-changed': job({ ...event, payload: SetSnapshot, id: ({ setId, revision }) => `set-${setId}-${revision}` }),
    'user-changed': job({
      ...event,
      payload: UserSnapshot,
      id: ({ userId, revision }) => `user-${userId}-${revision}`,
    }),
    'group-changed': job({
      ...event,
      payload: GroupSnapshot,
      id: ({ groupId, revision }) => `group-${groupId}-${revision}`,
    }),
    /** Publishes the scores of everyone who has taken an assignment. */
    'announce-scores': job({
      ...event,
      payload: z.object({ assignmentId: z.string(), at: timestamp }),
      id: ({ assignmentId, at }) => `scores-${assignmentId}-${Date.parse(at)}`,
    }),
    republish: job({ ...event, payload: Republish, id: republishId }),
  },
  /** history is a projection of recording's events. */
  history: {
    'recording-changed': job({
      ...event,
      payload: z.object({
        session: SessionSnapshot,
        recording: RecordingSnapshot,
        requestId: z.string().optional(),
      }),
      id: ({ session, recording }) => `recording-${recording.recordingId}-${recording.revision}-${session.revision}`,
    }),
    'user-changed': job({
      ...event,
      payload: UserSnapshot,
      id: ({ userId, revision }) => `user-${userId}-${revision}`,
    }),
    'group-changed': job({
      ...event,
      payload: GroupSnapshot,
      id: ({ groupId, revision }) => `group-${groupId}-${revision}`,
    }),
    deleted: job({
      ...event,
      payload: DeletionSnapshot,
      id: ({ target, revision }) => `deleted-${deletionId(target)}-${revision}`,
    }),
    /** Recording has republished everything: the events of all `published` recordings are queued before this job. */
    republished: job({ ...event, payload: z.object({ published: z.number().int() }), id: () => 'republished' }),
  },
  media: { 'prepare-media': stage(3, 2000) },
  transcription: { transcribe: stage(5, 3000) },
  assessment: { assess: stage(5, 3000) },
  /** Queued with each part of an answer. Losing one is harmless: the rest is transcribed after Stop. */
  ahead: {
    'transcribe-ahead': job({
      payload: z.object({ uploadId: z.string() }),
      attempts: 1,
      backoffMs: 0,
      id: ({ uploadId }) => uploadId,
    }),
  },
  /** An admin is waiting for the result of a trial, and a late one is worthless, so there is no retry. */
  trials: { 'judge-trial': job({ payload: TrialJob, attempts: 1, backoffMs: 0, id: ({ trialId }) => trialId }) },
} as const;

export type QueueName = keyof typeof queues;
export type JobName<Queue extends QueueName> = keyof (typeof queues)[Queue] & string;
export type JobPayload<Queue extends QueueName, Name extends JobName<Queue>> =
  (typeof queues)[Queue][Name] extends JobKind<infer Payload> ? Payload : never;

/** The Redis channel of messages for recording's event streams, each with its owner. */
export const liveStatusChannel = 'live-status';
