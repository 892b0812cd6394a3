import { z } from 'zod';
import { inputArguments, runMediaCommand } from './media-command.ts';
import { MediaError } from './media-error.ts';
import { probeLimits } from './media-limits.ts';
import type { Container } from './sniff-media.ts';

/** The format and the streams of a media file, as its headers declare them. */
export interface MediaFacts {
  /** ffmpeg's names of the format, e.g. 'matroska,webm'. */
  container: string;
  audioCodec: string | null;
  videoCodec: string | null;
  hasAudio: boolean;
  hasVideo: boolean;
  /** Null if the file doesn't state it, as with MediaRecorder. */
  durationMs: number | null;
  /** Values that an attack would exaggerate. */
  declared: {
    streams: number;
    /** The sample rate in hertz; null without sound. */
    sampleRate: number | null;
    /** 0 without sound. */
    channels: number;
    /** The longest duration of the file or a stream; 0 if none is stated. */
    seconds: number;
    /** The most samples (frames, packets) that the index of a stream lists; 0 without an index. */
    samples: number;
    /** The bytes of media that the index lists; 0 without an index. */
    bytes: number;
  };
}

const Stream = z.object({
  codec_type: z.string().optional(),
  codec_name: z.string().optional(),
  sample_rate: z.coerce.number().optional(),
  channels: z.number().optional(),
  duration: z.coerce.number().optional(),
  nb_frames: z.coerce.number().optional(),
  bit_rate: z.coerce.number().optional(),
  disposition: z.object({ attached_pic: z.number() }).optional(),
});

const ProbeOutput = z.object({
  format: z.object({ format_name: z.string(), duration: z.coerce.number().optional() }),
  streams: z.array(Stream).default([]),
});

const entries = [
  'format=format_name,duration',
  'stream=codec_type,codec_name,sample_rate,channels,duration,nb_frames,bit_rate',
  'stream_disposition=attached_pic',
].join(':');

const largest = (values: readonly (number | undefined)[]): number =>
  values.reduce<number>((most, value) => Math.max(most, value ?? 0), 0);

/**
 * Reads the format and the streams of a media file. A cover picture does not count as video.
 * @throws MediaError, permanent if the file can't be read, or has neither audio nor video
 */
export async function probeMedia(
  path: string,
  container: Container | null,
  options: { signal: AbortSignal; timeoutMs?: number },
): Promise<MediaFacts> {
  const output = await runMediaCommand(
    'ffprobe',
    ['-v', 'error', '-of', 'json', '-show_entries', entries, ...inputArguments('ffprobe', path, container)],
    {
      signal: options.signal,
      timeoutMs: options.timeoutMs ?? 30_000,
      stdoutMaxBytes: 1024 * 1024,
      limits: probeLimits,
    },
  );
  const probed = ProbeOutput.safeParse(JSON.parse(output));
  if (!probed.success)
    throw new MediaError('The recording is damaged and cannot be read.', { permanent: true, cause: probed.error });
  const { format, streams } = probed.data;
  const audio = streams.find((stream) => stream.codec_type === 'audio' && stream.codec_name !== undefined);
  const video = streams.find((stream) => stream.codec_type === 'video' && stream.disposition?.attached_pic !== 1);
  if (!audio && !video) throw new MediaError('The recording has neither audio nor video.', { permanent: true });
  const { duration = 0 } = format;
  return {
    container: format.format_name,
    audioCodec: audio?.codec_name ?? null,
    videoCodec: video?.codec_name ?? null,
    hasAudio: audio !== undefined,
    hasVideo: video !== undefined,
    durationMs: duration > 0 ? Math.round(duration * 1000) : null,
    declared: {
      streams: streams.length,
      sampleRate: audio?.sample_rate ?? null,
      channels: audio?.channels ?? 0,
      seconds: largest([duration, ...streams.map((stream) => stream.duration)]),
      samples: largest(streams.map((stream) => stream.nb_frames)),
      bytes: indexedBytes(container, streams),
    },
  };
}

/** Only MP4 rates come from the index. Other containers declare the encoder's target. */
function indexedBytes(container: Container | null, streams: readonly z.infer<typeof Stream>[]): number {
  if (container !== 'mp4') return 0;
  return streams.reduce((sum, { bit_rate = 0, duration = 0 }) => sum + (bit_rate / 8) * duration, 0);
}
