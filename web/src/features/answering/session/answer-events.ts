import type { UploadedInterviewRecording } from '@interview-prep/contracts/recording/recordings';
import type { RecordedAnswer } from '../../../lib/drafts/recorded-answer.ts';
import type { DeviceProblem } from '../../../lib/recording/device-problem.ts';

/** An answer that the server has stored. */
export interface SavedAnswer extends Pick<UploadedInterviewRecording, '_id'> {
  /** Counts the questions that are asked, from 0; not the id of the question in its set. */
  askedIndex: number;
  interviewId?: string;
}

/** An answer that is sent once there is a network, while the candidate goes on. */
export interface WaitingAnswer extends Pick<SavedAnswer, 'askedIndex'> {
  answer: RecordedAnswer;
}

/** Why an answer is held: the upload failed, the recording ended by itself, or nothing was heard in it, or the candidate
 * wants to hear it first. */
export type HeldReason =
  | 'upload-failed'
  | 'silent'
  | 'listening'
  | 'microphone-lost'
  | 'size-limit'
  | 'time-limit'
  | 'recorder-failed';

/** Events from the browser's recorder; see useTake. */
export type TakeEvent =
  | { type: 'started'; atMs: number }
  | { type: 'microphone-failed'; problem: DeviceProblem }
  /** The recording is complete. `unexpectedEnd`: why it is held, if it ended by itself. */
  | { type: 'finished'; answer: RecordedAnswer; unexpectedEnd: { reason: HeldReason; message: string } }
  | { type: 'recording-failed'; message: string }
  /** Discards this question's recording and starts again. */
  | { type: 'record-again' };

/** Events from the upload; see useAnswerUpload. */
export type UploadEvent =
  | { type: 'uploaded'; recording: SavedAnswer }
  /** An answer that waited was sent. */
  | { type: 'sent-later'; recording: SavedAnswer }
  /** `retryAtMs`: when the server accepts more answers of this user, in ms since 1970; the answer is then sent again. */
  | { type: 'upload-failed'; message: string; retryAtMs?: number };

/** The input to record: the microphone, or camera and microphone. */
export type Input =
  | { status: 'opening' }
  | { status: 'open'; stream: MediaStream }
  | { status: 'failed'; problem: DeviceProblem };
