import { parseSettings } from '@interview-prep/kit/config';
import { z } from 'zod';
import { engineRules, engineSettings } from './engines/registry.ts';
import { sharedSettings } from './shared-settings.ts';

/**
 * Settings of the worker process. `WORKER_CONCURRENCY`: jobs of each stage at once; `JOB_LOCK_MS`: how long after the
 * last sign of life of a killed worker another one takes its job.
 */
export function readWorkerSettings(environment?: NodeJS.ProcessEnv) {
  const shape = {
    ...engineSettings,
    ...sharedSettings,
    WORKER_CONCURRENCY: z.coerce.number().int().min(1).max(64).default(2),
    JOB_LOCK_MS: z.coerce.number().int().min(1000).max(600_000).default(15_000),
  };
  return parseSettings(shape, environment, engineRules);
}
