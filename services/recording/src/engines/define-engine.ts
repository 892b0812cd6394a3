import type { Settings, SettingsRule } from '@interview-prep/kit/process/config';
import type { Thresholds } from './thresholds.ts';

export const engineSettings = [
  'SPEECH_ENGINE',
  'SPEECH_MODEL',
  'SPEECH_LANGUAGE',
  'SPEECH_URL',
  'SPEECH_API_KEY',
  'ASSESS_ENGINE',
  'ASSESS_MODEL',
  'ASSESS_URL',
  'ASSESS_API_KEY',
  'ASSESS_PRICES',
] as const;

export type EngineSettings = Settings<(typeof engineSettings)[number]>;

/** What a worker gives its engines. */
export interface EngineCapacity {
  threads: number;
  /** For the built-in judge: thresholds fitted to reviewers' decisions; null if there are none. */
  readThresholds?: (() => Promise<Thresholds | null>) | undefined;
}

export interface Engine<Made> {
  /** The value of SPEECH_ENGINE or ASSESS_ENGINE that selects it. */
  name: string;
  /** Conditions between valid settings, checked if this engine is chosen. */
  rules?: readonly SettingsRule<EngineSettings>[];
  /** The start-up check: why this machine can't run the engine, in a sentence; null if it can. */
  findProblem?(settings: EngineSettings): Promise<string | null>;
  /** For an engine on a server. @throws UnusableSetting if the server refuses it, and retrying won't help */
  checkServer?(settings: EngineSettings): Promise<void>;
  /** May lazily import dependencies that only this engine needs. */
  create(settings: EngineSettings, capacity: EngineCapacity): Made | Promise<Made>;
}

/** The limit for one call to an engine's server. */
export const serverTimeoutMs = 10 * 60_000;
