import type { Logger } from '@interview-prep/kit/process/logger';
import { consumeJobs, type JobProducer } from '@interview-prep/kit/redis/job-queues';
import type { Outbox } from '@interview-prep/kit/redis/outbox';
import type { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import { announceScores } from './assignments/best-score.ts';
import type { StoredAssignment } from './assignments/model.ts';
import type { Deletions } from './deletions/deletion-log.ts';
import type { RecordingModels } from './models.ts';
import type { Recording } from './recordings/model.ts';
import { applySet } from './sets/apply-set.ts';
import { endShares } from './shares/links-after-reset.ts';
import { forgetUser } from './users/forget-user.ts';

export function consumeEvents(deps: {
  models: RecordingModels;
  outbox: Outbox<Recording>;
  deletions: Deletions;
  jobs: JobProducer;
  connection: Redis;
  prefix: string;
  log: Logger;
}): Worker {
  const { models, outbox, deletions, jobs, connection, prefix, log } = deps;
  return consumeJobs(
    'recording',
    {
      'set-changed': (set) => applySet(set, models),
      'group-changed': (group) => models.groups.apply(group),
      // Only deletions matter here: a session shows its user as they were when it began.
      'user-changed': async (user) => {
        await endShares(user, models);
        await forgetUser(user, models, deletions);
      },
      'announce-scores': async ({ assignmentId }) => {
        const assignment = await models.assignments.findById(assignmentId).lean<StoredAssignment>();
        if (assignment) await announceScores(assignment, { models, jobs });
      },
      republish: async ({ since }) => {
        const published = await outbox.publishAll(since === null ? null : new Date(since));
        log.info({ published, since }, 'published recordings again');
        if (since === null) await jobs.add('history', 'republished', { published });
      },
    },
    { connection, prefix, log, concurrency: 4 },
  );
}
