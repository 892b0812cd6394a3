import { limits } from '@interview-prep/contracts/limits';
import { beginDraft } from '../../../lib/drafts/answer-drafts.ts';
import type { Draft } from '../../../lib/drafts/draft.ts';
import type { RecordedAnswer } from '../../../lib/drafts/recorded-answer.ts';
import { randomUuid } from '../../../lib/random-uuid.ts';
import { type MediaRecording, recordMedia } from '../../../lib/recording/media-recording.ts';

/** Room for the last pieces: the recording ends by itself this close to the limit, or closer than two of its biggest pieces. */
const reserveBytes = 64 * 1024;

/** What is known of an answer before it is spoken. */
export type Subject = Omit<Draft, 'id' | 'mediaType' | 'startedAtMs'>;

/** How a recording came to its end: 'stopped' when asked to or with its microphone, 'full' at the size limit, 'failed' by a failure of the browser's recorder. */
export type TakeEnding = 'stopped' | 'full' | 'failed';

export interface TakeListener {
  started: (atMs: number) => void;
  grown: (sizeBytes: number) => void;
  /** The answer is whole, or as much of it as there is. */
  finished: (answer: RecordedAnswer, ending: TakeEnding) => void;
}

/** One attempt at an answer, from the first sound to the whole file. */
export interface Take {
  readonly draftId: string;
  /** Ends it; `finished` follows. */
  stop: () => void;
  /** Ends it without a word; its draft has all that was said. */
  leave: () => void;
  /** Ends it without a word, and keeps nothing of what comes after. Its draft stays until it is deleted. */
  discard: () => void;
}

/** Records an answer, and keeps every piece as it comes. Throws where the browser cannot record. */
export function beginTake(stream: MediaStream, subject: Subject, listener: TakeListener): Take {
  const draftId = randomUuid();
  const chunks: Blob[] = [];
  let sizeBytes = 0;
  let biggestBytes = 0;
  let startedAtMs = Date.now();
  let ending: TakeEnding = 'stopped';
  let left = false;
  let keep: ((blob: Blob) => void) | null = null;

  const recording: MediaRecording = recordMedia(stream, {
    started: () => {
      startedAtMs = Date.now();
      keep = beginDraft({ ...subject, id: draftId, mediaType: recording.mediaType, startedAtMs });
      if (!left) listener.started(startedAtMs);
    },
    chunk: (blob) => {
      chunks.push(blob);
      sizeBytes += blob.size;
      biggestBytes = Math.max(biggestBytes, blob.size);
      keep?.(blob);
      if (left) return;
      listener.grown(sizeBytes);
      const room = limits.recordingMaxBytes - sizeBytes;
      if (room < Math.max(reserveBytes, 2 * biggestBytes) && ending === 'stopped') {
        ending = 'full';
        recording.stop();
      }
    },
    stopped: () => {
      if (left) return;
      const blob = new Blob(chunks, { type: recording.mediaType });
      listener.finished({ draftId, blob, durationMs: Date.now() - startedAtMs }, ending);
    },
    failed: (error) => {
      console.error(error);
      ending = 'failed';
      // The recorder gives out what it has and stops by itself, as specified; one that goes on is told to.
      recording.stop();
    },
  });

  return {
    draftId,
    stop: recording.stop,
    leave: () => {
      left = true;
      recording.stop();
    },
    discard: recording.discard,
  };
}
