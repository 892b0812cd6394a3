import { limits } from '@interview-prep/contracts/limits';
import type { Draft } from '../../../lib/drafts/draft.ts';
import type { RecordedAnswer } from '../../../lib/drafts/recorded-answer.ts';
import { beginDraft } from '../../../lib/drafts/write-draft.ts';
import { randomUuid } from '../../../lib/random-uuid.ts';
import { type MediaRecording, recordMedia } from '../../../lib/recording/media-recording.ts';

/** Stop this close to the size limit, or two of the largest pieces before it, to leave room for the last pieces. */
const reserveBytes = 64 * 1024;

/** Which question an upload answers: everything known before recording starts. */
export type AnswerTarget = Omit<Draft, 'id' | 'mediaType' | 'startedAtMs'>;

/**
 * How a recording ended: 'stopped' on request or with its input, 'full' at the size limit, 'time-up' at the time limit,
 * 'failed' by a recorder error.
 */
export type TakeEnding = 'stopped' | 'full' | 'time-up' | 'failed';

/** What a take reports while it runs. */
export interface TakeListener {
  started: (atMs: number) => void;
  /** Another piece has arrived; `sizeBytes` is the size so far. */
  grown: (sizeBytes: number) => void;
  /** The answer, as far as it was recorded. */
  finished: (answer: RecordedAnswer, ending: TakeEnding) => void;
}

/** One recording of an answer. */
export interface Take {
  readonly draftId: string;
  /** Ends it; `finished` follows. */
  stop: () => void;
  /** Ends it at the time limit; `finished` follows. */
  stopInTime: () => void;
  /** Ends it without a callback. The draft keeps everything recorded. */
  leave: () => void;
  /** Ends it without a callback and drops further pieces. The draft stays until it is deleted. */
  discard: () => void;
}

/**
 * Records an answer and stores every piece as it arrives.
 * @throws if the browser cannot record
 */
export function beginTake(stream: MediaStream, target: AnswerTarget, listener: TakeListener): Take {
  const draftId = randomUuid();
  const chunks: Blob[] = [];
  let sizeBytes = 0;
  let biggestBytes = 0;
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
      biggestBytes = Math.max(biggestBytes, blob.size);
      saveChunk?.(blob);
      if (isLeft) return;
      listener.grown(sizeBytes);
      const room = limits.recordingMaxBytes - sizeBytes;
      if (room < Math.max(reserveBytes, 2 * biggestBytes) && ending === 'stopped') {
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
      // By the standard the recorder stops by itself; make sure it does.
      recording.stop();
    },
  });

  return {
    draftId,
    stop: recording.stop,
    stopInTime: () => {
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
