import type { Stage } from '@interview-prep/contracts/recording/recordings';
import type { Logger } from '@interview-prep/kit/process/logger';
import { type JobContext, type JobProducer, permanentFailure } from '@interview-prep/kit/redis/job-queues';
import { publishLiveStatus } from '@interview-prep/kit/redis/live-status';
import type { Outbox } from '@interview-prep/kit/redis/outbox';
import type { Redis } from 'ioredis';
import type { HydratedDocument } from 'mongoose';
import type { Assessor } from '../engines/assessor.ts';
import type { Transcriber } from '../engines/transcriber.ts';
import { addFollowUp, type NewFollowUp } from '../follow-ups/add-follow-up.ts';
import type { RecordingModels } from '../models.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import type { Estimates } from '../recordings/estimates.ts';
import type { Recording } from '../recordings/model.ts';
import { queueStage, takeTurn } from '../recordings/queue-stage.ts';
import type { Session } from '../sessions/model.ts';
import type { SpeechDetector } from '../speech-detector/speech-detector.ts';
import type { WorkFolder } from '../work-folder.ts';
import type { StageMetrics } from './metrics.ts';
import { failureKind, stageFailure } from './stage-failure.ts';
import { wakeWaiting } from './sweep.ts';
import type { WavCache } from './wav-cache.ts';

export interface StageDeps {
  models: RecordingModels;
  store: ObjectStore;
  jobs: JobProducer;
  outbox: Outbox<Recording>;
  log: Logger;
  work: WorkFolder;
  wavs: WavCache;
  /** Publishes live updates to open pages. */
  redis: Redis;
  prefix: string;
  detector: SpeechDetector;
  transcriber: Transcriber;
  assessor: Assessor;
  /** ISO 639-1 code of the spoken language, unless the set specifies one. */
  language: string;
  metrics: StageMetrics;
  estimates: Estimates;
}

export interface StageOutcome {
  fields: Partial<Recording>;
  /** A follow-up question about a point that the answer missed. */
  followUp?: NewFollowUp | null;
  status: 'completed' | 'unscored';
  next: Stage | null;
}

/** Does the work of a stage. Writes nothing to MongoDB. A retry replaces the objects and files of the previous attempt. */
export type StageHandler = (work: {
  recording: HydratedDocument<Recording>;
  session: Session;
  signal: AbortSignal;
  /** Whether this is the job's last attempt. */
  isLastAttempt: boolean;
}) => Promise<StageOutcome>;

/** How often a stage checks that it still holds its lease. */
const leaseLookMs = 3_000;

/** A recording fails after this many workers died holding its lease: most likely it crashes them. */
const maxInterruptions = 30;

/**
 * Runs one stage of a recording: takes a lease, calls the handler, writes its outcome, then publishes the change and queues
 * the next stage. A job whose stage has ended, or that belongs to an earlier run, does nothing. If two workers run the same
 * stage, the one with the newer lease writes. The work stops soon after the lease is lost, as when an admin gives the answer up.
 * @throws the handler's error, so that the queue retries; a permanent failure if retrying won't help
 */
export async function runStage(
  stage: Stage,
  { recordingId, run }: { recordingId: string; run: number },
  context: JobContext,
  handler: StageHandler,
  deps: StageDeps,
): Promise<void> {
  const { models, outbox } = deps;
  const recording = await takeLease(recordingId, run, stage, models);
  if (!recording) {
    context.log.info('the stage has already ended');
    if (!(await models.recordings.exists({ _id: recordingId }))) await deps.wavs.drop(recordingId, run);
    return;
  }
  await announceStart(recording, deps);
  const stopTimer = deps.metrics.stageSeconds.startTimer({ stage });
  const startedAt = performance.now();
  const lease = watchLease(recording, stage, models);
  try {
    if (recording.interruptions > maxInterruptions) throw permanentFailure('Processing was interrupted too often');
    const session = await models.sessions.findById(recording.session).orFail().lean<Session>();
    const { fields, status, next, followUp } = await handler({
      recording,
      session,
      signal: AbortSignal.any([context.signal, lease.lost]),
      isLastAttempt: context.lastAttempt,
    });
    // Add it before the verdict, whose event carries the session. If the job dies in between, its retry finds the question.
    if (followUp) await addFollowUp(session._id, followUp, models);
    const result = { ...fields, stageStatus: status, interruptions: 0, outage: null };
    const write = (turn = {}) => writeResult(recording, stage, { ...result, ...turn }, next, models);
    const written = await (next ? takeTurn(recording.userId, next, models, (turn) => write({ turn })) : write());
    stopTimer({ outcome: status });
    if (!written) {
      context.log.warn('the recording was deleted, or another worker has the lease of this stage');
      await removeIfDeleted(recording, deps);
      return;
    }
    await Promise.all([queueStage(written, deps), outbox.publish(written)]);
    if (stage === 'transcription') deps.estimates.measure(recording.durationMs ?? 0, performance.now() - startedAt);
    if (stage !== 'assessment') await deps.estimates.publish();
    if (recording.outage)
      // If that fails, the pauses run out on their own.
      await wakeWaiting(recording.outage.what, deps).catch((error: unknown) =>
        deps.log.warn({ err: error }, 'could not resume the work that waited for an outage to end'),
      );
  } catch (error) {
    if (lease.lost.aborted) {
      stopTimer({ outcome: 'stopped' });
      context.log.info({ stage }, 'a stage was stopped: its recording was given up, deleted or reprocessed');
      await removeIfDeleted(recording, deps);
      return;
    }
    stopTimer({ outcome: 'failed' });
    // Decides whether the recording fails or the stage is retried, and which error the job must throw.
    const { isFinal, outage, fields, jobError } = stageFailure(error, stage, recording, context);
    // A graceful shutdown hands the stage back: not a failure.
    if (context.signal.aborted && !isFinal) context.log.info({ stage }, 'a stage was interrupted; it starts again');
    else {
      deps.metrics.stageFailures.inc({ stage, reason: failureKind(error) });
      context.log.warn({ err: error, stage, isFinal, outage }, 'a stage failed');
    }
    const written = await writeResult(recording, stage, fields, isFinal ? null : stage, models);
    if (written) await outbox.publish(written);
    throw jobError;
  } finally {
    lease.stopWatching();
  }
}

/** Notifies the owner's open pages. Nothing that history shows has changed yet. */
async function announceStart(recording: Recording, { redis, prefix, log }: StageDeps): Promise<void> {
  const { _id, userId, sessionId, stage } = recording;
  const status = { userId, sessionId, recordingId: _id.toHexString(), stage, status: 'started' } as const;
  await publishLiveStatus(redis, prefix, status).catch((error: unknown) =>
    log.warn({ err: error }, 'could not announce the start of a stage'),
  );
}

/** Deletes the objects that a stage stored for a recording deleted in the meantime. */
async function removeIfDeleted({ _id, run, original }: Recording, { models, store, wavs }: StageDeps): Promise<void> {
  if ((await models.recordings.exists({ _id })) !== null) return;
  await store.removeAll(original.key.replace(/\.\w+$/, ''));
  await wavs.drop(_id.toHexString(), run);
}

/** The recording under a new lease; null unless it awaits this stage in this run. */
function takeLease(
  _id: string,
  run: number,
  stage: Stage,
  { recordings }: RecordingModels,
): Promise<HydratedDocument<Recording> | null> {
  return recordings.findOneAndUpdate(
    { _id, run, awaiting: stage },
    {
      $set: { stage, stageStatus: 'started' },
      $inc: { leaseVersion: 1, interruptions: 1 },
    },
    { returnDocument: 'after' },
  );
}

/** @returns `lost`, which aborts once the lease is lost and nothing the stage writes would be accepted */
function watchLease({ _id, run, leaseVersion }: Recording, awaiting: Stage, { recordings }: RecordingModels) {
  const lost = new AbortController();
  const timer = setInterval(() => {
    recordings.exists({ _id, run, awaiting, leaseVersion }).then(
      (held) => held ?? lost.abort(),
      // While MongoDB is down no other worker can have acquired it.
      () => undefined,
    );
  }, leaseLookMs);
  return { lost: lost.signal, stopWatching: () => clearInterval(timer) };
}

/** Writes fields and the next awaited stage. Null if another worker has taken the lease since. */
function writeResult(
  { _id, run, leaseVersion }: Recording,
  awaiting: Stage,
  fields: Partial<Recording>,
  next: Stage | null,
  { recordings }: RecordingModels,
): Promise<HydratedDocument<Recording> | null> {
  return recordings.findOneAndUpdate(
    { _id, run, awaiting, leaseVersion },
    {
      $set: { ...fields, unpublished: true, ...(next === null ? {} : { awaiting: next }) },
      $inc: { revision: 1 },
      ...(next === null ? { $unset: { awaiting: 1 } } : {}),
    },
    { returnDocument: 'after' },
  );
}
