import { openAsBlob } from 'node:fs';
import { BadRequestError, UnprocessableEntityError } from 'openai';
import { EngineError } from './engine-error.ts';
import { callServer, createClient, type OpenAiServer } from './openai-server.ts';
import type { Transcriber } from './transcriber.ts';
import { readWhisperResponse, WhisperResponse } from './whisper-response.ts';

const name = 'openai';
const who = 'The speech server';
/** Whisper reads no more than the last 224 tokens of a prompt. */
const promptMaxCharacters = 800;

/** With word times; servers and models that cannot give them are asked again for the bare text. */
const formats = [
  { response_format: 'verbose_json', timestamp_granularities: ['word', 'segment'] },
  { response_format: 'json' },
] as const;

const isAboutFormat = (error: unknown): boolean =>
  (error instanceof BadRequestError || error instanceof UnprocessableEntityError) &&
  /response_format|verbose_json|timestamp/i.test(error.message);

/** Any server with OpenAI's POST /audio/transcriptions: OpenAI, whisper.cpp, LocalAI, vLLM, … */
export const createOpenAiTranscriber = (server: OpenAiServer): Transcriber => {
  const client = createClient(server);
  return {
    name,
    model: server.model,
    async transcribe({ wavPath, language, prompt, signal }) {
      const file = new File([await openAsBlob(wavPath)], 'recording.wav', { type: 'audio/wav' });
      const response = await callServer(who, server, signal, async (options) => {
        const body = {
          file,
          model: server.model,
          language,
          ...(prompt ? { prompt: prompt.slice(0, promptMaxCharacters) } : {}),
        };
        try {
          return await client.audio.transcriptions.create(
            { ...body, ...formats[0], timestamp_granularities: [...formats[0].timestamp_granularities] },
            options,
          );
        } catch (error) {
          if (!isAboutFormat(error)) throw error;
          return await client.audio.transcriptions.create({ ...body, ...formats[1] }, options);
        }
      });
      const parsed = WhisperResponse.safeParse(response);
      if (!parsed.success)
        throw new EngineError(`${who} answered something that is not a transcript.`, {
          permanent: true,
          cause: parsed.error,
        });
      return { ...readWhisperResponse(parsed.data), language, engine: `${name} ${server.model}` };
    },
  };
};
