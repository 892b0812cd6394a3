import { limits } from '@interview-prep/contracts/api/limits';
import type { Draft } from '../../../lib/drafts/draft.ts';
import type { RecordedAnswer } from '../../../lib/drafts/recorded-answer.ts';
import { beginDraft } from '../../../lib/drafts/write-draft.ts';
import { randomUuid } from '../../../lib/random-uuid.ts';
import { type MediaRecording, recordMedia } from '../../../lib/recording/media-recording.ts';

/** Stop recording with this much room left under the size limit, since the last pieces are still to come. */
const minRoomBytes = 64 * 1024;

/** The metadata of an answer before it is recorded: user, session, set and question. */
export type AnswerTarget = Omit<Draft, 'id' | 'mediaType' | 'startedAtMs'>;

/**
 * How a recording ended: 'stopped' on request or with its input, 'full' at the size limit, 'time-up' at the time limit,
 * 'failed' by a recorder error.
 */
export type TakeEnding = 'stopped' | 'full' | 'time-up' | 'failed';

/** Callbacks of a running take. */
export interface TakeListener {
  started: (atMs: number) => void;
  /** Another piece has arrived; `sizeBytes` is the total so far. */
  grown: (piece: Blob, sizeBytes: number) => void;
  /** The answer as far as it was recorded. */
  finished: (answer: RecordedAnswer, ending: TakeEnding) => void;
}

/** One recording of an answer. */
export interface Take {
  readonly draftId: string;
  /** Stops it; `finished` follows. */
  stop: () => void;
  /** Stops it at the time limit; `finished` follows. */
  stopAtTimeLimit: () => void;
  /** Stops it without a callback. The draft keeps everything recorded. */
  leave: () => void;
  /** Stops it without a callback and drops further pieces. The draft stays until it is deleted. */
  discard: () => void;
}

/**
 * Records an answer and stores each piece as it arrives.
 * @throws if the browser can't record
 */
export function beginTake(stream: MediaStream, target: AnswerTarget, listener: TakeListener): Take {
  const draftId = randomUuid();
  const chunks: Blob[] = [];
  let sizeBytes = 0;
  let largestChunkBytes = 0;
  let startedAtMs = Date.now();
  let ending: TakeEnding = 'stopped';
  let isLeft = false;
  /** Appends a piece to the draft in the browser's storage. */
  let saveChunk: ((blob: Blob) => void) | null = null;

  const recording: MediaRecording = recordMedia(stream, {
    started: () => {
      startedAtMs = Date.now();
      saveChunk = beginDraft({ ...target, id: draftId, mediaType: recording.mediaType, startedAtMs });
      if (!isLeft) listener.started(startedAtMs);
    },
    chunk: (blob) => {
      chunks.push(blob);
      sizeBytes += blob.size;
      largestChunkBytes = Math.max(largestChunkBytes, blob.size);
      saveChunk?.(blob);
      if (isLeft) return;
      listener.grown(blob, sizeBytes);
      const roomBytes = limits.recordingMaxBytes - sizeBytes;
      if (roomBytes < Math.max(minRoomBytes, 2 * largestChunkBytes) && ending === 'stopped') {
        ending = 'full';
        recording.stop();
      }
    },
    stopped: () => {
      if (isLeft) return;
      const blob = new Blob(chunks, { type: recording.mediaType });
      listener.finished({ draftId, blob, durationMs: Date.now() - startedAtMs }, ending);
    },
    failed: (error) => {
      console.error(error);
      ending = 'failed';
      // By the standard, the recorder stops on its own; make sure it does.
      recording.stop();
    },
  });

  return {
    draftId,
    stop: recording.stop,
    stopAtTimeLimit: () => {
      if (ending === 'stopped') ending = 'time-up';
      recording.stop();
    },
    leave: () => {
      isLeft = true;
      recording.stop();
    },
    discard: recording.discard,
  };
}
