import { type Engine, type EngineSettings, serverTimeoutMs } from '../define-engine.ts';
import type { Transcriber } from '../transcriber.ts';
import type { OpenAiServer } from './openai-server.ts';

function serverOf({ SPEECH_URL, SPEECH_API_KEY, SPEECH_MODEL }: EngineSettings): OpenAiServer {
  if (SPEECH_URL === undefined) throw new Error('SPEECH_URL is not set');
  return { url: SPEECH_URL, apiKey: SPEECH_API_KEY, model: SPEECH_MODEL ?? 'whisper-1', timeoutMs: serverTimeoutMs };
}

/** Transcribes with any OpenAI-compatible server. */
export const openAiSpeechEngine: Engine<Transcriber> = {
  name: 'openai',
  rules: [
    {
      path: 'SPEECH_URL',
      message: 'is required where SPEECH_ENGINE is openai',
      holds: ({ SPEECH_URL }) => SPEECH_URL !== undefined,
    },
  ],
  checkServer: async (given) => (await import('./openai-server.ts')).checkOpenAiServer('SPEECH', serverOf(given)),
  // Loaded lazily: the client takes 5 MB of the worker's memory.
  create: async (given) => (await import('./openai-transcriber.ts')).createOpenAiTranscriber(serverOf(given)),
};
