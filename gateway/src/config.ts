import { parseSettings, settingsOf } from '@interview-prep/kit/process/config';

export function readSettings(environment?: NodeJS.ProcessEnv) {
  return parseSettings(settingsOf('gateway'), environment);
}
export type Settings = ReturnType<typeof readSettings>;
