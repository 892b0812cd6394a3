import type { JobProducer } from '@interview-prep/kit/job-queues';
import type { Logger } from '@interview-prep/kit/logger';
import { createOutbox, type Outbox } from '@interview-prep/kit/outbox';
import type { Redis } from 'ioredis';
import type { RecordingModels } from '../models.ts';
import { sessionSnapshot } from '../sessions/snapshot.ts';
import type { Recording } from './model.ts';
import { recordingSnapshot } from './snapshot.ts';

/**
 * Tells history of each change of a recording, together with its session's head.
 * @param options `sweeps`: whether this process also looks for changes that were left untold
 */
export function createRecordingOutbox(options: {
  models: RecordingModels;
  jobs: JobProducer;
  redis: Redis;
  prefix: string;
  log: Logger;
  sweeps: boolean;
}): Outbox<Recording> {
  const { models, jobs, redis, prefix, log } = options;
  return createOutbox<Recording>({
    name: 'recordings',
    model: models.recordings,
    async emit(recording) {
      const session = await models.sessions.findById(recording.session).orFail();
      await jobs.add('history', 'recording-changed', {
        session: sessionSnapshot(session),
        recording: recordingSnapshot(recording),
      });
    },
    ...{ redis, prefix, log },
    ...(options.sweeps ? {} : { sweepMs: null }),
  });
}
