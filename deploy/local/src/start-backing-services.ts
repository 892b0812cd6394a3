import { type BackingOptions, type BackingSettings, planMongo, planRedis, planS3 } from './backing-services.ts';
import { findFreePorts } from './free-ports.ts';
import type { Supervisor } from './supervisor.ts';

const PLANS = { mongo: planMongo, redis: planRedis, s3: planS3 } as const;

/**
 * Finds MongoDB, Redis and S3, and starts those that no setting names.
 * @throws StartupError that says which is missing and how to get it, before anything starts
 */
export async function startBackingServices(
  supervisor: Supervisor,
  options: Omit<BackingOptions, 'ports'>,
): Promise<BackingSettings> {
  const [mongo, redis, s3] = (await findFreePorts(3)) as [number, number, number];
  const plans = await Promise.all(
    Object.values(PLANS).map((plan) => plan({ ...options, ports: { mongo, redis, s3 } })),
  );
  await Promise.all(
    plans.map(async (plan) => {
      if (plan.process) await supervisor.start('backing', plan.process);
    }),
  );
  return Object.assign({}, ...plans.map(({ settings }) => settings)) as BackingSettings;
}
