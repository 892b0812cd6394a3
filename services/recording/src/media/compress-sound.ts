import { inputArguments, runMediaCommand } from './media-command.ts';
import { compressLimits } from './media-limits.ts';

/**
 * Compresses a WAV file to MP3 of 48 kbit/s for a speech server. All of them read MP3; whisper.cpp's reads Opus only with
 * ffmpeg. An hour of MP3 is 21.6 MB, of WAV 115 MB, and OpenAI takes 25 MB.
 * @throws MediaError, or the signal's reason
 */
export async function compressSound(
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
