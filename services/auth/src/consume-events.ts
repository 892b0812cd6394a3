import type { Logger } from '@interview-prep/kit/process/logger';
import { consumeJobs } from '@interview-prep/kit/redis/job-queues';
import type { Worker } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Auth } from './auth.ts';

export function consumeEvents(
  {
    technologies,
    auditLog,
    mails,
    webhooks,
    lti,
    groupOutbox,
  }: Pick<Auth, 'technologies' | 'auditLog' | 'mails' | 'webhooks' | 'lti' | 'groupOutbox'>,
  options: { connection: Redis; prefix: string; log: Logger },
): Worker {
  return consumeJobs(
    'auth',
    {
      'assignment-score': (score) => lti.applyScore(score),
      'webhook-event': (event) => webhooks.announce(event),
      'technologies-changed': (snapshot) => technologies.apply(snapshot),
      'audit-event': (event) => auditLog.append(event),
      republish: async ({ since }) => {
        await groupOutbox.publishAll(since === null ? null : new Date(since));
      },
      'answer-reviewed': (event) => mails.announceReview(event),
      'answer-appealed': ({ groupId }) => mails.announceAppeal(groupId),
      'assignment-mail': (mail) => mails.announceAssignment(mail),
    },
    options,
  );
}
