import { randomUUID } from 'node:crypto';
import { openAsBlob } from 'node:fs';
import { rm } from 'node:fs/promises';
import type { Word } from '@interview-prep/contracts/recording/recordings';
import { BadRequestError, UnprocessableEntityError } from 'openai';
import { z } from 'zod';
import { inputArguments, runMediaCommand } from '../../media/media-command.ts';
import { compressLimits } from '../../media/media-limits.ts';
import { EngineError } from '../engine-error.ts';
import type { Transcriber } from '../transcriber.ts';
import { callServer, createClient, type OpenAiServer } from './openai-server.ts';

const TimedWord = z.object({
  word: z.string(),
  start: z.number(),
  end: z.number(),
  /** Not part of OpenAI's API; whisper.cpp and faster-whisper send it. */
  probability: z.number().nullish(),
});
type TimedWord = z.infer<typeof TimedWord>;

const Segment = z.object({
  text: z.string(),
  start: z.number(),
  end: z.number(),
  no_speech_prob: z.number().nullish(),
  avg_logprob: z.number().nullish(),
  words: z.array(TimedWord).nullish(),
});
type Segment = z.infer<typeof Segment>;

/** The response of transcription servers to `verbose_json` and `json`; everything but the text may be missing. Times in seconds. */
const WhisperResponse = z.object({
  text: z.string(),
  language: z.string().nullish(),
  words: z.array(TimedWord).nullish(),
  segments: z.array(Segment).nullish(),
});
type WhisperResponse = z.infer<typeof WhisperResponse>;

/** Whisper hallucinates text in silence. Its own decoder detects such segments by these thresholds. */
const noSpeechFrom = 0.6;
const unsureBelow = -1;
const isInvented = ({ no_speech_prob, avg_logprob }: Segment): boolean =>
  (no_speech_prob ?? 0) > noSpeechFrom && (avg_logprob ?? 0) < unsureBelow;

const toMs = (seconds: number): number => Math.max(0, Math.round(seconds * 1000));

const wordFrom = ({ word, start, end, probability }: TimedWord): Word => ({
  word: word.trim(),
  startMs: toMs(start),
  endMs: Math.max(toMs(start), toMs(end)),
  confidence: probability == null ? null : Math.min(1, Math.max(0, probability)),
});

/** Estimates word times from the words' lengths, for segments without word times. */
function shareOut({ text, start, end }: Segment): TimedWord[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const letters = words.reduce((sum, word) => sum + word.length, 0);
  let before = 0;
  return words.map((word) => {
    const from = start + ((end - start) * before) / letters;
    before += word.length;
    return { word, start: from, end: start + ((end - start) * before) / letters };
  });
}

/** The text and words of a server's response, without hallucinations in silence. No words if the response has no times. */
function readWhisperResponse(response: WhisperResponse): { text: string; words: Word[] } {
  const segments = response.segments ?? [];
  const invented = segments.filter(isInvented);
  const spoken = segments.filter((segment) => !isInvented(segment));
  const inInvented = ({ start, end }: TimedWord) =>
    invented.some((segment) => start >= segment.start && end <= segment.end);
  const timed = response.words?.length
    ? response.words.filter((word) => !inInvented(word))
    : spoken.flatMap((segment) => (segment.words?.length ? segment.words : shareOut(segment)));
  const text = invented.length > 0 ? spoken.map((segment) => segment.text.trim()).join(' ') : response.text;
  return { text: text.trim(), words: timed.map(wordFrom).filter(({ word }) => word !== '') };
}

/**
 * Compresses a WAV file to 48 kbit/s MP3 for a speech server. All of them accept MP3; whisper.cpp's accepts Opus only with
 * ffmpeg. An hour is 21.6 MB as MP3 and 115 MB as WAV, and OpenAI's limit is 25 MB.
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

/** Joins as many terms as fit, in order; '' for none. */
function promptOf(glossary: readonly string[]): string {
  let prompt = '';
  for (const term of glossary) {
    const longer = prompt === '' ? term : `${prompt}, ${term}`;
    if (longer.length > promptMaxCharacters) break;
    prompt = longer;
  }
  return prompt;
}

/** Tried in order: with word times, then plain text for servers and models without them. */
const formats = [
  { response_format: 'verbose_json', timestamp_granularities: ['word', 'segment'] },
  { response_format: 'json' },
] as const;

const isAboutFormat = (error: unknown): boolean =>
  (error instanceof BadRequestError || error instanceof UnprocessableEntityError) &&
  /response_format|verbose_json|timestamp/i.test(error.message);

/** Runs `act` with a temporary MP3 of a recording's sound, streamed from disk. */
async function withMp3<Result>(
  wavPath: string,
  signal: AbortSignal,
  act: (file: File) => Promise<Result>,
): Promise<Result> {
  // Another worker may be processing the same recording.
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
        throw new EngineError(`${who} did not return a transcript.`, {
          permanent: true,
          cause: parsed.error,
        });
      return { ...readWhisperResponse(parsed.data), language, engine: `${name} ${server.model}` };
    },
  };
}
