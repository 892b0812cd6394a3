import type { Logger } from '@interview-prep/kit/process/logger';
import { consumeJobs } from '@interview-prep/kit/redis/job-queues';
import type { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Auth } from './auth.ts';

/** Consumes the queue `auth`: catalog's technologies, the audit events of every service, appeals and reviews, and requests for the groups. */
export function consumeEvents(
  { technologies, auditLog, mails, groupOutbox }: Pick<Auth, 'technologies' | 'auditLog' | 'mails' | 'groupOutbox'>,
  options: { connection: Redis; prefix: string; log: Logger },
): Worker {
  return consumeJobs(
    'auth',
    {
      'technologies-changed': (snapshot) => technologies.apply(snapshot),
      'audit-event': (event) => auditLog.append(event),
      republish: async ({ since }) => {
        await groupOutbox.publishAll(since === null ? null : new Date(since));
      },
      'answer-reviewed': (event) => mails.announceReview(event),
      'answer-appealed': () => mails.announceAppeal(),
    },
    options,
  );
}
