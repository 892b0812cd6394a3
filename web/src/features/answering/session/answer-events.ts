import type { UploadedInterviewRecording } from '@interview-prep/contracts/recording/recordings';
import type { RecordedAnswer } from '../../../lib/drafts/recorded-answer.ts';
import type { DeviceProblem } from '../../../lib/recording/device-problem.ts';

/** An answer stored on the server. */
export interface SavedAnswer extends Pick<UploadedInterviewRecording, '_id'> {
  /** The index among the questions asked, from 0; not the question's id in its set. */
  askedIndex: number;
  interviewId?: string;
}

/** An answer queued until the network is back, while the candidate goes on. */
export interface WaitingAnswer extends Pick<SavedAnswer, 'askedIndex'> {
  answer: RecordedAnswer;
}

/** Why an answer is held: the upload failed, the recording ended unexpectedly, nothing was heard in it, or the candidate
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
  /** The recording is complete. `unexpectedEnd`: why it is held, if it ended unexpectedly. */
  | { type: 'finished'; answer: RecordedAnswer; unexpectedEnd: { reason: HeldReason; message: string } }
  | { type: 'recording-failed'; message: string }
  /** Discards the current recording and starts over. */
  | { type: 'record-again' };

/** Events from the upload; see useAnswerUpload. */
export type UploadEvent =
  | { type: 'uploaded'; recording: SavedAnswer }
  | { type: 'sent-later'; recording: SavedAnswer }
  /** `retryAtMs`: when the server accepts more answers from this user, in ms since 1970; the answer is then retried. */
  | { type: 'upload-failed'; message: string; retryAtMs?: number };

/** The input to record: the microphone, or camera and microphone. */
export type Input =
  | { status: 'opening' }
  | { status: 'open'; stream: MediaStream }
  | { status: 'failed'; problem: DeviceProblem };
