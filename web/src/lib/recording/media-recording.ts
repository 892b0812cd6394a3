import { formatOf, recordingMediaType } from './recording-format.ts';

/** How often the recorder hands out what it has, so that a crash loses a second at most. */
const sliceMs = 1000;

export interface RecorderListener {
  started: () => void;
  /** A piece of the recording; the pieces in order are the file. */
  chunk: (blob: Blob) => void;
  /** Every piece is out. */
  stopped: () => void;
  failed: (error: unknown) => void;
}

/** A recording in progress. */
export interface MediaRecording {
  readonly mediaType: string;
  /** Ends it; `stopped` follows. */
  stop: () => void;
  /** Ends it without telling anyone. */
  discard: () => void;
}

/** Records a stream, sound or sound and picture, until told to stop, or until the stream ends. */
export function recordMedia(stream: MediaStream, listener: RecorderListener): MediaRecording {
  const format = formatOf(stream);
  const { audioBitsPerSecond, videoBitsPerSecond } = format;
  const mimeType = recordingMediaType(format, (type) => MediaRecorder.isTypeSupported(type));
  const recorder = new MediaRecorder(stream, {
    audioBitsPerSecond,
    ...(videoBitsPerSecond > 0 ? { videoBitsPerSecond } : {}),
    ...(mimeType ? { mimeType } : {}),
  });
  let discarded = false;
  const unlessDiscarded =
    <Args extends unknown[]>(tell: (...args: Args) => void) =>
    (...args: Args) => {
      if (!discarded) tell(...args);
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
