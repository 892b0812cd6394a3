import { type SessionKind, SessionKind as SessionKinds } from '@interview-prep/contracts/recordings';
import type { Logger } from '@interview-prep/kit/logger';
import type { Outbox } from '@interview-prep/kit/outbox';
import { trusted } from 'mongoose';
import { z } from 'zod';
import type { RecordingModels } from '../models.ts';
import type { ObjectStore } from '../object-store.ts';
import type { Recording } from '../recordings/model.ts';
import { deleteMediaOf } from './delete-media.ts';
import type { Deletions } from './deletion-log.ts';

const days = z.coerce.number().int().min(0).max(36_500);

/**
 * `RETENTION_DAYS`: a session is deleted with all its answers this many days after it began; 0 keeps it. `RETENTION_MEDIA_DAYS`:
 * the media of an answer is deleted this many days after it was recorded, and its transcript and verdict stay. Each has a setting
 * for one kind of session. `RETENTION_DRY_RUN=true` only logs what would be deleted.
 */
export const retentionSettings = {
  RETENTION_DAYS: days.default(0),
  RETENTION_INTERVIEW_DAYS: days.optional(),
  RETENTION_PRACTICE_DAYS: days.optional(),
  RETENTION_MEDIA_DAYS: days.default(0),
  RETENTION_MEDIA_INTERVIEW_DAYS: days.optional(),
  RETENTION_MEDIA_PRACTICE_DAYS: days.optional(),
  RETENTION_DRY_RUN: z.stringbool().default(false),
};

type RetentionSettings = z.infer<z.ZodObject<typeof retentionSettings>>;

/** What retention works with. */
export interface RetentionDeps {
  models: RecordingModels;
  store: ObjectStore;
  deletions: Deletions;
  outbox: Outbox<Recording>;
  log: Logger;
}

/** What of one kind of session is too old: what began, or was recorded, before a time. */
interface Due {
  kind: SessionKind;
  days: number;
  before: Date;
  isDryRun: boolean;
}

const dayMs = 24 * 3600 * 1000;
const everyMs = 3600 * 1000;

/** Deletes the sessions and the media that are too old, or logs which they are. @returns how many sessions and recordings */
export async function applyRetention(deps: RetentionDeps, settings: RetentionSettings): Promise<number> {
  const { RETENTION_DAYS, RETENTION_MEDIA_DAYS, RETENTION_DRY_RUN: isDryRun } = settings;
  const sessionDays = {
    interview: settings.RETENTION_INTERVIEW_DAYS ?? RETENTION_DAYS,
    practice: settings.RETENTION_PRACTICE_DAYS ?? RETENTION_DAYS,
  };
  const mediaDays = {
    interview: settings.RETENTION_MEDIA_INTERVIEW_DAYS ?? RETENTION_MEDIA_DAYS,
    practice: settings.RETENTION_MEDIA_PRACTICE_DAYS ?? RETENTION_MEDIA_DAYS,
  };
  let found = 0;
  for (const [days, deleteOld, what] of [
    [sessionDays, deleteOldSessions, 'sessions'],
    [mediaDays, deleteOldMedia, 'media'],
  ] as const) {
    for (const kind of SessionKinds.options) {
      if (days[kind] === 0) continue;
      const due = { kind, days: days[kind], before: new Date(Date.now() - days[kind] * dayMs), isDryRun };
      const count = await deleteOld(due, deps);
      found += count;
      const message = isDryRun ? 'RETENTION_DRY_RUN: nothing was deleted' : 'deleted what was too old';
      if (count > 0 || isDryRun) deps.log.info({ what, count, kind, days: due.days, before: due.before }, message);
    }
  }
  return found;
}

async function deleteOldSessions(
  { kind, before, isDryRun }: Due,
  { models, deletions, log }: RetentionDeps,
): Promise<number> {
  let found = 0;
  const old = models.sessions
    .find({ kind, createdAt: trusted({ $lt: before }) }, 'sessionId createdAt')
    .sort({ createdAt: 1 });
  for await (const { sessionId, createdAt } of old.lean().cursor()) {
    found += 1;
    if (isDryRun) log.info({ sessionId, createdAt }, 'RETENTION_DRY_RUN: this session would be deleted');
    else await deletions.request({ kind: 'session', sessionId });
  }
  return found;
}

/** Media of an answer that is still being processed waits for its end. */
async function deleteOldMedia({ kind, days, before, isDryRun }: Due, deps: RetentionDeps): Promise<number> {
  const { models, log } = deps;
  let found = 0;
  const old = models.recordings
    .find({ 'mediaDeletion.at': null, kind, createdAt: trusted({ $lt: before }), awaiting: null })
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

/** Deletes what is too old now and every hour. @returns stops it */
export function startRetention(deps: RetentionDeps, settings: RetentionSettings): () => Promise<void> {
  let running: Promise<unknown> = Promise.resolve();
  const run = () => {
    running = running.then(() =>
      applyRetention(deps, settings).catch((error: unknown) =>
        deps.log.warn({ err: error }, 'deleting what is too old failed; it will be tried again'),
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
