import { tmpdir } from 'node:os';
import { parseSettings, serviceSettings, tokenSettings } from '@interview-prep/kit/config';
import { mediaTokenSettings } from '@interview-prep/kit/media-tokens';
import { z } from 'zod';
import { objectStoreSettings } from './object-store.ts';

/** Files in the making: uploads being received, media being worked on. */
const spoolSettings = { SPOOL_DIR: z.string().default(tmpdir()) };

/** Settings of the HTTP process. */
export const readApiSettings = (environment?: NodeJS.ProcessEnv) =>
  parseSettings(
    { ...serviceSettings, ...tokenSettings, ...mediaTokenSettings, ...objectStoreSettings, ...spoolSettings },
    environment,
  );
