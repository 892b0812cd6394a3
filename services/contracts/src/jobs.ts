import { z } from 'zod';
import { timestamp } from './fields.ts';
import { RecordingSnapshot, SessionSnapshot, SetSnapshot, TechnologiesSnapshot, UserSnapshot } from './snapshots.ts';

/** The `attempts` of a job that is never given up: so many that there is no end, and still a number that Lua keeps. */
export const unlimitedAttempts = 2 ** 31 - 1;

/**
 * One kind of job. `attempts` counts tries in all; `backoffMs` is the first pause, doubled after each try up to a minute.
 * `id` makes the job's id from its payload, so that the same work is queued once; it may hold neither ':' nor be a bare integer.
 */
export interface JobKind<Payload> {
  readonly payload: z.ZodType<Payload>;
  readonly attempts: number;
  readonly backoffMs: number;
  readonly id: (payload: Payload) => string;
}

const job = <Payload>(kind: JobKind<Payload>) => kind;

/** An event is tried until it is applied, since nobody tells it again: its handler is an idempotent upsert. */
const event = { attempts: unlimitedAttempts, backoffMs: 1000 } as const;

/** `run` counts how often the recording's processing was begun: a reprocess is other work than the run before. */
const StageJob = z.object({
  recordingId: z.string(),
  run: z.number().int().positive(),
  requestId: z.string().optional(),
});
export type StageJob = z.infer<typeof StageJob>;

const stage = (attempts: number, backoffMs: number) =>
  job({ payload: StageJob, attempts, backoffMs, id: ({ recordingId, run }) => `${recordingId}-${run}` });

/** What a service tells again: all of it, or what has changed since a time. */
const Republish = z.object({ since: timestamp.nullable() });

/** The time in milliseconds, since its ISO form has colons. */
const republishId = ({ since }: z.infer<typeof Republish>) => `republish-${since ? Date.parse(since) : 'all'}`;

/**
 * Every queue with the jobs that go through it. A queue has one consumer, after which it is named (stages are the worker's).
 * Services talk to each other through these only.
 */
export const queues = {
  /** auth keeps the slugs of the technologies. */
  auth: {
    'technologies-changed': job({
      ...event,
      payload: TechnologiesSnapshot,
      id: ({ revision }) => `technologies-${revision}`,
    }),
  },
  /** catalog tells everything again when asked. */
  catalog: {
    republish: job({ ...event, payload: Republish, id: republishId }),
  },
  /** recording keeps copies of sets and users. */
  recording: {
    'set-changed': job({ ...event, payload: SetSnapshot, id: ({ setId, revision }) => `set-${setId}-${revision}` }),
    'user-changed': job({
      ...event,
      payload: UserSnapshot,
      id: ({ userId, revision }) => `user-${userId}-${revision}`,
    }),
    republish: job({ ...event, payload: Republish, id: republishId }),
  },
  /** history is a projection of what recording tells. */
  history: {
    'recording-changed': job({
      ...event,
      payload: z.object({ session: SessionSnapshot, recording: RecordingSnapshot }),
      id: ({ session, recording }) => `recording-${recording.recordingId}-${recording.revision}-${session.revision}`,
    }),
    'user-changed': job({
      ...event,
      payload: UserSnapshot,
      id: ({ userId, revision }) => `user-${userId}-${revision}`,
    }),
    /** Recording has published everything: the events of all `published` recordings are queued before this. */
    republished: job({ ...event, payload: z.object({ published: z.number().int() }), id: () => 'republished' }),
  },
  media: { 'prepare-media': stage(3, 2000) },
  transcription: { transcribe: stage(5, 3000) },
  assessment: { assess: stage(5, 3000) },
} as const;

export type QueueName = keyof typeof queues;
export type JobName<Queue extends QueueName> = keyof (typeof queues)[Queue] & string;
export type JobPayload<Queue extends QueueName, Name extends JobName<Queue>> =
  (typeof queues)[Queue][Name] extends JobKind<infer Payload> ? Payload : never;

/** Redis channel on which history tells of applied changes and recording's event streams listen; a `LiveStatus` with its owner. */
export const liveStatusChannel = 'live-status';
