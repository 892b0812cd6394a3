import type { JobPayload } from '@interview-prep/contracts/jobs';
import { consumeJobs } from '@interview-prep/kit/job-queues';
import { publishLiveStatus } from '@interview-prep/kit/live-status';
import type { Logger } from '@interview-prep/kit/logger';
import type { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { applyRecording } from './jobs/apply-recording.ts';
import { applyUser } from './jobs/apply-user.ts';
import type { HistoryModels } from './sessions/model.ts';

/** Takes the events that recording and auth tell; what has been applied is told to the open event streams. */
export function consumeEvents(deps: {
  models: HistoryModels;
  /** For the worker, which waits for Redis. */
  connection: Redis;
  /** For telling live status. */
  redis: Redis;
  prefix: string;
  log: Logger;
}): Worker {
  const publishLive = async ({ session, recording }: JobPayload<'history', 'recording-changed'>) => {
    await publishLiveStatus(deps.redis, deps.prefix, {
      userId: session.userId,
      sessionId: session.sessionId,
      recordingId: recording.recordingId,
      stage: recording.stage,
      status: recording.stageStatus,
    }).catch((error: unknown) => deps.log.warn({ err: error }, 'telling live status failed'));
  };
  return consumeJobs(
    'history',
    {
      'recording-changed': async (payload) => {
        if (await applyRecording(payload, deps.models)) await publishLive(payload);
      },
      'user-changed': (user) => applyUser(user, deps.models),
    },
    { connection: deps.connection, prefix: deps.prefix, log: deps.log, concurrency: 8 },
  );
}
