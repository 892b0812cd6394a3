import { DatabaseTooNew } from '@interview-prep/kit/mongo/migrations';
import { upsertById } from '@interview-prep/kit/mongo/mongo';
import type { Logger } from '@interview-prep/kit/process/logger';
import type { JobContext, JobProducer } from '@interview-prep/kit/redis/job-queues';
import { trusted } from 'mongoose';
import type { HistoryModels } from './model.ts';

/**
 * Increment this if the same events must produce different entries. History then rebuilds all entries, and shows the old
 * ones in the meantime.
 */
export const projectionVersion = 8;

const stateId = 'history';

/** Matches entries that an older projection wrote. */
export const outdated = { projectionVersion: trusted({ $not: { $gte: projectionVersion } }) };

/** How often the request for events is repeated until the projection is built, since Redis may lose it. */
const repeatMs = 60_000;

/**
 * Asks recording to republish everything if the projection is not built, or was built by an older version. Repeats the
 * request until it is built, and for ten more minutes, to replace entries written by an older history process still running.
 * @returns a function that stops asking
 * @throws DatabaseTooNew if a newer release has built the projection
 */
export async function startRebuild(
  { models, jobs, log }: { models: HistoryModels; jobs: JobProducer; log: Logger },
  { everyMs = repeatMs } = {},
): Promise<() => void> {
  const builtVersion = await readBuiltVersion(models);
  if (builtVersion > projectionVersion) {
    throw new DatabaseTooNew(
      `The history projection is at version ${builtVersion}, but this release knows versions up to ${projectionVersion}. Start the newer release again, or restore a backup from before the upgrade.`,
    );
  }
  if (builtVersion === projectionVersion) return () => {};

  log.info({ from: builtVersion, to: projectionVersion }, 'rebuilding the history projection');
  const startedAt = Date.now();
  const ask = (since: string | null) => jobs.add('recording', 'republish', { since });
  await ask(null);
  let looks = maxAttempts;
  const timer = setInterval(async () => {
    try {
      if ((await readBuiltVersion(models)) !== projectionVersion) return await ask(null);
      looks -= 1;
      if (looks === 0) clearInterval(timer);
      if (await models.recordings.exists(outdated)) await ask(new Date(startedAt - repeatMs).toISOString());
    } catch (error) {
      log.warn({ err: error }, 'could not request the history projection; it will be retried');
    }
  }, everyMs);
  return () => clearInterval(timer);
}

/** After this many attempts, about four minutes, an outdated entry's recording no longer exists. */
const maxAttempts = 10;

/**
 * Marks the projection as built, once recording has published everything and each event is applied.
 * @throws Error while entries are outdated, so that the queue retries
 */
export async function finishRebuild(
  { attempt, log }: Pick<JobContext, 'attempt' | 'log'>,
  models: HistoryModels,
): Promise<void> {
  const { recordings, sessions, projections } = models;
  const left = (await recordings.countDocuments(outdated)) + (await sessions.countDocuments(outdated));
  if (left > 0 && attempt < maxAttempts) throw new Error(`${left} entries are still to be rebuilt`);
  if (left > 0) log.error({ left }, 'entries without a recording stay as an older version wrote them');
  const $set = { version: projectionVersion };
  await upsertById(() => projections.updateOne({ _id: stateId }, { $set }, { upsert: true }));
  log.info({ version: projectionVersion }, 'the history projection is built');
}

async function readBuiltVersion({ projections }: HistoryModels): Promise<number> {
  return (await projections.findById(stateId).lean())?.version ?? 0;
}
