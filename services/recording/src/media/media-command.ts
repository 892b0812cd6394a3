import { MediaError } from './media-error.ts';
import { CommandError, type CommandOptions, runCommand } from './run-command.ts';
import type { Container } from './sniff-media.ts';

/** ffmpeg's demuxer for each container. Naming it keeps ffmpeg from reading a crafted file as, say, a playlist of URLs. */
const demuxers: Record<Container, string> = { webm: 'matroska', mp4: 'mov', ogg: 'ogg', mp3: 'mp3', wav: 'wav' };

/**
 * The input arguments of ffmpeg and ffprobe. They read local files only, whatever the file's content refers to.
 * @param container null lets ffmpeg find out; only for files that the operator named
 */
export function inputArguments(path: string, container: Container | null): string[] {
  return [
    '-protocol_whitelist',
    'file,pipe',
    ...(container ? ['-f', demuxers[container]] : []),
    '-i',
    // Keeps a path from being read as an option or a protocol.
    `file:${path}`,
  ];
}

const missingProgram: Record<string, string> = {
  ffmpeg: 'The program ffmpeg, which reads recordings, is not installed on the server.',
  ffprobe: 'The program ffprobe, which reads recordings, is not installed on the server.',
};

/** ffmpeg's exit status after SIGTERM, SIGINT or its CPU time limit. */
const endedBySignal = 255;

/** Runs ffmpeg or ffprobe. @returns what it wrote to stdout. @throws MediaError with a readable reason, or the signal's reason */
export async function runMediaCommand(
  command: 'ffmpeg' | 'ffprobe',
  args: readonly string[],
  options: CommandOptions,
): Promise<string> {
  try {
    return await runCommand(command, args, options);
  } catch (cause) {
    if (!(cause instanceof CommandError)) throw cause;
    if (cause.kind === 'missing') throw new MediaError(missingProgram[command]!, { permanent: false, cause });
    if (cause.kind === 'timeout')
      throw new MediaError('Reading the recording took too long.', { permanent: false, cause });
    if (/No space left on device|Cannot allocate memory/.test(cause.stderr))
      throw new MediaError('The server has no room left to process the recording.', { permanent: false, cause });
    if (/Unknown encoder/.test(cause.stderr))
      throw new MediaError('The program ffmpeg on the server lacks a needed encoder.', { permanent: false, cause });
    if (cause.killedBy !== null || cause.status === endedBySignal)
      throw new MediaError('Reading the recording was interrupted.', { permanent: false, cause });
    throw new MediaError('The recording is damaged and cannot be read.', { permanent: true, cause });
  }
}
