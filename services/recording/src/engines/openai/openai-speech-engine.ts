import { z } from 'zod';
import { defineEngine, serverUrlSetting, timeoutSetting } from '../define-engine.ts';
import type { Transcriber } from '../transcriber.ts';
import { createOpenAiTranscriber } from './openai-transcriber.ts';

const settings = {
  /** Base URL of an OpenAI-compatible server, e.g. http://whisper:8080/v1. */
  SPEECH_URL: serverUrlSetting.optional(),
  SPEECH_API_KEY: z.string().optional(),
  SPEECH_TIMEOUT_MS: timeoutSetting(600_000),
};

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
  create: ({ SPEECH_URL, SPEECH_API_KEY, SPEECH_MODEL, SPEECH_TIMEOUT_MS }) => {
    if (SPEECH_URL === undefined) throw new Error('SPEECH_URL is not set');
    const model = SPEECH_MODEL ?? 'whisper-1';
    return createOpenAiTranscriber({ url: SPEECH_URL, apiKey: SPEECH_API_KEY, model, timeoutMs: SPEECH_TIMEOUT_MS });
  },
});
