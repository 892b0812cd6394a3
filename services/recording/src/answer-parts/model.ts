import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { Schema } from 'mongoose';

/** A part that has arrived. `sha256` is hexadecimal. */
interface ArrivedPart {
  number: number;
  sizeBytes: number;
  sha256: string;
}

/** An answer that is sent in parts while it is spoken. Its parts are in the object store until it ends. */
export interface StoredUpload {
  /** The UUID that the browser chose, in lower case. */
  _id: string;
  userId: string;
  kind: SessionKind;
  sessionId: string;
  setId: string;
  questionId: number;
  /** In the order in which they arrived. */
  parts: ArrivedPart[];
  receivedBytes: number;
  /** Set when the candidate has sent all parts, until the whole answer is transcribed. */
  partCount?: number;
  startedAt: Date;
  lastPartAt: Date | null;
  /** The duration of an answer that was cut off. Null until a worker has measured it; reset by each further part. */
  durationMs: number | null;
  /** When it was completed, refused or discarded. Kept so that late requests learn that there is nothing left to send. */
  endedAt: Date | null;
  /** Set once the answer is complete. */
  recordingId: string | null;
  /** The windows that were transcribed while it was spoken, as entries of `TranscriptionRequest.windows`, until the whole answer is transcribed. */
  heard?: [key: string, window: unknown][] | undefined;
  /** The end of the last of these windows, by their words. */
  heardMs?: number;
  /** When to delete its parts from the object store; absent once that is done for good. */
  removePartsAt?: Date | undefined;
  updatedAt: Date;
}

export const uploadSchema = new Schema<StoredUpload>(
  {
    _id: { type: String, required: true },
    userId: { type: String, required: true },
    kind: { type: String, required: true },
    sessionId: { type: String, required: true },
    setId: { type: String, required: true },
    questionId: { type: Number, required: true },
    parts: [{ _id: false, number: Number, sizeBytes: Number, sha256: String }],
    receivedBytes: { type: Number, default: 0 },
    partCount: Number,
    startedAt: { type: Date, required: true },
    lastPartAt: { type: Date, default: null },
    durationMs: { type: Number, default: null },
    endedAt: { type: Date, default: null },
    recordingId: { type: String, default: null },
    heardMs: Number,
    heard: { type: [Schema.Types.Mixed], default: undefined },
    removePartsAt: Date,
  },
  { collection: 'uploads', timestamps: { createdAt: false, updatedAt: true }, versionKey: false },
);
uploadSchema.index({ userId: 1, endedAt: 1 });
uploadSchema.index({ sessionId: 1 });
uploadSchema.index({ recordingId: 1 }, { sparse: true });
// For the sweeps.
uploadSchema.index({ removePartsAt: 1 }, { sparse: true });
uploadSchema.index({ endedAt: 1, lastPartAt: 1 });
uploadSchema.index({ updatedAt: 1 });
