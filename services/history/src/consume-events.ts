import type { JobPayload } from '@interview-prep/contracts/events/jobs';
import type { UserSnapshot } from '@interview-prep/contracts/events/snapshots';
import type { Logger } from '@interview-prep/kit/process/logger';
import { consumeJobs } from '@interview-prep/kit/redis/job-queues';
import { publishLiveStatus } from '@interview-prep/kit/redis/live-status';
import type { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { applyDeletion } from './projection/apply-deletion.ts';
import { applyRecording } from './projection/apply-recording.ts';
import type { HistoryModels } from './projection/model.ts';
import { finishRebuild } from './projection/rebuild.ts';

/**
 * Removes a deleted user's details from their sessions, which stay. Other changes to a user have no effect here: a session
 * shows its user as they were when it was taken.
 */
export async function applyUser(user: UserSnapshot, { sessions, totals }: HistoryModels): Promise<void> {
  if (user.deletedAt === null) return;
  await sessions.updateMany({ userId: user.userId }, { $set: { user: { email: null, role: null, lastLogin: null } } });
  await totals.updateMany({ userId: user.userId }, { $set: { email: null } });
}

/**
 * Applies the events of recording and auth to the projection. After each change of a recording, sends its status to the
 * event streams of recording's HTTP process, so that a browser that fetches the detail then sees the change.
 */
export function consumeEvents(deps: {
  models: HistoryModels;
  /** For the queue: a connection that waits for Redis. */
  connection: Redis;
  /** For the live status. */
  redis: Redis;
  prefix: string;
  log: Logger;
}): Worker {
  const { models, connection, redis, prefix, log } = deps;

  const sendLiveStatus = async ({ session, recording }: JobPayload<'history', 'recording-changed'>) => {
    const { userId, sessionId } = session;
    const { recordingId, stage, stageStatus: status } = recording;
    await publishLiveStatus(redis, prefix, { userId, sessionId, recordingId, stage, status }).catch((error: unknown) =>
      log.warn({ err: error }, 'sending a live status failed'),
    );
  };

  return consumeJobs(
    'history',
    {
      'recording-changed': async (event) => {
        if (await applyRecording(event, models)) await sendLiveStatus(event);
      },
      'user-changed': (user) => applyUser(user, models),
      'group-changed': (group) => models.groups.apply(group),
      deleted: (deletion) => applyDeletion(deletion, models),
      republished: (_event, context) => finishRebuild(context, models),
    },
    { connection, prefix, log, concurrency: 8 },
  );
}
