import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EngineError } from './engines/engine-error.ts';
import { createTranscriber, parseEngineSettings } from './engines/registry.ts';
import { measureSound } from './media/measure-sound.ts';
import { MediaError } from './media/media-error.ts';
import { extractSound } from './media/prepare-media.ts';
import { probeMedia } from './media/probe-media.ts';
import { sniffMedia } from './media/sniff-media.ts';

const headBytes = 4096;

const readHead = async (path: string): Promise<Uint8Array> => {
  await using file = await open(path, 'r');
  const { buffer, bytesRead } = await file.read(Buffer.alloc(headBytes), 0, headBytes, 0);
  return buffer.subarray(0, bytesRead);
};

const transcribeFile = async (path: string, folder: string) => {
  const settings = parseEngineSettings(process.env);
  const { signal } = new AbortController();
  // Any format that ffmpeg reads will do here; uploads are limited to the formats that are sniffed.
  const container = sniffMedia(await readHead(path))?.container ?? null;
  const facts = await probeMedia(path, container, { signal });
  if (!facts.hasAudio) throw new MediaError('The file has no sound track.', { permanent: true });
  const wavPath = join(folder, 'sound.wav');
  await extractSound(path, container, wavPath, { signal });
  const { durationMs, hasSpeech } = await measureSound(wavPath, signal);
  const transcriber = createTranscriber(settings);
  const engine = transcriber.model ? `${transcriber.name} ${transcriber.model}` : transcriber.name;
  const language = settings.SPEECH_LANGUAGE;
  const transcript = hasSpeech
    ? await transcriber.transcribe({ wavPath, language, prompt: '', signal })
    : { text: '', words: [], language, engine };
  return { file: path, durationMs, hasSpeech, ...transcript };
};

const [path, ...others] = process.argv.slice(2);
if (!path || others.length > 0) {
  process.stderr.write('Usage: npm run transcribe -- FILE\nPrints the transcript of an audio or video file as JSON.\n');
  process.exit(2);
}
const folder = await mkdtemp(join(tmpdir(), 'transcribe-'));
try {
  process.stdout.write(`${JSON.stringify(await transcribeFile(path, folder), null, 2)}\n`);
} catch (error) {
  const known = error instanceof EngineError || error instanceof MediaError || error instanceof Error;
  process.stderr.write(`${known ? error.message : String(error)}\n`);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}
