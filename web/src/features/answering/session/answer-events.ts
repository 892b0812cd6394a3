import type { UploadedInterviewRecording } from '@interview-prep/contracts/recordings';
import type { RecordedAnswer } from '../../../lib/drafts/recorded-answer.ts';
import type { DeviceProblem } from '../../../lib/recording/device-problem.ts';

/** An answer that the server has. */
export type SavedAnswer = Pick<UploadedInterviewRecording, '_id' | 'questionId'>;

/** Why an answer waits for the person: it could not be sent, or its recording ended by itself. */
export type HeldReason = 'upload-failed' | 'microphone-lost' | 'size-limit' | 'recorder-failed';

/** What the browser's recorder tells a state machine. `index` and phases are the machine's own; see useTake. */
export type TakeEvent =
  | { type: 'started'; atMs: number }
  | { type: 'microphone-failed'; problem: DeviceProblem }
  /** The recording is whole. `unasked`: why, where nobody had asked for its end. */
  | { type: 'finished'; answer: RecordedAnswer; unasked: { reason: HeldReason; message: string } }
  | { type: 'recording-failed'; message: string }
  /** Throws away what was recorded for this question and begins again. */
  | { type: 'record-again' };

/** What the upload tells a state machine; see useAnswerUpload. */
export type UploadEvent = { type: 'uploaded'; recording: SavedAnswer } | { type: 'upload-failed'; message: string };

/** What there is to record: the microphone, or the camera with its microphone. */
export type Input =
  | { status: 'opening' }
  | { status: 'open'; stream: MediaStream }
  | { status: 'failed'; problem: DeviceProblem };
