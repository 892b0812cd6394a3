import { parseSettings, settingsOf } from '@interview-prep/kit/process/config';

/** The history service's settings. */
export function readSettings(environment?: NodeJS.ProcessEnv) {
  return parseSettings(settingsOf('history'), environment);
}
