import { MediaError } from './media-error.ts';
import { CommandError, type CommandOptions, runCommand } from './run-command.ts';
import type { Container } from './sniff-media.ts';

/** ffmpeg's demuxer for each container. Naming it keeps a crafted file from being read as, say, a playlist of addresses. */
const demuxers: Record<Container, string> = { webm: 'matroska', mp4: 'mov', ogg: 'ogg', mp3: 'mp3', wav: 'wav' };

/**
 * The input part of an ffmpeg or ffprobe command line: local files only, whatever the file's content points to.
 * @param container null lets ffmpeg find out; only for files that the machine's own user named
 */
export const inputArguments = (path: string, container: Container | null): string[] => [
  '-protocol_whitelist',
  'file,pipe',
  ...(container ? ['-f', demuxers[container]] : []),
  '-i',
  // So that a path is never taken for an option or a protocol.
  `file:${path}`,
];

const missing: Record<string, string> = {
  ffmpeg: 'The program ffmpeg, which reads recordings, is not installed on the server.',
  ffprobe: 'The program ffprobe, which reads recordings, is not installed on the server.',
};

/** ffmpeg's status where it was told to end: SIGTERM, SIGINT or the limit of its computing time. */
const endedBySignal = 255;

/** Runs ffmpeg or ffprobe. Throws MediaError with a reason in words, or the signal's reason. */
export const runMediaCommand = async (
  command: 'ffmpeg' | 'ffprobe',
  args: readonly string[],
  options: CommandOptions,
): Promise<string> => {
  try {
    return await runCommand(command, args, options);
  } catch (cause) {
    if (!(cause instanceof CommandError)) throw cause;
    if (cause.kind === 'missing') throw new MediaError(missing[command]!, { permanent: false, cause });
    if (cause.kind === 'timeout')
      throw new MediaError('Reading the recording took too long.', { permanent: false, cause });
    if (/No space left on device|Cannot allocate memory/.test(cause.stderr))
      throw new MediaError('The server has no room left to process the recording.', { permanent: false, cause });
    if (/Unknown encoder/.test(cause.stderr))
      throw new MediaError('The program ffmpeg on the server lacks an encoder that is needed.', {
        ...{ permanent: false, cause },
      });
    if (cause.killedBy !== null || cause.status === endedBySignal)
      throw new MediaError('Reading the recording was interrupted.', { permanent: false, cause });
    throw new MediaError('The recording is damaged and cannot be read.', { permanent: true, cause });
  }
};
