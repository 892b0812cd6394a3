import type { TrialJob, TrialVerdict } from '@interview-prep/contracts/recording/trials';
import type { Logger } from '@interview-prep/kit/process/logger';
import { consumeJobs } from '@interview-prep/kit/redis/job-queues';
import type { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Assessor } from '../engines/assessor.ts';
import type { RecordingModels } from '../models.ts';
import { type TrialOutcome, trialOutcomeKey } from './trial-queue.ts';

/** How long an outcome is kept for the polling request, in seconds. */
const outcomeSeconds = 10;

interface TrialConsumerDeps {
  models: Pick<RecordingModels, 'recordings'>;
  assessor: Assessor;
  redis: Redis;
  prefix: string;
  log: Logger;
}

/** Judges trials one at a time, each until its deadline. Stores only the outcome, for a few seconds. */
export function consumeTrials(deps: TrialConsumerDeps, options: { connection: Redis; lockMs: number }): Worker {
  const { redis, prefix, log } = deps;
  const judge = async (trial: TrialJob, stopping: AbortSignal) => {
    const remainingMs = trial.deadlineMs - Date.now();
    if (remainingMs <= 0) return;
    const deadline = AbortSignal.timeout(remainingMs);
    const verdict = await judgeTrial(trial, deps, AbortSignal.any([stopping, deadline])).catch((error: unknown) => {
      if (stopping.aborted) throw error;
      if (!deadline.aborted) log.warn({ err: error, trial: trial.trialId }, 'a trial could not be judged');
      return null;
    });
    if (deadline.aborted) return;
    const outcome: TrialOutcome = { verdict };
    await redis.set(trialOutcomeKey(prefix, trial.trialId), JSON.stringify(outcome), 'EX', outcomeSeconds);
  };
  return consumeJobs(
    'trials',
    { 'judge-trial': (trial, { signal }) => judge(trial, signal) },
    { ...options, prefix, log, concurrency: 1 },
  );
}

/** @returns null if the recording's transcript has been deleted since */
async function judgeTrial(
  { question, points, answer, recordingId }: TrialJob,
  { models, assessor }: TrialConsumerDeps,
  signal: AbortSignal,
): Promise<TrialVerdict | null> {
  const recording = recordingId ? await models.recordings.findById(recordingId).select('transcription').lean() : null;
  const transcript = answer ?? recording?.transcription.text;
  if (transcript === undefined) return null;
  return assessor.assess({
    question,
    transcript,
    words: recording?.transcription.words ?? [],
    expertAnswer: points.map(({ text }) => text).join(' '),
    points,
    signal,
    isLastAttempt: true,
  });
}
