import { consumeJobs } from '@interview-prep/kit/job-queues';
import type { Logger } from '@interview-prep/kit/logger';
import type { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { KnownTechnologies } from './users/known-technologies.ts';

/** Consumes the queue `auth`, in which catalog publishes its technologies. */
export function consumeTechnologies(
  technologies: KnownTechnologies,
  options: { connection: Redis; prefix: string; log: Logger },
): Worker {
  return consumeJobs('auth', { 'technologies-changed': (snapshot) => technologies.apply(snapshot) }, options);
}
