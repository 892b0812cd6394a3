import type { BackingOptions, BackingSettings } from './backing-plan.ts';
import { findFreePorts } from './free-ports.ts';
import { planMongo } from './plan-mongo.ts';
import { planRedis } from './plan-redis.ts';
import { planS3 } from './plan-s3.ts';
import type { Supervisor } from './supervisor.ts';

const PLANS = [planMongo, planRedis, planS3];

/**
 * Finds MongoDB, Redis and S3, and starts those that no setting names.
 * @throws StartupError that says which is missing and how to get it, before anything starts
 */
export async function startBackingServices(
  supervisor: Supervisor,
  options: Omit<BackingOptions, 'ports'>,
): Promise<BackingSettings> {
  const [mongo, redis, s3] = (await findFreePorts(3)) as [number, number, number];
  const plans = await Promise.all(PLANS.map((plan) => plan({ ...options, ports: { mongo, redis, s3 } })));
  await Promise.all(
    plans.map(async (plan) => {
      if (plan.process) await supervisor.start('backing', plan.process);
    }),
  );
  return Object.assign({}, ...plans.map(({ settings }) => settings)) as BackingSettings;
}
