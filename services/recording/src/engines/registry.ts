import { parseSettings, type SettingsRule } from '@interview-prep/kit/config';
import { z } from 'zod';
import type { Assessor } from './assessor.ts';
import builtIn from './built-in-engines.json' with { type: 'json' };
import { type Engine, type EngineSettings, speechSettings } from './define-engine.ts';
import { openAiAssessEngine } from './openai/openai-assess-engine.ts';
import { openAiSpeechEngine } from './openai/openai-speech-engine.ts';
import { pocketsphinxEngine } from './pocketsphinx/pocketsphinx-engine.ts';
import { referenceEngine } from './reference/reference-engine.ts';
import type { Transcriber } from './transcriber.ts';

/** Every engine there is. A new one is added here; built-in-engines.json lists those that need no server, best first. */
export const speechEngines: readonly Engine<Transcriber>[] = [pocketsphinxEngine, openAiSpeechEngine];
export const assessEngines: readonly Engine<Assessor>[] = [referenceEngine, openAiAssessEngine];

const namesOf = (engines: readonly Engine<unknown>[]) => engines.map(({ name }) => name);

// Each engine knows the types of its own settings; nobody else reads them.
const ownSettings: Record<never, z.ZodType> = Object.assign(
  {},
  ...[...speechEngines, ...assessEngines].map(({ settings }) => settings),
);

/** The settings of all engines, by name. `engineRules` are to be checked as well. */
export const engineSettings = {
  ...ownSettings,
  SPEECH_ENGINE: z.enum(namesOf(speechEngines)).default(builtIn.SPEECH_ENGINE[0]!),
  ...speechSettings,
  ASSESS_ENGINE: z.enum(namesOf(assessEngines)).default(builtIn.ASSESS_ENGINE[0]!),
} satisfies z.ZodRawShape;

const rulesOf = (setting: 'SPEECH_ENGINE' | 'ASSESS_ENGINE', engines: readonly Engine<unknown>[]) =>
  engines.flatMap(({ name, rules }) =>
    rules.map((rule) => ({
      ...rule,
      holds: (settings: EngineSettings) => settings[setting] !== name || rule.holds(settings),
    })),
  );

/** What must hold between settings that are each valid alone. */
export const engineRules: readonly SettingsRule<EngineSettings>[] = [
  ...rulesOf('SPEECH_ENGINE', speechEngines),
  ...rulesOf('ASSESS_ENGINE', assessEngines),
];

/** Parses the engines' settings alone. Ends the process where they are invalid, as `parseSettings` does. */
export function parseEngineSettings(environment: NodeJS.ProcessEnv): EngineSettings {
  return parseSettings(engineSettings, environment, engineRules);
}

function chosen<Made>(engines: readonly Engine<Made>[], name: string): Engine<Made> {
  const engine = engines.find((each) => each.name === name);
  if (!engine) throw new Error(`There is no engine ${name}`);
  return engine;
}

/** The transcriber that the settings choose. */
export function createTranscriber(settings: EngineSettings): Transcriber {
  return chosen(speechEngines, settings.SPEECH_ENGINE).create(settings);
}

/** The assessor that the settings choose. */
export function createAssessor(settings: EngineSettings): Assessor {
  return chosen(assessEngines, settings.ASSESS_ENGINE).create(settings);
}
