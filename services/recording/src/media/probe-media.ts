import { z } from 'zod';
import { inputArguments, runMediaCommand } from './media-command.ts';
import { MediaError } from './media-error.ts';
import type { Container } from './sniff-media.ts';

/** The format and the streams of a media file. */
export interface MediaFacts {
  /** ffmpeg's names of the format, e.g. 'matroska,webm'. */
  container: string;
  audioCodec: string | null;
  videoCodec: string | null;
  hasAudio: boolean;
  hasVideo: boolean;
  /** null where the file does not state it, as files of MediaRecorder. */
  durationMs: number | null;
}

const ProbeOutput = z.object({
  format: z.object({ format_name: z.string(), duration: z.string().optional() }),
  streams: z
    .array(
      z.object({
        codec_type: z.string().optional(),
        codec_name: z.string().optional(),
        disposition: z.object({ attached_pic: z.number() }).optional(),
      }),
    )
    .default([]),
});

const entries = 'format=format_name,duration:stream=codec_type,codec_name:stream_disposition=attached_pic';

/**
 * Reads the format and the streams of a media file. A cover picture does not count as video.
 * @throws MediaError, permanent where the file can't be read, or holds neither sound nor picture
 */
export async function probeMedia(
  path: string,
  container: Container | null,
  options: { signal: AbortSignal; timeoutMs?: number },
): Promise<MediaFacts> {
  const output = await runMediaCommand(
    'ffprobe',
    ['-v', 'error', '-of', 'json', '-show_entries', entries, ...inputArguments(path, container)],
    { signal: options.signal, timeoutMs: options.timeoutMs ?? 30_000, stdoutMaxBytes: 1024 * 1024 },
  );
  const probed = ProbeOutput.safeParse(JSON.parse(output));
  if (!probed.success)
    throw new MediaError('The recording is damaged and cannot be read.', { permanent: true, cause: probed.error });
  const { format, streams } = probed.data;
  const audio = streams.find((stream) => stream.codec_type === 'audio' && stream.codec_name !== undefined);
  const video = streams.find((stream) => stream.codec_type === 'video' && stream.disposition?.attached_pic !== 1);
  if (!audio && !video) throw new MediaError('The recording holds neither sound nor picture.', { permanent: true });
  const seconds = Number(format.duration);
  return {
    container: format.format_name,
    audioCodec: audio?.codec_name ?? null,
    videoCodec: video?.codec_name ?? null,
    hasAudio: audio !== undefined,
    hasVideo: video !== undefined,
    durationMs: Number.isFinite(seconds) && seconds > 0 ? Math.round(seconds * 1000) : null,
  };
}
