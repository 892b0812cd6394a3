import type { Settings } from '@interview-prep/kit/process/config';
import type { Logger } from '@interview-prep/kit/process/logger';
import { repeat } from '@interview-prep/kit/process/repeat';
import type { Outbox } from '@interview-prep/kit/redis/outbox';
import { trusted } from 'mongoose';
import type { RecordingModels } from '../models.ts';
import type { ObjectStore } from '../object-store/object-store.ts';
import type { Recording } from '../recordings/model.ts';
import { deleteMediaOf } from './delete-media.ts';
import type { Deletions } from './deletion-log.ts';

interface RetentionDeps {
  models: RecordingModels;
  store: ObjectStore;
  deletions: Deletions;
  outbox: Outbox<Recording>;
  log: Logger;
}

type RetentionSettings = Settings<'RETENTION_DAYS' | 'RETENTION_MEDIA_DAYS' | 'RETENTION_DRY_RUN'>;

/** The time before which sessions began, or media was recorded, that is to be deleted. */
interface Cutoff {
  days: number;
  before: Date;
  isDryRun: boolean;
}

const dayMs = 24 * 3600 * 1000;
const everyMs = 3600 * 1000;

/** Deletes expired sessions and media, or only logs them in a dry run. @returns the number of sessions and recordings */
export async function applyRetention(deps: RetentionDeps, settings: RetentionSettings): Promise<number> {
  const { RETENTION_DAYS, RETENTION_MEDIA_DAYS, RETENTION_DRY_RUN: isDryRun } = settings;
  let found = 0;
  for (const [days, deleteOld, what] of [
    [RETENTION_DAYS, deleteOldSessions, 'sessions'],
    [RETENTION_MEDIA_DAYS, deleteOldMedia, 'media'],
  ] as const) {
    if (days === 0) continue;
    const before = new Date(Date.now() - days * dayMs);
    const count = await deleteOld({ days, before, isDryRun }, deps);
    found += count;
    const message = isDryRun ? 'RETENTION_DRY_RUN: nothing was deleted' : 'deleted what was too old';
    if (count > 0 || isDryRun) deps.log.info({ what, count, days, before }, message);
  }
  return found;
}

async function deleteOldSessions(
  { before, isDryRun }: Cutoff,
  { models, deletions, log }: RetentionDeps,
): Promise<number> {
  let found = 0;
  const old = models.sessions
    .find({ createdAt: trusted({ $lt: before }) }, 'sessionId createdAt')
    .sort({ createdAt: 1 });
  for await (const { sessionId, createdAt } of old.lean().cursor()) {
    found += 1;
    if (isDryRun) log.info({ sessionId, createdAt }, 'RETENTION_DRY_RUN: this session would be deleted');
    else await deletions.request({ kind: 'session', sessionId });
  }
  return found;
}

/** Skips answers that are still being processed. */
async function deleteOldMedia({ days, before, isDryRun }: Cutoff, deps: RetentionDeps): Promise<number> {
  const { models, log } = deps;
  let found = 0;
  const old = models.recordings
    .find({ 'mediaDeletion.at': null, createdAt: trusted({ $lt: before }), awaiting: null })
    .sort({ createdAt: 1 });
  for await (const recording of old.cursor()) {
    const { _id, sessionId, createdAt } = recording;
    if (isDryRun) {
      const recordingId = _id.toHexString();
      log.info(
        { recordingId, sessionId, createdAt },
        'RETENTION_DRY_RUN: the media of this recording would be deleted',
      );
      found += 1;
    } else if (await deleteMediaOf(recording, days, deps)) found += 1;
  }
  return found;
}

/** Applies retention now and every hour. @returns a function that stops it */
export function startRetention(deps: RetentionDeps, settings: RetentionSettings): () => Promise<void> {
  return repeat(
    everyMs,
    () => applyRetention(deps, settings),
    (error) => deps.log.warn({ err: error }, 'the retention sweep failed; it will be retried'),
  );
}
