import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { CommandLimits } from './command-limits.ts';
import { inputArguments, runMediaCommand } from './media-command.ts';
import { MediaError } from './media-error.ts';
import { copyLimits, extractLimits, longestSeconds, mostSeconds } from './media-limits.ts';
import type { MediaFacts } from './probe-media.ts';
import type { Container } from './sniff-media.ts';

const maxStreams = 8;
const maxChannels = 8;
const sampleRates = { min: 8000, max: 192_000 };

/** Containers round durations, and a browser stops a recorder late. */
const spareSeconds = 5;

/** Rates in headers are averages, and headers have a size too. */
const declaredBytesFactor = 2;
const spareBytes = 64 * 1024;

const hertz = (rate: number) => (rate < 1000 ? `${rate} Hz` : `${rate / 1000} kHz`);

/** Why a file is implausible, in words; null if it is plausible. */
const checks: readonly ((declared: MediaFacts['declared'], sizeBytes: number) => string | null)[] = [
  ({ streams }) =>
    streams > maxStreams ? `The recording has ${streams} tracks; at most ${maxStreams} can be read.` : null,
  ({ channels }) =>
    channels > maxChannels ? `The recording has ${channels} sound channels; at most ${maxChannels} can be read.` : null,
  ({ sampleRate }) =>
    sampleRate !== null && (sampleRate < sampleRates.min || sampleRate > sampleRates.max)
      ? `The recording has a sample rate of ${hertz(sampleRate)}; 8 to 192 kHz can be read.`
      : null,
  ({ seconds }) => (seconds > longestSeconds + spareSeconds ? 'The recording is longer than one hour.' : null),
  ({ seconds }, sizeBytes) =>
    seconds > mostSeconds(sizeBytes) + spareSeconds
      ? 'The recording declares a longer time than a file of its size can hold.'
      : null,
  ({ samples, bytes }, sizeBytes) =>
    samples > sizeBytes || bytes > sizeBytes * declaredBytesFactor + spareBytes
      ? 'The recording declares more sound or picture than a file of its size can hold.'
      : null,
];

/**
 * Rejects a file whose headers are implausible for an answer, before anything is decoded.
 * @throws MediaError (permanent) with the first reason
 */
function checkMediaFacts({ declared }: MediaFacts, sizeBytes: number): void {
  for (const check of checks) {
    const reason = check(declared, sizeBytes);
    if (reason !== null) throw new MediaError(reason, { permanent: true });
  }
}

/** The files that the media stage makes from an upload. */
export interface PreparedMedia {
  /** The same media in a seekable file that states its duration. */
  playable: { path: string; mediaType: string; extension: string };
  /** 16 kHz mono 16-bit WAV of at most the first hour; null without an audio track. */
  wavPath: string | null;
  /** The duration; null if unknown. */
  durationMs: number | null;
}

/** For each container: the codecs that it can hold, and how ffmpeg remuxes it without reencoding. */
const targets = {
  webm: {
    codecs: ['opus', 'vorbis', 'vp8', 'vp9', 'av1'],
    format: ['-f', 'webm', '-cues_to_front', '1'],
    mediaType: 'webm',
    extension: 'webm',
  },
  mp4: {
    codecs: ['aac', 'mp3', 'opus', 'h264', 'hevc', 'av1', 'vp9'],
    format: ['-f', 'mp4', '-movflags', '+faststart'],
    mediaType: 'mp4',
    extension: 'mp4',
  },
  ogg: { codecs: ['opus', 'vorbis', 'flac'], format: ['-f', 'ogg'], mediaType: 'ogg', extension: 'ogg' },
  mp3: { codecs: ['mp3'], format: ['-f', 'mp3'], mediaType: 'mpeg', extension: 'mp3' },
  wav: {
    codecs: ['pcm_s16le', 'pcm_u8', 'pcm_s24le', 'pcm_f32le'],
    format: ['-f', 'wav'],
    mediaType: 'wav',
    extension: 'wav',
  },
} as const satisfies Record<
  Container,
  { codecs: readonly string[]; format: readonly string[]; mediaType: string; extension: string }
>;

/** For codecs that don't belong in their container: Chromium writes H.264 into WebM. */
const fallback: Container = 'mp4';

/**
 * Options of each output: deterministic, and without the upload's metadata, which may name a place or a
 * person. A metadata chunk in a WAV file would also be sound to programs that skip a header of fixed length.
 */
const reproducible = ['-map_metadata', '-1', '-map_chapters', '-1', '-fflags', '+bitexact', '-flags', '+bitexact'];
const minuteMs = 60_000;

/** The last time in ffmpeg's progress report: the duration of the sound or the picture, whichever is longer. */
function playedMs(progress: string): number | null {
  const [, microseconds] = [...progress.matchAll(/^out_time_us=(\d+)$/gm)].at(-1) ?? [];
  return Number(microseconds) > 0 ? Math.round(Number(microseconds) / 1000) : null;
}

function targetFor(container: Container, facts: MediaFacts): Container | null {
  const codecs = [facts.audioCodec, facts.videoCodec].filter((codec) => codec !== null);
  const fits = (target: Container) =>
    codecs.every((codec) => (targets[target].codecs as readonly string[]).includes(codec));
  return [container, fallback].find(fits) ?? null;
}

interface Options {
  signal: AbortSignal;
  timeoutMs?: number;
}

/**
 * Makes a recording seekable and extracts its sound, into `folder`. A file whose codecs fit no container is played as
 * uploaded.
 * @throws MediaError, permanent if the file is damaged, has implausible headers, or reaches a limit
 */
export async function prepareMedia(
  path: string,
  container: Container,
  facts: MediaFacts,
  folder: string,
  options: Options,
): Promise<PreparedMedia> {
  const { size } = await stat(path);
  checkMediaFacts(facts, size);
  const target = targetFor(container, facts);
  const shape = targets[target ?? container];
  const type = facts.hasVideo ? 'video' : 'audio';
  const playablePath = target ? join(folder, `playable.${shape.extension}`) : path;
  const wavPath = facts.hasAudio ? join(folder, 'sound.wav') : null;
  // In parallel, since a candidate is waiting; both end before the folder is removed.
  const [copying, extracting] = await Promise.allSettled([
    target ? copyMedia(path, container, facts, target, playablePath, options) : null,
    wavPath ? extractSound(path, container, wavPath, options) : null,
  ]);
  if (copying.status === 'rejected') throw copying.reason;
  if (extracting.status === 'rejected') throw extracting.reason;
  return {
    playable: { path: playablePath, mediaType: `${type}/${shape.mediaType}`, extension: shape.extension },
    wavPath,
    durationMs: copying.value ?? extracting.value ?? facts.durationMs,
  };
}

/** @returns the duration of the copy, in ms; null if unknown */
async function copyMedia(
  path: string,
  container: Container,
  { hasVideo, hasAudio }: MediaFacts,
  target: Container,
  copyPath: string,
  options: Options,
): Promise<number | null> {
  const streams = [...(hasVideo ? ['-map', '0:V:0'] : []), ...(hasAudio ? ['-map', '0:a:0'] : [])];
  const output = [...streams, '-c', 'copy', ...reproducible, ...targets[target].format, `file:${copyPath}`];
  const limits = copyLimits((await stat(path)).size);
  const durationMs = await runFfmpeg([...inputArguments('ffmpeg', path, container), ...output], limits, options);
  if ((await stat(copyPath)).size === 0)
    throw new MediaError('The recording is damaged and cannot be read.', { permanent: true });
  return durationMs;
}

/**
 * Extracts the sound of a file as 16 kHz mono 16-bit WAV.
 * @param container null as in `inputArguments`
 * @returns the duration, in ms; null if unknown
 * @throws MediaError
 */
export async function extractSound(
  path: string,
  container: Container | null,
  wavPath: string,
  options: Options,
): Promise<number | null> {
  const sound = ['-map', '0:a:0', '-ac', '1', '-ar', '16000', '-c:a', 'pcm_s16le', '-t', String(longestSeconds)];
  const output = [...sound, ...reproducible, '-f', 'wav', `file:${wavPath}`];
  // Files that the operator named have no size limit.
  const size = container === null ? Number.POSITIVE_INFINITY : (await stat(path)).size;
  return runFfmpeg([...inputArguments('ffmpeg', path, container), ...output], extractLimits(size), options);
}

/** @returns the duration of the output, in ms; null if unknown */
async function runFfmpeg(args: string[], limits: CommandLimits, options: Options): Promise<number | null> {
  const { signal, timeoutMs = 2 * minuteMs } = options;
  const always = ['-nostdin', '-v', 'error', '-y', '-progress', 'pipe:1'];
  return playedMs(await runMediaCommand('ffmpeg', [...always, ...args], { signal, timeoutMs, limits }));
}
