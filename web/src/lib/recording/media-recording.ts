import { formatOf, recordingMediaType } from './recording-format.ts';

/** How often the recorder emits a piece: a crash loses at most this much. */
const sliceMs = 1000;

export interface RecorderListener {
  started: () => void;
  /** A piece of the recording; the pieces in order are the file. */
  chunk: (blob: Blob) => void;
  /** After the last piece. */
  stopped: () => void;
  failed: (error: unknown) => void;
}

/** A recording in progress. */
export interface MediaRecording {
  readonly mediaType: string;
  /** Ends it; `stopped` follows. */
  stop: () => void;
  /** Ends it; no further callback runs. */
  discard: () => void;
}

/** Records a stream until `stop` is called or the stream ends. */
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
