import { parseSettings, serviceSettings, tokenSettings } from '@interview-prep/kit/config';
import { z } from 'zod';

/** The catalog service's settings. `SEED=demo` loads the demonstration sets once; `none` starts empty. */
export function readSettings(environment?: NodeJS.ProcessEnv) {
  return parseSettings(
    { ...serviceSettings, ...tokenSettings, SEED: z.enum(['demo', 'none']).default('none') },
    environment,
  );
}
