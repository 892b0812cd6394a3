import type { JobName, JobPayload, QueueName } from '@interview-prep/contracts/events/jobs';
import { buildIndexes } from '@interview-prep/kit/mongo/mongo';
import { createJobProducer } from '@interview-prep/kit/redis/job-queues';
import { createTestBacking, type TestBacking } from '@interview-prep/kit/testing/backing';
import { createTestIdentity } from '@interview-prep/kit/testing/identity';
import { createTokenDenylist } from '@interview-prep/kit/tokens/token-denylist';
import { expect, vi } from 'vitest';
import { createApp } from '../src/app.ts';
import { openCatalog } from '../src/catalog.ts';

/** The service with its own database and Redis prefix, and a user of each role. */
export async function startCatalog(shared?: TestBacking) {
  const backing = shared ?? (await createTestBacking('catalog'));
  const prefix = backing.settings.REDIS_PREFIX;
  const jobs = createJobProducer(backing.redis, prefix);
  const allJobs = createJobProducer(backing.redisAdministrator, prefix);
  const catalog = openCatalog({ ...backing, prefix, jobs, sweepMs: 100 });
  await buildIndexes(backing.mongo);
  // Until the first sweep of an empty Redis has finished, the outboxes publish new changes twice.
  await vi.waitFor(async () => {
    expect(await backing.redisAdministrator.keys(`${prefix}:published:*`)).toHaveLength(2);
  });
  const denylist = createTokenDenylist(backing.redisAdministrator, prefix);
  const identity = await createTestIdentity(denylist);
  const app = createApp({ catalog, verify: identity.verify, log: backing.log, checks: {} });
  const [admin, dev, others] = await Promise.all([
    identity.user('admin'),
    identity.user('dev'),
    identity.user('others'),
  ]);
  return {
    backing,
    prefix,
    jobs,
    /** Can read every queue. */
    allJobs,
    catalog,
    denylist,
    identity,
    app,
    admin,
    dev,
    others,
    /** The payloads of waiting jobs by queue and name, that is, what was published. */
    async published<Q extends QueueName, N extends JobName<Q>>(queue: Q, name: N): Promise<JobPayload<Q, N>[]> {
      const waiting = await allJobs.queue(queue).getJobs(['waiting'], 0, -1, true);
      return waiting.filter((job) => job.name === name).map((job) => job.data as JobPayload<Q, N>);
    },
    async stop() {
      await catalog.stop();
      await Promise.all([jobs.close(), allJobs.close()]);
      if (!shared) await backing.close();
    },
  };
}

export type StartedCatalog = Awaited<ReturnType<typeof startCatalog>>;
