import { consumeJobs } from '@interview-prep/kit/job-queues';
import type { Logger } from '@interview-prep/kit/logger';
import type { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Auth } from './auth.ts';

/** Consumes the queue `auth`: catalog's technologies, and the audit events of every service. */
export function consumeEvents(
  { technologies, auditLog }: Pick<Auth, 'technologies' | 'auditLog'>,
  options: { connection: Redis; prefix: string; log: Logger },
): Worker {
  return consumeJobs(
    'auth',
    {
      'technologies-changed': (snapshot) => technologies.apply(snapshot),
      'audit-event': (event) => auditLog.append(event),
    },
    options,
  );
}
