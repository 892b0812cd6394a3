import type { Stage } from '@interview-prep/contracts/recordings';
import { type JobContext, permanentFailure } from '@interview-prep/kit/job-queues';
import type { HydratedDocument } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import type { Recording } from '../recordings/model.ts';
import { queueStage } from '../recordings/queue-stage.ts';
import type { Session } from '../sessions/model.ts';
import { failureFields, failureReason, isPermanent } from './failure.ts';
import { isOutageTooLong, nextOutage, stageOutage } from './outage.ts';
import type { StageDeps } from './stage-deps.ts';

/** What a stage has found out, and which stage comes next; null where the recording has ended. */
export interface StageOutcome {
  fields: Partial<Recording>;
  status: 'completed' | 'unscored';
  next: Stage | null;
}

/** A stage's own work. It writes nothing itself but objects and files that a second try makes the same again. */
export type StageHandler = (work: {
  recording: HydratedDocument<Recording>;
  session: Session;
  signal: AbortSignal;
}) => Promise<StageOutcome>;

/** A recording whose stage was taken in hand this often, and never ended, kills its workers: it fails. */
const maxInterruptions = 30;

/**
 * Takes a recording's stage in hand, does the work and writes down how it ended; then queues the next stage.
 * A job for what is done already, or belongs to an older run, does nothing. Of two workers on the same stage the later
 * one wins: the other's write finds its claim gone.
 * @throws what the work threw, for the queue to try again; a permanent failure where that is of no use
 */
export async function runStage(
  stage: Stage,
  { recordingId, run }: { recordingId: string; run: number },
  context: JobContext,
  work: StageHandler,
  deps: StageDeps,
): Promise<void> {
  const { models, outbox } = deps;
  const claimed = await models.recordings.findOneAndUpdate(
    { _id: recordingId, run, awaiting: stage },
    {
      $set: { stage, stageStatus: 'started', unpublished: true },
      $inc: { leaseVersion: 1, interruptions: 1, revision: 1 },
    },
    { returnDocument: 'after' },
  );
  if (!claimed) {
    context.log.info('this stage is done already');
    return;
  }
  const told = outbox.publish(claimed);
  const end = deps.stageSeconds.startTimer({ stage });
  try {
    if (claimed.interruptions > maxInterruptions) throw permanentFailure('Processing was interrupted too often');
    const session = await models.sessions.findById(claimed.session).orFail().lean<Session>();
    const outcome = await work({ recording: claimed, session, signal: context.signal });
    const ended = await writeEnd(claimed, stage, models, {
      $set: { ...outcome.fields, stageStatus: outcome.status, interruptions: 0, outage: null, unpublished: true },
      next: outcome.next,
    });
    end({ outcome: outcome.status });
    if (!ended) {
      context.log.warn('someone else has this stage in hand by now');
      return;
    }
    await Promise.all([queueStage(ended, deps), told.then(() => outbox.publish(ended))]);
  } catch (error) {
    end({ outcome: 'failed' });
    await told;
    throw await giveUp(error, claimed, stage, context, deps);
  }
}

/** Moves a recording on from a claim; null where the claim does not stand any more. */
function writeEnd(
  { _id, run, leaseVersion }: Recording,
  awaiting: Stage,
  { recordings }: RecordingModels,
  { $set, next }: { $set: Record<string, unknown>; next: Stage | null },
): Promise<HydratedDocument<Recording> | null> {
  return recordings.findOneAndUpdate(
    { _id, run, awaiting, leaseVersion },
    {
      $set: next === null ? $set : { ...$set, awaiting: next },
      $inc: { revision: 1 },
      ...(next === null ? { $unset: { awaiting: 1 } } : {}),
    },
    { returnDocument: 'after' },
  );
}

/**
 * Writes down that a try has failed: to be tried again, to wait until something is back, or for good. A job tries by
 * itself what may be over in a moment; then, and from then on at once, the recording is left for the sweeper.
 * Gives what the job then throws.
 */
async function giveUp(
  error: unknown,
  claimed: HydratedDocument<Recording>,
  stage: Stage,
  context: JobContext,
  deps: StageDeps,
): Promise<unknown> {
  const givenBack = context.signal.aborted;
  const what = givenBack ? null : stageOutage(error);
  const outage = what && (context.lastAttempt || claimed.outage) ? nextOutage(what, claimed.outage) : null;
  const forGood = !givenBack && (isPermanent(error) || (outage ? isOutageTooLong(outage) : context.lastAttempt));
  const reason = failureReason(error);
  const $set = {
    ...(forGood ? { ...failureFields(stage, claimed, reason), stageStatus: 'failed' } : { stageStatus: 'pending' }),
    ...{ outage: forGood ? null : outage, interruptions: claimed.interruptions - 1, unpublished: true },
  };
  context.log.warn({ err: error, stage, forGood, outage }, 'stage failed');
  const written = await writeEnd(claimed, stage, deps.models, { $set, next: forGood ? null : stage });
  if (written) await deps.outbox.publish(written);
  return forGood || outage ? permanentFailure(reason) : error;
}
