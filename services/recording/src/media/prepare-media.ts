import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { inputArguments, runMediaCommand } from './media-command.ts';
import { MediaError } from './media-error.ts';
import type { MediaFacts } from './probe-media.ts';
import type { Container } from './sniff-media.ts';

/** What the later stages and the player need of a recording. */
export interface PreparedMedia {
  /** The same sound and picture in a file that can be sought and knows its duration. */
  playable: { path: string; mediaType: string; extension: string };
  /** 16 kHz mono 16-bit WAV of at most the first hour; null where there is no sound track. */
  wavPath: string | null;
  /** How long it plays; null where that cannot be told. */
  durationMs: number | null;
}

/** How each kind of file is written again without encoding anything anew. */
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

/** Players know these even where the container they came in does not (Chromium writes H.264 into WebM). */
const fallback: Container = 'mp4';
const soundMaxSeconds = 60 * 60;
const minuteMs = 60_000;

/** The time that ffmpeg's progress report ends at: the longer of sound and picture. */
const playedMs = (progress: string): number | null => {
  const [, microseconds] = [...progress.matchAll(/^out_time_us=(\d+)$/gm)].at(-1) ?? [];
  return Number(microseconds) > 0 ? Math.round(Number(microseconds) / 1000) : null;
};

const targetFor = (container: Container, facts: MediaFacts): Container | null => {
  const codecs = [facts.audioCodec, facts.videoCodec].filter((codec) => codec !== null);
  const fits = (target: Container) =>
    codecs.every((codec) => (targets[target].codecs as readonly string[]).includes(codec));
  return [container, fallback].find(fits) ?? null;
};

/**
 * Makes a recording seekable and takes its sound out, in one pass of ffmpeg, into `folder`. A file whose codecs no
 * target takes is played as it came. Throws MediaError: permanent where the file is damaged.
 */
export const prepareMedia = async (
  path: string,
  container: Container,
  facts: MediaFacts,
  folder: string,
  options: { signal: AbortSignal; timeoutMs?: number },
): Promise<PreparedMedia> => {
  const target = targetFor(container, facts);
  const shape = targets[target ?? container];
  const type = facts.hasVideo ? 'video' : 'audio';
  const playablePath = target ? join(folder, `playable.${shape.extension}`) : path;
  const wavPath = facts.hasAudio ? join(folder, 'sound.wav') : null;
  const copy = target
    ? [
        ...(facts.hasVideo ? ['-map', '0:V:0'] : []),
        ...(facts.hasAudio ? ['-map', '0:a:0'] : []),
        '-c',
        'copy',
        ...shape.format,
        `file:${playablePath}`,
      ]
    : [];
  const outputs = [...copy, ...(wavPath ? wavArguments(wavPath) : [])];
  const progress =
    outputs.length > 0
      ? await runMediaCommand(
          'ffmpeg',
          ['-nostdin', '-v', 'error', '-y', '-progress', 'pipe:1', ...inputArguments(path, container), ...outputs],
          { signal: options.signal, timeoutMs: options.timeoutMs ?? 10 * minuteMs },
        )
      : '';
  if (target && (await stat(playablePath)).size === 0)
    throw new MediaError('The recording is damaged and cannot be read.', { permanent: true });
  return {
    playable: { path: playablePath, mediaType: `${type}/${shape.mediaType}`, extension: shape.extension },
    wavPath,
    durationMs: playedMs(progress) ?? facts.durationMs,
  };
};

const wavArguments = (wavPath: string): string[] => [
  '-map',
  '0:a:0',
  '-ac',
  '1',
  '-ar',
  '16000',
  '-c:a',
  'pcm_s16le',
  '-t',
  String(soundMaxSeconds),
  '-f',
  'wav',
  `file:${wavPath}`,
];

/** Writes a file's sound alone as 16 kHz mono 16-bit WAV. `container` null: see inputArguments. Throws MediaError. */
export const extractSound = async (
  path: string,
  container: Container | null,
  wavPath: string,
  options: { signal: AbortSignal; timeoutMs?: number },
): Promise<void> => {
  await runMediaCommand(
    'ffmpeg',
    ['-nostdin', '-v', 'error', '-y', ...inputArguments(path, container), ...wavArguments(wavPath)],
    {
      signal: options.signal,
      timeoutMs: options.timeoutMs ?? 10 * minuteMs,
    },
  );
};
