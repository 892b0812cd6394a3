import { z } from 'zod';
import { defineEngine, serverUrlSetting, timeoutSetting } from '../define-engine.ts';
import type { Transcriber } from '../transcriber.ts';
import type { OpenAiServer } from './openai-server.ts';

const settings = {
  /** Base URL of an OpenAI-compatible server, e.g. http://whisper:8080/v1. */
  SPEECH_URL: serverUrlSetting.optional(),
  SPEECH_API_KEY: z.string().optional(),
  SPEECH_TIMEOUT_MS: timeoutSetting(600_000),
};

type Given = z.infer<z.ZodObject<typeof settings>> & { SPEECH_MODEL?: string | undefined };

function serverOf({ SPEECH_URL, SPEECH_API_KEY, SPEECH_MODEL, SPEECH_TIMEOUT_MS }: Given): OpenAiServer {
  if (SPEECH_URL === undefined) throw new Error('SPEECH_URL is not set');
  return { url: SPEECH_URL, apiKey: SPEECH_API_KEY, model: SPEECH_MODEL ?? 'whisper-1', timeoutMs: SPEECH_TIMEOUT_MS };
}

/** Speech by any OpenAI-compatible server. */
export const openAiSpeechEngine = defineEngine<typeof settings, Transcriber>({
  name: 'openai',
  settings,
  rules: [
    {
      path: 'SPEECH_URL',
      message: 'is required where SPEECH_ENGINE is openai',
      holds: ({ SPEECH_URL }) => SPEECH_URL !== undefined,
    },
  ],
  checkServer: async (given) => (await import('./openai-server.ts')).checkOpenAiServer('SPEECH', serverOf(given)),
  // Only where it is chosen: the client takes 5 MB of the worker's memory.
  create: async (given) => (await import('./openai-transcriber.ts')).createOpenAiTranscriber(serverOf(given)),
});
