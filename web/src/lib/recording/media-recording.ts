import { limits } from '@interview-prep/contracts/api/limits';

/** Rates are in bits per second; `mediaTypes` in order of preference. */
interface RecordingFormat {
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

/** A small picture with the speech, 240 kbit/s in total: 10 MB hold more than five minutes. WebM, or MP4 in Safari. */
export const videoFormat: RecordingFormat = {
  mediaTypes: ['video/webm;codecs=vp8,opus', 'video/webm', 'video/mp4;codecs=avc1.42E01E,mp4a.40.2', 'video/mp4'],
  audioBitsPerSecond: 40_000,
  videoBitsPerSecond: 200_000,
};

/** The media type to record in; undefined lets the browser choose. */
export function recordingMediaType(
  { mediaTypes }: RecordingFormat,
  isTypeSupported: (type: string) => boolean,
): string | undefined {
  return mediaTypes.find((type) => isTypeSupported(type));
}

/** Seconds until a recording reaches the size limit, if the browser honors the bit rates. */
export function secondsInLimit({ audioBitsPerSecond, videoBitsPerSecond }: RecordingFormat): number {
  return (limits.recordingMaxBytes * 8) / (audioBitsPerSecond + videoBitsPerSecond);
}

/** How often the recorder emits a piece: a crash loses at most this much. */
const sliceMs = 1000;

export interface RecorderListener {
  started: () => void;
  /** A chunk of the recording; concatenated in order they form the file. */
  chunk: (blob: Blob) => void;
  /** Called after the last chunk. */
  stopped: () => void;
  failed: (error: unknown) => void;
}

export interface MediaRecording {
  readonly mediaType: string;
  /** Stops recording; `stopped` follows. */
  stop: () => void;
  /** Stops recording without further callbacks. */
  discard: () => void;
}

/** Records a stream until `stop` is called or the stream ends. */
export function recordMedia(stream: MediaStream, listener: RecorderListener): MediaRecording {
  const format = stream.getVideoTracks().length > 0 ? videoFormat : audioFormat;
  const { audioBitsPerSecond, videoBitsPerSecond } = format;
  const mimeType = recordingMediaType(format, (type) => MediaRecorder.isTypeSupported(type));
  const recorder = new MediaRecorder(stream, {
    audioBitsPerSecond,
    ...(videoBitsPerSecond > 0 ? { videoBitsPerSecond } : {}),
    ...(mimeType ? { mimeType } : {}),
  });
  let discarded = false;
  const unlessDiscarded =
    <Args extends unknown[]>(callback: (...args: Args) => void) =>
    (...args: Args) => {
      if (!discarded) callback(...args);
    };

  recorder.onstart = unlessDiscarded(listener.started);
  recorder.ondataavailable = unlessDiscarded(({ data }: BlobEvent) => {
    if (data.size > 0) listener.chunk(data);
  });
  recorder.onstop = unlessDiscarded(listener.stopped);
  recorder.onerror = unlessDiscarded(listener.failed);
  recorder.start(sliceMs);

  const stop = () => {
    if (recorder.state !== 'inactive') recorder.stop();
  };
  return {
    get mediaType() {
      return recorder.mimeType || mimeType || format.mediaTypes[0] || '';
    },
    stop,
    discard: () => {
      discarded = true;
      stop();
    },
  };
}
