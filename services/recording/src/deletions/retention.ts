import type { Logger } from '@interview-prep/kit/logger';
import { trusted } from 'mongoose';
import { z } from 'zod';
import type { RecordingModels } from '../models.ts';
import type { Deletions } from './deletion-log.ts';

/**
 * `RETENTION_DAYS`: a session is deleted with all its answers so many days after it began; 0 keeps it. `RETENTION_DRY_RUN=true`
 * only logs what would be deleted.
 */
export const retentionSettings = {
  RETENTION_DAYS: z.coerce.number().int().min(0).max(36_500).default(0),
  RETENTION_DRY_RUN: z.stringbool().default(false),
};

type RetentionSettings = z.infer<z.ZodObject<typeof retentionSettings>>;

/** What retention works with. */
export interface RetentionDeps {
  models: RecordingModels;
  deletions: Deletions;
  log: Logger;
}

const dayMs = 24 * 3600 * 1000;
const everyMs = 3600 * 1000;

/** Deletes the sessions that are too old, or says which they are. @returns how many */
export async function deleteOldSessions(
  { models, deletions, log }: RetentionDeps,
  { RETENTION_DAYS: days, RETENTION_DRY_RUN: isDryRun }: RetentionSettings,
): Promise<number> {
  if (days === 0) return 0;
  const before = new Date(Date.now() - days * dayMs);
  let found = 0;
  const old = models.sessions
    .find({ createdAt: trusted({ $lt: before }) }, 'sessionId createdAt')
    .sort({ createdAt: 1 });
  for await (const { sessionId, createdAt } of old.lean().cursor()) {
    found += 1;
    if (isDryRun) log.info({ sessionId, createdAt }, 'RETENTION_DRY_RUN: this session would be deleted');
    else await deletions.request({ kind: 'session', sessionId });
  }
  const message = isDryRun ? 'RETENTION_DRY_RUN: nothing was deleted' : 'deleted sessions that were too old';
  if (found > 0 || isDryRun) log.info({ sessions: found, days, before }, message);
  return found;
}

/** Deletes what is too old now and every hour. @returns stops it */
export function startRetention(deps: RetentionDeps, settings: RetentionSettings): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  const run = () => {
    running = running.then(() =>
      deleteOldSessions(deps, settings).catch((error: unknown) =>
        deps.log.warn({ err: error }, 'deleting old sessions failed; it will be tried again'),
      ),
    );
  };
  run();
  const timer = setInterval(run, everyMs);
  return async () => {
    clearInterval(timer);
    await running;
  };
}
