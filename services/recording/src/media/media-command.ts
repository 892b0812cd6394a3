import { unavailable } from '@interview-prep/kit/http/http-error';
import type { CommandLimits } from './command-limits.ts';
import { MediaError } from './media-error.ts';
import { largestAllocationBytes } from './media-limits.ts';
import { CommandError, type CommandOptions, runCommand } from './run-command.ts';
import type { Container } from './sniff-media.ts';

/**
 * ffmpeg's demuxer for each container: the name that selects it, and its name in the allow-list. Naming it keeps ffmpeg from
 * reading a crafted file as, say, a playlist of URLs; the allow-list also applies to nested files.
 */
const demuxers: Record<Container, { name: string; allowed: string; options: readonly string[] }> = {
  webm: { name: 'matroska', allowed: 'matroska,webm', options: [] },
  // ffmpeg would copy the index for each edit; the start of the sound is kept.
  mp4: {
    name: 'mov',
    allowed: 'mov,mp4,m4a,3gp,3g2,mj2',
    options: ['-advanced_editlist', '0', '-ignore_chapters', '1'],
  },
  ogg: { name: 'ogg', allowed: 'ogg', options: [] },
  mp3: { name: 'mp3', allowed: 'mp3', options: [] },
  wav: { name: 'wav', allowed: 'wav', options: [] },
};

/** The only decoders that ffmpeg may open: audio, as in the worker's image. Video is copied, never decoded. */
const soundDecoders = [
  ...['aac', 'ac3', 'alac', 'amrnb', 'amrwb', 'flac', 'mp3', 'mp3float', 'opus', 'libopus', 'vorbis'],
  ...['pcm_alaw', 'pcm_f32le', 'pcm_mulaw', 'pcm_s16le', 'pcm_s24le', 'pcm_s32le', 'pcm_u8'],
];

/** ffprobe fails if an installed decoder is not allowed. The worker's image has none of these. */
const pictureDecoders = ['vp8', 'vp9', 'h264', 'hevc', 'av1', 'libdav1d', 'libaom-av1', 'mjpeg', 'png'];

const decoders = {
  ffmpeg: soundDecoders.join(','),
  ffprobe: [...soundDecoders, ...pictureDecoders].join(','),
};

const fileProtocols = ['-protocol_whitelist', 'file,pipe'];

/**
 * The input arguments of ffmpeg or ffprobe. Only local files are read, no matter what the file refers to.
 * @param container null lets the program detect it; only for files that the operator named
 */
export function inputArguments(program: 'ffmpeg' | 'ffprobe', path: string, container: Container | null): string[] {
  // Keeps a path from being parsed as an option or a protocol.
  const input = ['-i', `file:${path}`];
  if (container === null) return [...fileProtocols, ...input];
  const { name, allowed, options } = demuxers[container];
  return [
    ...fileProtocols,
    ...['-format_whitelist', allowed, '-codec_whitelist', decoders[program]],
    ...['-max_alloc', String(largestAllocationBytes), '-threads', '1', '-f', name, ...options],
    ...input,
  ];
}

const missingProgram: Record<string, string> = {
  ffmpeg: 'ffmpeg, which processes recordings, is not installed on the server.',
  ffprobe: 'ffprobe, which processes recordings, is not installed on the server.',
};

/** ffmpeg's exit status after SIGTERM, SIGINT or SIGXCPU. */
const endedBySignal = 255;

const limitReasons = {
  time: 'Processing the recording took too much CPU time.',
  memory: 'Processing the recording took too much memory.',
  size: 'The recording decodes to far more data than a file of its size should.',
} as const;

function limitReached({ killedBy, stderr, elapsedMs }: CommandError, limits: CommandLimits | undefined) {
  if (!limits) return null;
  // The OOM killer sends SIGKILL too, but hardly at just that time. Two threads reach the limit in half the time.
  if (killedBy === 'SIGXCPU' || (killedBy === 'SIGKILL' && elapsedMs >= limits.cpuSeconds * 500)) return 'time';
  if (killedBy === 'SIGXFSZ' || /File too large/.test(stderr)) return 'size';
  // Some of ffmpeg's demuxers don't check for failed allocations.
  return killedBy === 'SIGSEGV' || killedBy === 'SIGABRT' || /Cannot allocate memory/.test(stderr) ? 'memory' : null;
}

/** ffmpeg 5 exits with 0 even if the disk was full and the end of its output could not be written. */
const unfinishedOutput = /Error (closing file|writing trailer)/;

const noRoom = 'The server is out of space to process the recording.';

/** Runs ffmpeg or ffprobe. @returns its stdout. @throws MediaError with a readable reason, HttpError 503 while the disk is full, or the signal's reason */
export async function runMediaCommand(
  command: 'ffmpeg' | 'ffprobe',
  args: readonly string[],
  options: CommandOptions,
): Promise<string> {
  try {
    return await runCommand(command, args, { ...options, failureWords: unfinishedOutput });
  } catch (cause) {
    if (!(cause instanceof CommandError)) throw cause;
    if (cause.kind === 'missing') throw new MediaError(missingProgram[command]!, { permanent: false, cause });
    if (cause.kind === 'timeout')
      throw new MediaError('Processing the recording took too long.', { permanent: false, cause });
    const limit = limitReached(cause, options.limits);
    if (limit) throw new MediaError(limitReasons[limit], { permanent: true, cause });
    if (/No space left on device|Disk quota exceeded/.test(cause.stderr)) throw unavailable(noRoom, cause, 'disk');
    if (/Cannot allocate memory/.test(cause.stderr)) throw new MediaError(noRoom, { permanent: false, cause });
    if (/not on whitelist|no decoder found|Decoder \(codec \w+\) not found/.test(cause.stderr))
      throw new MediaError('The recording is in a format that cannot be read.', { permanent: true, cause });
    if (/Unknown encoder/.test(cause.stderr))
      throw new MediaError('ffmpeg on the server lacks a required encoder.', { permanent: false, cause });
    if (unfinishedOutput.test(cause.stderr))
      throw new MediaError('The server could not write a file while processing the recording.', {
        permanent: false,
        cause,
      });
    if (cause.killedBy !== null || cause.status === endedBySignal)
      throw new MediaError('Processing the recording was interrupted.', { permanent: false, cause });
    throw new MediaError('The recording is damaged and cannot be read.', { permanent: true, cause });
  }
}
