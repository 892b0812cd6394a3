import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { rm } from 'node:fs/promises';
import { BadRequestError, UnprocessableEntityError } from 'openai';
import { inputArguments, runMediaCommand } from '../../media/media-command.ts';
import { compressLimits } from '../../media/media-limits.ts';
import { EngineError } from '../engine-error.ts';
import type { Transcriber } from '../transcriber.ts';
import { callServer, createClient, type OpenAiServer } from './openai-server.ts';
import { readWhisperResponse, WhisperResponse } from './whisper-response.ts';

/**
 * Compresses a WAV file to MP3 of 48 kbit/s for a speech server. All of them read MP3; whisper.cpp's reads Opus only with
 * ffmpeg. An hour of MP3 is 21.6 MB, of WAV 115 MB, and OpenAI takes 25 MB.
 * @throws MediaError, or the signal's reason
 */
async function compressSound(
  wavPath: string,
  mp3Path: string,
  options: { signal: AbortSignal; timeoutMs?: number },
): Promise<void> {
  const encode = ['-c:a', 'libmp3lame', '-b:a', '48k', '-f', 'mp3', `file:${mp3Path}`];
  await runMediaCommand(
    'ffmpeg',
    ['-nostdin', '-v', 'error', '-y', ...inputArguments('ffmpeg', wavPath, 'wav'), ...encode],
    {
      signal: options.signal,
      timeoutMs: options.timeoutMs ?? 10 * 60_000,
      limits: compressLimits,
    },
  );
}

const name = 'openai';
const who = 'The speech server';
/** Whisper reads no more than the last 224 tokens of a prompt. */
const promptMaxCharacters = 500;

/** As many terms as fit, the first ones first; '' for none. */
function promptOf(glossary: readonly string[]): string {
  let prompt = '';
  for (const term of glossary) {
    const longer = prompt === '' ? term : `${prompt}, ${term}`;
    if (longer.length > promptMaxCharacters) break;
    prompt = longer;
  }
  return prompt;
}

/** With word times; servers and models that cannot give them are asked again for the bare text. */
const formats = [
  { response_format: 'verbose_json', timestamp_granularities: ['word', 'segment'] },
  { response_format: 'json' },
] as const;

const isAboutFormat = (error: unknown): boolean =>
  (error instanceof BadRequestError || error instanceof UnprocessableEntityError) &&
  /response_format|verbose_json|timestamp/i.test(error.message);

/** Does something with a recording's sound as MP3, which is read from the disk as it is sent, and gone afterwards. */
async function withMp3<Result>(
  wavPath: string,
  signal: AbortSignal,
  act: (file: File) => Promise<Result>,
): Promise<Result> {
  // Another worker may have the same recording in hand.
  const mp3Path = `${wavPath}-${randomUUID()}.mp3`;
  try {
    await compressSound(wavPath, mp3Path, { signal });
    return await act(new File([await openAsBlob(mp3Path)], 'recording.mp3', { type: 'audio/mpeg' }));
  } finally {
    await rm(mp3Path, { force: true });
  }
}

/** Any server with OpenAI's POST /audio/transcriptions: OpenAI, whisper.cpp, LocalAI, vLLM, … */
export function createOpenAiTranscriber(server: OpenAiServer): Transcriber {
  const client = createClient(server);
  return {
    name,
    model: server.model,
    async transcribe({ wavPath, language, glossary, signal }) {
      const prompt = promptOf(glossary);
      const response = await withMp3(wavPath, signal, (file) =>
        callServer(who, server, signal, async (options) => {
          const body = {
            file,
            model: server.model,
            language,
            ...(prompt === '' ? {} : { prompt }),
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
        }),
      );
      const parsed = WhisperResponse.safeParse(response);
      if (!parsed.success)
        throw new EngineError(`${who} answered something that is not a transcript.`, {
          permanent: true,
          cause: parsed.error,
        });
      return { ...readWhisperResponse(parsed.data), language, engine: `${name} ${server.model}` };
    },
  };
}
