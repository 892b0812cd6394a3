import { parseSettings, settingsOf } from '@interview-prep/kit/process/config';

/** The catalog service's settings. */
export function readSettings(environment?: NodeJS.ProcessEnv) {
  return parseSettings(settingsOf('catalog'), environment);
}
