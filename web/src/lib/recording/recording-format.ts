import { limits } from '@interview-prep/contracts/api/limits';

/** How to record. Rates in bits per second; `mediaTypes` in order of preference. */
export interface RecordingFormat {
  mediaTypes: readonly string[];
  audioBitsPerSecond: number;
  videoBitsPerSecond: number;
}

/** Speech at 40 kbit/s: 10 MB hold about 35 minutes. WebM/Opus in Chromium and Firefox, MP4/AAC in Safari. */
export const audioFormat: RecordingFormat = {
  mediaTypes: [
    'audio/webm;codecs=opus',
    'audio/webm',
    'audio/mp4;codecs=mp4a.40.2',
    'audio/mp4',
    'audio/ogg;codecs=opus',
  ],
  audioBitsPerSecond: 40_000,
  videoBitsPerSecond: 0,
};

/** A small picture beside the speech, 240 kbit/s in all: 10 MB hold more than five minutes. WebM, or Safari's MP4. */
export const videoFormat: RecordingFormat = {
  mediaTypes: ['video/webm;codecs=vp8,opus', 'video/webm', 'video/mp4;codecs=avc1.42E01E,mp4a.40.2', 'video/mp4'],
  audioBitsPerSecond: 40_000,
  videoBitsPerSecond: 200_000,
};

/** The format for a stream: video if it has a picture. */
export function formatOf(stream: MediaStream): RecordingFormat {
  return stream.getVideoTracks().length > 0 ? videoFormat : audioFormat;
}

/** The media type to record in; undefined lets the browser choose. */
export function recordingMediaType(
  { mediaTypes }: RecordingFormat,
  isTypeSupported: (type: string) => boolean,
): string | undefined {
  return mediaTypes.find((type) => isTypeSupported(type));
}

/** Seconds until a recording reaches the size limit, if the browser keeps to the rates. */
export function secondsInLimit({ audioBitsPerSecond, videoBitsPerSecond }: RecordingFormat): number {
  return (limits.recordingMaxBytes * 8) / (audioBitsPerSecond + videoBitsPerSecond);
}
