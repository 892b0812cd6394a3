import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openTranscriber, parseEngineSettings } from './engines/registry.ts';
import { measureSound } from './media/measure-sound.ts';
import { MediaError } from './media/media-error.ts';
import { extractSound } from './media/prepare-media.ts';
import { probeMedia } from './media/probe-media.ts';
import { sniffFile } from './media/sniff-media.ts';
import { createSpeechDetector } from './speech-detector/speech-detector.ts';
import { silenceCheck } from './stages/transcribe-stage.ts';

/** The values of `--glossary` and `--language`. */
interface Options {
  glossary: string[];
  language: string | undefined;
}

/** Log to stderr why a better engine isn't used, to keep it out of the transcript. */
const log = {
  info: () => undefined,
  warn: (facts: { reason?: string }, message: string) =>
    void process.stderr.write(`${message}${facts.reason ? `: ${facts.reason}` : ''}\n`),
};

async function transcribeFile(path: string, folder: string, options: Options) {
  const settings = parseEngineSettings(process.env);
  const { signal } = new AbortController();
  // Any format that ffmpeg reads will do here, unlike for uploads.
  const container = (await sniffFile(path))?.container ?? null;
  const facts = await probeMedia(path, container, { signal });
  if (!facts.hasAudio) throw new MediaError('The file has no audio track.', { permanent: true });
  const wavPath = join(folder, 'sound.wav');
  await extractSound(path, container, wavPath, { signal });
  const { durationMs, hasSpeech } = await measureSound(wavPath, signal);
  const detector = createSpeechDetector(1);
  const speech = hasSpeech ? await detector.findSpeech(wavPath, signal).finally(() => detector.close()) : [];
  const language = options.language ?? settings.SPEECH_LANGUAGE;
  if (speech.length === 0)
    return { file: path, durationMs, hasSpeech: false, text: '', words: [], language, engine: silenceCheck };
  const transcriber = await openTranscriber(settings, log);
  const { glossary } = options;
  const transcript = await transcriber
    .transcribe({ wavPath, speech, language, glossary, signal })
    .finally(() => transcriber.close());
  return { file: path, durationMs, hasSpeech: true, ...transcript };
}

const usage = `Usage: npm run transcribe -- FILE [--glossary "React, PostgreSQL"] [--language de]
Prints the transcript of an audio or video file as JSON.
`;

function readArguments(): Options & { path: string } {
  try {
    const { values, positionals } = parseArgs({
      options: { glossary: { type: 'string' }, language: { type: 'string' } },
      allowPositionals: true,
    });
    const [path, ...others] = positionals;
    if (path && others.length === 0) {
      const terms = (values.glossary ?? '').split(',').map((term) => term.trim());
      return { path, glossary: terms.filter((term) => term !== ''), language: values.language };
    }
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  }
  process.stderr.write(usage);
  process.exit(2);
}

const { path, ...options } = readArguments();
const folder = await mkdtemp(join(tmpdir(), 'transcribe-'));
try {
  process.stdout.write(`${JSON.stringify(await transcribeFile(path, folder, options), null, 2)}\n`);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
