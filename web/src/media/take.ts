import { limits } from '@interview-prep/contracts/limits';
import type { Answer } from './answer.ts';
import { appendToDraft, beginDraft, type Draft } from './answer-drafts.ts';
import { type MediaRecording, recordMedia } from './media-recording.ts';

/** Room for the last pieces: the recording ends by itself this close to the limit. */
const reserveBytes = 64 * 1024;

/** What is known of an answer before it is spoken. */
export type Subject = Omit<Draft, 'id' | 'mediaType' | 'startedAtMs'>;

export interface TakeListener {
  started: (atMs: number) => void;
  grown: (sizeBytes: number) => void;
  /** The answer is whole. `full`: it ended by itself at the size limit; else it was stopped, or the microphone went away. */
  finished: (answer: Answer, full: boolean) => void;
  failed: (error: unknown) => void;
  /** The browser's database refuses: the answer is in memory only. */
  unkept: (error: unknown) => void;
}

/** One attempt at an answer, from the first sound to the whole file. */
export interface Take {
  readonly draftId: string;
  /** Ends it; `finished` follows. */
  stop: () => void;
  /** Ends it without a word. Its draft stays until it is deleted. */
  abandon: () => void;
}

/** Records an answer, and keeps every piece in the browser's database as it comes. Throws where the browser cannot record. */
export function beginTake(stream: MediaStream, subject: Subject, listener: TakeListener): Take {
  const draftId = crypto.randomUUID();
  const chunks: Blob[] = [];
  let sizeBytes = 0;
  let startedAtMs = Date.now();
  let full = false;
  let kept: Promise<void> = Promise.resolve();
  const keep = (write: () => Promise<void>) => {
    kept = kept.then(write).catch(listener.unkept);
  };

  const recording: MediaRecording = recordMedia(stream, {
    started: () => {
      startedAtMs = Date.now();
      const draft = { ...subject, id: draftId, mediaType: recording.mediaType, startedAtMs };
      keep(() => beginDraft(draft));
      listener.started(startedAtMs);
    },
    chunk: (blob) => {
      const seq = chunks.push(blob) - 1;
      sizeBytes += blob.size;
      keep(() => appendToDraft(draftId, seq, blob));
      listener.grown(sizeBytes);
      if (sizeBytes > limits.recordingMaxBytes - reserveBytes && !full) {
        full = true;
        recording.stop();
      }
    },
    stopped: () => {
      const blob = new Blob(chunks, { type: recording.mediaType });
      listener.finished({ draftId, blob, durationMs: Date.now() - startedAtMs }, full);
    },
    failed: (error) => {
      recording.discard();
      listener.failed(error);
    },
  });

  return { draftId, stop: recording.stop, abandon: recording.discard };
}
