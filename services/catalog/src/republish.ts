import type { Logger } from '@interview-prep/kit/process/logger';
import { consumeJobs } from '@interview-prep/kit/redis/job-queues';
import type { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Catalog } from './catalog.ts';

/** Consumes the queue `catalog`: republishes everything, or what changed since a time, on another service's request. */
export function consumeRepublish(
  catalog: Catalog,
  options: { connection: Redis; prefix: string; log: Logger },
): Worker {
  return consumeJobs(
    'catalog',
    {
      republish: async ({ since }, { log }) => {
        const from = since === null ? null : new Date(since);
        const technologies = await catalog.technologyOutbox.publishAll(from);
        const sets = await catalog.setOutbox.publishAll(from);
        log.info({ since, technologies, sets }, 'published technologies and sets again');
      },
    },
    options,
  );
}
