import { parseSettings, settingsOf } from '@interview-prep/kit/config';

/** The catalog service's settings. */
export function readSettings(environment?: NodeJS.ProcessEnv) {
  return parseSettings(settingsOf('catalog'), environment);
}
