import { parseSettings, publicUrlSettings, serviceSettings, tokenSettings } from '@interview-prep/kit/config';
import { mediaTokenSettings } from '@interview-prep/kit/media-tokens';
import { z } from 'zod';

/** The history service's settings. `HISTORY_VISIBILITY=all` shows every signed-in user all sessions; `own`: an admin only. */
export function readSettings(environment?: NodeJS.ProcessEnv) {
  return parseSettings(
    {
      ...serviceSettings,
      ...tokenSettings,
      ...mediaTokenSettings,
      ...publicUrlSettings,
      HISTORY_VISIBILITY: z.enum(['own', 'all']).default('own'),
    },
    environment,
  );
}
