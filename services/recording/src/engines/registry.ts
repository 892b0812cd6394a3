import { availableParallelism } from 'node:os';
import { parseSettings, type SettingsRule, UnusableSetting } from '@interview-prep/kit/process/config';
import type { Assessor } from './assessor.ts';
import builtIn from './built-in-engines.json' with { type: 'json' };
import { type Engine, type EngineCapacity, type EngineSettings, engineSettings } from './define-engine.ts';
import { openAiAssessEngine } from './openai/openai-assess-engine.ts';
import { openAiSpeechEngine } from './openai/openai-speech-engine.ts';
import { pocketsphinxEngine } from './pocketsphinx/pocketsphinx-engine.ts';
import { referenceEngine } from './reference/reference-assessor.ts';
import { type EngineLog, openSpeechEngineChain, type SpeechEngineChain } from './speech-engine-chain.ts';
import type { Transcriber } from './transcriber.ts';
import { whisperEngine } from './whisper/whisper-engine.ts';
import { whisperCliEngine } from './whisper-cli/whisper-cli-engine.ts';

/** All speech engines. Add new ones here, and to built-in-engines.json, best first, if they need no server. */
export const speechEngines: readonly Engine<Transcriber>[] = [
  whisperEngine,
  whisperCliEngine,
  pocketsphinxEngine,
  openAiSpeechEngine,
];
export const assessEngines: readonly Engine<Assessor>[] = [referenceEngine, openAiAssessEngine];

const rulesOf = (setting: 'SPEECH_ENGINE' | 'ASSESS_ENGINE', engines: readonly Engine<unknown>[]) =>
  engines.flatMap(({ name, rules = [] }) =>
    rules.map((rule) => ({
      ...rule,
      holds: (settings: EngineSettings) => settings[setting] !== name || rule.holds(settings),
    })),
  );

/** Conditions between settings that are each valid by themselves. */
export const engineRules: readonly SettingsRule<EngineSettings>[] = [
  ...rulesOf('SPEECH_ENGINE', speechEngines),
  ...rulesOf('ASSESS_ENGINE', assessEngines),
];

/** Parses only the engines' settings. Exits if they are invalid, as `parseSettings` does. */
export function parseEngineSettings(environment: NodeJS.ProcessEnv): EngineSettings {
  return parseSettings(engineSettings, environment, engineRules);
}

function engineNamed<Made>(engines: readonly Engine<Made>[], name: string): Engine<Made> {
  const engine = engines.find((each) => each.name === name);
  if (!engine) throw new Error(`Unknown engine ${name}`);
  return engine;
}

/** The chosen speech engine, followed by its built-in fallbacks, best first. */
export function speechFallbackChain({ SPEECH_ENGINE }: EngineSettings): Engine<Transcriber>[] {
  const rank = builtIn.SPEECH_ENGINE.indexOf(SPEECH_ENGINE);
  const names = rank < 0 ? [SPEECH_ENGINE] : builtIn.SPEECH_ENGINE.slice(rank);
  return names.map((name) => engineNamed(speechEngines, name));
}

/** Opens the transcriber that the settings choose, with its fallbacks. `onFallback`: see `openSpeechEngineChain`. */
export function openTranscriber(
  settings: EngineSettings,
  log: EngineLog,
  threads = availableParallelism(),
  onFallback?: (engine: string) => void,
): Promise<SpeechEngineChain> {
  return openSpeechEngineChain(speechFallbackChain(settings), settings, { threads }, log, onFallback);
}

/** The assessor that the settings choose. @throws UnusableSetting if this machine can't run it */
export async function createAssessor(
  settings: EngineSettings,
  readThresholds?: EngineCapacity['readThresholds'],
): Promise<Assessor> {
  const engine = engineNamed(assessEngines, settings.ASSESS_ENGINE);
  const problem = (await engine.findProblem?.(settings)) ?? null;
  if (problem !== null) throw new UnusableSetting('ASSESS_ENGINE', problem);
  return engine.create(settings, { threads: 1, readThresholds });
}

/**
 * Checks at startup whether the servers of the chosen engines accept their settings. A server that is down passes.
 * @throws UnusableSetting if waiting won't help
 */
export async function checkEngineServers(settings: EngineSettings): Promise<void> {
  await engineNamed(speechEngines, settings.SPEECH_ENGINE).checkServer?.(settings);
  await engineNamed(assessEngines, settings.ASSESS_ENGINE).checkServer?.(settings);
}
