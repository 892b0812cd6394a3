import { parseSettings, settingsOf } from '@interview-prep/kit/process/config';
import { engineRules } from './engines/registry.ts';

/** Settings of the worker process. */
export function readWorkerSettings(environment?: NodeJS.ProcessEnv) {
  return parseSettings(settingsOf('worker'), environment, engineRules);
}
