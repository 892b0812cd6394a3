import { inputArguments, runMediaCommand } from './media-command.ts';

/**
 * Writes a WAV file again as MP3 of 48 kbit/s, to be sent to a speech server: MP3 is what all of them read (whisper.cpp's
 * no Opus unless it has ffmpeg at hand), and an hour of it is 21.6 MB where WAV is 115 and OpenAI takes 25. Throws
 * MediaError, or the signal's reason.
 */
export const compressSound = async (
  wavPath: string,
  mp3Path: string,
  options: { signal: AbortSignal; timeoutMs?: number },
): Promise<void> => {
  const encode = ['-c:a', 'libmp3lame', '-b:a', '48k', '-f', 'mp3', `file:${mp3Path}`];
  await runMediaCommand('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...inputArguments(wavPath, 'wav'), ...encode], {
    signal: options.signal,
    timeoutMs: options.timeoutMs ?? 10 * 60_000,
  });
};
