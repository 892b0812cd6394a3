import type { Stage } from '@interview-prep/contracts/recording/recordings';
import { HttpError } from '@interview-prep/kit/http/http-error';
import { outageOf } from '@interview-prep/kit/process/outages';
import { type JobContext, permanentFailure } from '@interview-prep/kit/redis/job-queues';
import { UnrecoverableError } from 'bullmq';
import { EngineError } from '../engines/engine-error.ts';
import { MediaError } from '../media/media-error.ts';
import { StoreRefusal } from '../object-store/store-refusal.ts';
import type { Outage, Recording } from '../recordings/model.ts';
import { keptAppeal } from '../recordings/start-run.ts';

/** The consequences of a failed attempt for its recording and its job. */
interface StageFailure {
  /** Whether the recording has failed. If not, the stage is retried. */
  isFinal: boolean;
  outage: Outage | null;
  fields: Partial<Recording>;
  /** The error for the job to throw: a permanent failure ends it, any other error is retried after a backoff. */
  jobError: unknown;
}

/**
 * Decides what follows a failed attempt at a stage.
 * - A worker that shuts down hands the job back: the attempt doesn't count.
 * - A permanent failure fails the recording at once.
 * - An outage leaves the recording to the sweeper, with increasing backoff. Meanwhile the sweeper probes with one recording at a
 *   time, and the first success wakes the others.
 * - Any other failure is retried by the job, as often as its queue allows.
 */
export function stageFailure(
  error: unknown,
  stage: Stage,
  recording: Recording,
  { signal, lastAttempt }: Pick<JobContext, 'signal' | 'lastAttempt'>,
): StageFailure {
  const isStopping = signal.aborted;
  const what = isStopping ? null : outagePart(error);
  const outage = what && nextOutage(what, recording.outage);
  const isFinal = !isStopping && (isPermanent(error) || (outage ? outage.tries > maxTries[outage.what] : lastAttempt));
  const reason = failureReason(error);
  const status = isFinal ? failedFields(stage, recording, reason) : ({ stageStatus: 'pending' } as const);
  return {
    isFinal,
    outage,
    // The lease was counted as an interruption in advance. This attempt has reported its end, so the count goes back.
    fields: { ...status, outage: isFinal ? null : outage, interruptions: recording.interruptions - 1 },
    jobError: isFinal || outage ? permanentFailure(reason) : error,
  };
}

function isPermanent(error: unknown): boolean {
  if (error instanceof EngineError || error instanceof MediaError) return error.permanent;
  return error instanceof UnrecoverableError || error instanceof StoreRefusal;
}

/** The cause of a failed stage, for metrics: a part that is down, or the kind of error. */
export function failureKind(error: unknown): string {
  const part = outageOf(error);
  if (part !== null) return part;
  if (error instanceof MediaError) return 'media';
  if (error instanceof EngineError) return 'engine';
  if (error instanceof StoreRefusal) return 'object-store';
  return error instanceof UnrecoverableError ? 'interrupted' : 'unexpected';
}

const readable = [EngineError, MediaError, UnrecoverableError, HttpError] as const;

/** Why a stage failed, as shown to the candidate. The message of an unexpected error only goes to the log. */
function failureReason(error: unknown): string {
  const isReadable = error instanceof Error && readable.some((kind) => error instanceof kind);
  return isReadable ? error.message : 'Something went wrong while processing the recording';
}

/** The fields to write when a stage fails for good: those of the stage, and of stages that depend on it. */
export function failedFields(
  stage: Stage,
  { kind, claim, correction, assessment }: Recording,
  reason: string,
): Partial<Recording> {
  // The correction is dropped; the answer is back to its previous state.
  if (correction) {
    const { stage: before, stageStatus, status } = correction.before;
    return { stage: before, stageStatus, correction: null, assessment: { ...assessment, status } };
  }
  // Keep the verdict from before the claim.
  if (claim) return { stageStatus: 'completed', claim: null, assessment: { ...assessment, status: 'completed' } };
  const stageStatus = 'failed';
  if (stage === 'assessment')
    return { stageStatus, assessment: { status: 'failed', reason, ...keptAppeal({ assessment }) } };
  const transcription = { status: 'failed', text: '', completedAt: null, error: reason } as const;
  if (kind === 'practice') return { stageStatus, transcription };
  return {
    stageStatus,
    transcription,
    assessment: { status: 'failed', reason: 'There is no transcription to judge', ...keptAppeal({ assessment }) },
  };
}

/** The sweeper's exponential backoff: doubles from the first pause up to the longest. */
const firstPauseMs = 5000;
const longestPauseMs = 2 * 60_000;

/**
 * An outage that lasts for more attempts than this fails the recording. With the pauses above that is about six hours for an
 * engine's server, which may be fetching its model, and a week for MongoDB and the object store. Attempts are counted, not
 * hours, since there may be times when no worker is running.
 */
const maxTries: Record<Outage['what'], number> = { engine: 6 * 30, data: 7 * 24 * 30 };

function outagePart(error: unknown): Outage['what'] | null {
  const part = outageOf(error);
  if (part === null) return null;
  return part === 'engine' ? 'engine' : 'data';
}

function nextOutage(what: Outage['what'], before: Outage | null): Outage {
  // A probe doesn't count.
  if (before?.what === what && before.nextTryAt.getTime() > Date.now()) return before;
  const tries = before?.what === what ? before.tries + 1 : 1;
  const pauseMs = Math.min(firstPauseMs * 2 ** (tries - 1), longestPauseMs);
  return { what, tries, nextTryAt: new Date(Date.now() + pauseMs) };
}
