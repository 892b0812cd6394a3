import type { SessionKind } from '@interview-prep/contracts/recordings';
import type { Logger } from '@interview-prep/kit/logger';
import { trusted } from 'mongoose';
import { z } from 'zod';
import type { RecordingModels } from '../models.ts';
import type { Deletions } from './deletion-log.ts';

const days = z.coerce.number().int().min(0).max(36_500);

/**
 * `RETENTION_DAYS`: a session is deleted with all its answers so many days after it began; 0 keeps it.
 * `RETENTION_INTERVIEW_DAYS` and `RETENTION_PRACTICE_DAYS` say so for one kind. `RETENTION_DRY_RUN=true` only logs what would be
 * deleted.
 */
export const retentionSettings = {
  RETENTION_DAYS: days.default(0),
  RETENTION_INTERVIEW_DAYS: days.optional(),
  RETENTION_PRACTICE_DAYS: days.optional(),
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
export async function deleteOldSessions(deps: RetentionDeps, settings: RetentionSettings): Promise<number> {
  const { RETENTION_DAYS, RETENTION_INTERVIEW_DAYS, RETENTION_PRACTICE_DAYS, RETENTION_DRY_RUN } = settings;
  const interviews = RETENTION_INTERVIEW_DAYS ?? RETENTION_DAYS;
  const practice = RETENTION_PRACTICE_DAYS ?? RETENTION_DAYS;
  const found = await deleteOldOf('interview', interviews, RETENTION_DRY_RUN, deps);
  return found + (await deleteOldOf('practice', practice, RETENTION_DRY_RUN, deps));
}

async function deleteOldOf(
  kind: SessionKind,
  days: number,
  isDryRun: boolean,
  { models, deletions, log }: RetentionDeps,
): Promise<number> {
  if (days === 0) return 0;
  const before = new Date(Date.now() - days * dayMs);
  let found = 0;
  const old = models.sessions
    .find({ kind, createdAt: trusted({ $lt: before }) }, 'sessionId createdAt')
    .sort({ createdAt: 1 });
  for await (const { sessionId, createdAt } of old.lean().cursor()) {
    found += 1;
    if (isDryRun) log.info({ sessionId, createdAt }, 'RETENTION_DRY_RUN: this session would be deleted');
    else await deletions.request({ kind: 'session', sessionId });
  }
  const message = isDryRun ? 'RETENTION_DRY_RUN: nothing was deleted' : 'deleted sessions that were too old';
  if (found > 0 || isDryRun) log.info({ sessions: found, kind, days, before }, message);
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
