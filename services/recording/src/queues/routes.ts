import {
  type ChosenAnswers,
  type FailureKind,
  type OtherQueue,
  type QueuedAnswer,
  queueBatchMax,
  queuedAnswersMax,
  queueRoutes,
  type StageQueue,
} from '@interview-prep/contracts/recording/queues';
import { Stage } from '@interview-prep/contracts/recording/recordings';
import { addToAudit } from '@interview-prep/kit/audit/audit-request';
import type { RouteServer } from '@interview-prep/kit/http/serve-route';
import type { JobProducer } from '@interview-prep/kit/redis/job-queues';
import type { Response } from 'express';
import { type HydratedDocument, trusted } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import type { Recording } from '../recordings/model.ts';
import { addStageJob, queueStage, stageJobId } from '../recordings/queue-stage.ts';
import { type ReprocessDeps, startNextRun } from '../recordings/start-run.ts';
import { withSessions } from '../sessions/with-sessions.ts';
import { failedFields } from '../stages/stage-failure.ts';

const failuresMax = 10_000;
const otherQueues = ['ahead', 'trials', 'recording'] as const;
const givenUpReason = 'An admin ended the processing of this answer';

const hasFailed = { stageStatus: 'failed', givenUpAt: trusted({ $exists: false }) } as const;

/** Why a recording failed, as shown to its user. */
const reasonOf = ({ stage, transcription, assessment }: Recording) =>
  (stage === 'assessment' ? assessment.reason : transcription.error) ?? '';

/** Admin routes for the queues. They change only the recordings, and leave jobs in Redis to the sweeper. */
export function serveQueues(server: RouteServer, deps: ReprocessDeps): void {
  const { models, jobs } = deps;

  server.serve(queueRoutes.listQueues, async () => {
    const failures = await findFailures(models);
    const [stages, others] = await Promise.all([
      Promise.all(Stage.options.map((stage) => measureStage(stage, failures, models))),
      measureOthers(jobs).catch(() => []),
    ]);
    return { stages, others, failures };
  });

  server.serve(queueRoutes.listQueuedAnswers, async ({ body }) => {
    const { stage } = body;
    const found = await models.recordings
      .find(conditionOf(body))
      .sort(body.reason === undefined ? { turn: 1 } : { updatedAt: -1 })
      .limit(queuedAnswersMax)
      .select('session questionId kind stage stageStatus awaiting outage createdAt updatedAt')
      .lean<Recording[]>();
    return { answers: (await withSessions(found, models)).map((one) => presentAnswer(one, stage)) };
  });

  server.serve(queueRoutes.retryAnswers, async ({ body, req, res }) =>
    change(body, res, (recording) => retry(recording, String(req.id), deps), models),
  );

  server.serve(queueRoutes.giveUpAnswers, async ({ body, res }) =>
    change(body, res, (recording) => giveUp(recording, deps), models),
  );
}

function conditionOf(chosen: ChosenAnswers) {
  const { stage, reason, recordingId } = chosen;
  if (recordingId !== undefined) return { _id: recordingId };
  if (reason === undefined) return { awaiting: stage };
  return { ...hasFailed, stage, [stage === 'assessment' ? 'assessment.reason' : 'transcription.error']: reason };
}

async function findFailures({ recordings }: RecordingModels): Promise<FailureKind[]> {
  const failed = await recordings
    .find(hasFailed)
    .sort({ updatedAt: -1 })
    .limit(failuresMax)
    .select('stage transcription.error assessment.reason updatedAt')
    .lean<Recording[]>();
  const kinds = Map.groupBy(failed, (recording) => `${recording.stage} ${reasonOf(recording)}`);
  return [...kinds.values()].map((all) => {
    const [newest, oldest] = [all[0], all.at(-1)] as [Recording, Recording];
    return {
      stage: newest.stage,
      reason: reasonOf(newest),
      count: all.length,
      oldestAt: oldest.updatedAt.toISOString(),
      newestAt: newest.updatedAt.toISOString(),
    };
  });
}

async function measureStage(
  stage: Stage,
  failures: readonly FailureKind[],
  { recordings }: RecordingModels,
): Promise<StageQueue> {
  const [all, active, paused, oldest] = await Promise.all([
    recordings.countDocuments({ awaiting: stage }),
    recordings.countDocuments({ awaiting: stage, stageStatus: 'started' }),
    recordings.countDocuments({
      awaiting: stage,
      stageStatus: 'pending',
      'outage.nextTryAt': trusted({ $gt: new Date() }),
    }),
    recordings.findOne({ awaiting: stage }).sort({ createdAt: 1 }).select('createdAt').lean<Recording>(),
  ]);
  const failed = failures.reduce((sum, kind) => sum + (kind.stage === stage ? kind.count : 0), 0);
  return {
    stage,
    waiting: all - active - paused,
    active,
    paused,
    failed,
    oldestAt: oldest?.createdAt.toISOString() ?? null,
  };
}

function measureOthers(jobs: JobProducer): Promise<OtherQueue[]> {
  return Promise.all(
    otherQueues.map(async (name) => {
      const queue = jobs.queue(name);
      const [waiting, active, retrying, [oldest]] = await Promise.all([
        queue.getJobCountByTypes('waiting', 'prioritized'),
        queue.getJobCountByTypes('active'),
        queue.getJobCountByTypes('delayed'),
        queue.getJobs('delayed', 0, 0, true),
      ]);
      return { queue: name, waiting, active, retrying, reason: oldest?.failedReason ?? null };
    }),
  );
}

function presentAnswer(
  { recording, session }: Awaited<ReturnType<typeof withSessions>>[number],
  stage: Stage,
): QueuedAnswer {
  const { _id, kind, questionId, awaiting, stageStatus, outage, createdAt, updatedAt } = recording;
  const pausedUntil = outage && outage.nextTryAt.getTime() > Date.now() ? outage.nextTryAt : null;
  const waits = stageStatus === 'started' ? 'active' : pausedUntil ? 'paused' : 'waiting';
  return {
    recordingId: _id.toHexString(),
    sessionId: session._id.toHexString(),
    kind,
    questionId,
    title: session.title,
    email: session.user.email,
    state: awaiting === stage ? waits : 'failed',
    answeredAt: createdAt.toISOString(),
    changedAt: updatedAt.toISOString(),
    nextTryAt: pausedUntil?.toISOString() ?? null,
  };
}

/** Changes the selected answers, up to the batch limit, and writes an audit log entry with which and how many. */
async function change(
  chosen: ChosenAnswers,
  res: Response,
  act: (recording: HydratedDocument<Recording>) => Promise<boolean>,
  { recordings }: RecordingModels,
): Promise<{ changed: number; left: number }> {
  const condition = conditionOf(chosen);
  const found = await recordings.find(condition).sort({ updatedAt: 1 }).limit(queueBatchMax);
  const done = await Promise.all(found.map(act));
  const changed = done.filter(Boolean).length;
  const { stage, reason, recordingId } = chosen;
  addToAudit(res, {
    ...(recordingId === undefined ? {} : { target: `recording:${recordingId.toLowerCase()}` }),
    details: { stage, ...(reason === undefined ? {} : { reason: reason.slice(0, 200) }), count: changed },
  });
  return { changed, left: recordingId === undefined ? await recordings.countDocuments(condition) : 0 };
}

/** Reprocesses a failed answer, or retries a waiting one now. @returns false if there is nothing to do */
async function retry(
  recording: HydratedDocument<Recording>,
  requestId: string,
  { models, jobs, outbox, log }: ReprocessDeps,
): Promise<boolean> {
  if (recording.awaiting === undefined) {
    const restarted = await startNextRun(recording, models, requestId);
    if (!restarted) return false;
    await Promise.all([queueStage(restarted, { jobs, log }), outbox.publish(restarted)]);
    return true;
  }
  const { _id, run, awaiting } = recording;
  await models.recordings.updateOne(
    { _id, run, awaiting, outage: trusted({ $ne: null }) },
    { $set: { 'outage.nextTryAt': new Date() } },
    { timestamps: false },
  );
  const job = await jobs.queue(awaiting).getJob(stageJobId(recording));
  if (await job?.isDelayed()) await job?.promote();
  else await addStageJob(recording, jobs);
  return true;
}

/** Fails an answer that is being processed, under a new lease; an already failed one is just removed from the list. */
async function giveUp(recording: Recording, { models, outbox }: ReprocessDeps): Promise<boolean> {
  const { _id, run, awaiting, leaseVersion } = recording;
  const givenUpAt = new Date();
  if (awaiting === undefined) {
    const failed = { ...hasFailed, _id, run, awaiting: null };
    const { modifiedCount } = await models.recordings.updateOne(failed, { $set: { givenUpAt } }, { timestamps: false });
    return modifiedCount > 0;
  }
  const ended = await models.recordings.findOneAndUpdate(
    { _id, run, awaiting, leaseVersion },
    {
      $set: { ...failedFields(awaiting, recording, givenUpReason), outage: null, givenUpAt, unpublished: true },
      $inc: { revision: 1, leaseVersion: 1 },
      $unset: { awaiting: 1 },
    },
    { returnDocument: 'after' },
  );
  if (ended) await outbox.publish(ended);
  return ended !== null;
}
