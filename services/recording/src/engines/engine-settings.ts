import { z } from 'zod';
import type { Assessor } from './assessor.ts';
import { createOpenAiAssessor } from './openai-assessor.ts';
import { createOpenAiTranscriber } from './openai-transcriber.ts';
import { createPocketsphinxTranscriber } from './pocketsphinx-transcriber.ts';
import { createReferenceAssessor } from './reference/reference-assessor.ts';
import type { Transcriber } from './transcriber.ts';

const serverUrl = z.url({ protocol: /^https?$/, error: 'must be an address that begins with http:// or https://' });
const timeoutMs = (byDefault: number) => z.coerce.number().int().min(1000).max(3_600_000).default(byDefault);

/** The settings that choose and reach the engines. To be checked with `checkEngineSettings` as well. */
export const engineSettings = {
  SPEECH_ENGINE: z.enum(['pocketsphinx', 'openai']).default('pocketsphinx'),
  /** Base URL of an OpenAI-compatible server, e.g. http://whisper:8080/v1. */
  SPEECH_URL: serverUrl.optional(),
  SPEECH_API_KEY: z.string().optional(),
  SPEECH_MODEL: z.string().default('whisper-1'),
  SPEECH_TIMEOUT_MS: timeoutMs(600_000),
  /** ISO 639-1: what the candidates speak. */
  SPEECH_LANGUAGE: z
    .string()
    .regex(/^[a-z]{2}$/, 'must be a language code of two letters, e.g. en')
    .default('en'),
  /** Where pocketsphinx's en-us model lies. */
  POCKETSPHINX_MODEL_DIR: z.string().default('/usr/share/pocketsphinx/model/en-us'),
  ASSESS_ENGINE: z.enum(['reference', 'openai']).default('reference'),
  /** Base URL of an OpenAI-compatible server, e.g. https://api.openai.com/v1. */
  ASSESS_URL: serverUrl.optional(),
  ASSESS_API_KEY: z.string().optional(),
  ASSESS_MODEL: z.string().optional(),
  ASSESS_TIMEOUT_MS: timeoutMs(120_000),
};
const EngineSettings = z.object(engineSettings);
export type EngineSettings = z.infer<typeof EngineSettings>;

/** What each engine cannot do without. */
const required = [
  { engine: 'SPEECH_ENGINE', chosen: 'openai', needs: 'SPEECH_URL' },
  { engine: 'ASSESS_ENGINE', chosen: 'openai', needs: 'ASSESS_URL' },
  { engine: 'ASSESS_ENGINE', chosen: 'openai', needs: 'ASSESS_MODEL' },
] as const;

/** The faults between settings that are each valid alone, e.g. 'SPEECH_URL: is required where SPEECH_ENGINE is openai'. */
export const engineFaults = (settings: EngineSettings): string[] => {
  const faults: string[] = required
    .filter(({ engine, chosen, needs }) => settings[engine] === chosen && !settings[needs])
    .map(({ engine, chosen, needs }) => `${needs}: is required where ${engine} is ${chosen}`);
  if (settings.SPEECH_ENGINE === 'pocketsphinx' && settings.SPEECH_LANGUAGE !== 'en')
    faults.push('SPEECH_LANGUAGE: pocketsphinx understands en only');
  return faults;
};

/** Parses the engines' settings alone. Throws an Error whose message lists every fault, a line each. */
export const parseEngineSettings = (environment: NodeJS.ProcessEnv): EngineSettings => {
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''));
  const parsed = EngineSettings.safeParse(given);
  const faults = parsed.success
    ? engineFaults(parsed.data)
    : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  if (!parsed.success || faults.length > 0)
    throw new Error(`Invalid settings:\n${faults.map((fault) => `  ${fault}`).join('\n')}`);
  return parsed.data;
};

const neededValue = (settings: EngineSettings, key: 'SPEECH_URL' | 'ASSESS_URL' | 'ASSESS_MODEL'): string => {
  const value = settings[key];
  if (!value) throw new Error(`${key} is not set`);
  return value;
};

/** The transcriber that the settings choose. */
export const createTranscriber = (settings: EngineSettings): Transcriber => {
  if (settings.SPEECH_ENGINE === 'pocketsphinx') return createPocketsphinxTranscriber(settings.POCKETSPHINX_MODEL_DIR);
  return createOpenAiTranscriber({
    url: neededValue(settings, 'SPEECH_URL'),
    apiKey: settings.SPEECH_API_KEY,
    model: settings.SPEECH_MODEL,
    timeoutMs: settings.SPEECH_TIMEOUT_MS,
  });
};

/** The assessor that the settings choose. */
export const createAssessor = (settings: EngineSettings): Assessor => {
  if (settings.ASSESS_ENGINE === 'reference') return createReferenceAssessor();
  return createOpenAiAssessor({
    url: neededValue(settings, 'ASSESS_URL'),
    apiKey: settings.ASSESS_API_KEY,
    model: neededValue(settings, 'ASSESS_MODEL'),
    timeoutMs: settings.ASSESS_TIMEOUT_MS,
  });
};
