import { tmpdir } from 'node:os';
import { serviceSettings } from '@interview-prep/kit/config';
import { z } from 'zod';
import { objectStoreSettings } from './object-store-settings.ts';

/**
 * Settings of both processes. `SPOOL_DIR` is for temporary files: uploads on their way in, media being processed. `SPOOL_MB`
 * limits two kinds of them, each: uploads, and sound that awaits its transcription.
 */
export const sharedSettings = {
  ...serviceSettings,
  ...objectStoreSettings,
  SPOOL_DIR: z.string().default(tmpdir()),
  SPOOL_MB: z.coerce.number().int().min(100).default(1000),
};
