import { tmpdir } from 'node:os';
import { parseSettings, publicUrlSettings, serviceSettings, tokenSettings } from '@interview-prep/kit/config';
import { mediaTokenSettings } from '@interview-prep/kit/media-tokens';
import { z } from 'zod';
import { retentionSettings } from './deletions/retention.ts';
import { engineRules, engineSettings } from './engines/registry.ts';
import { exportLimitSettings } from './export/routes.ts';
import { streamLimitSettings } from './live/streams.ts';
import { objectStoreSettings } from './object-store-settings.ts';
import { uploadLimitSettings } from './uploads/upload-limits.ts';
import { virusScanSettings } from './uploads/virus-scan.ts';

/**
 * Settings of both processes. `SPOOL_DIR` is for temporary files: uploads on their way in, media being processed. `SPOOL_MB`
 * limits two kinds of them, each: uploads, and sound that awaits its transcription.
 */
const sharedSettings = {
  ...serviceSettings,
  ...objectStoreSettings,
  SPOOL_DIR: z.string().default(tmpdir()),
  SPOOL_MB: z.coerce.number().int().min(100).default(1000),
};

/** Settings of the HTTP process. */
export function readApiSettings(environment?: NodeJS.ProcessEnv) {
  return parseSettings(
    {
      ...sharedSettings,
      ...tokenSettings,
      ...mediaTokenSettings,
      ...publicUrlSettings,
      ...uploadLimitSettings,
      ...streamLimitSettings,
      ...retentionSettings,
      ...exportLimitSettings,
      ...virusScanSettings,
    },
    environment,
  );
}

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
