import type { Assessment, SessionKind, Stage, Word } from '@interview-prep/contracts/recordings';
import type { RecordingSnapshot } from '@interview-prep/contracts/snapshots';
import { type Published, publishedFields } from '@interview-prep/kit/outbox';
import { Schema, type Types } from 'mongoose';
import type { Container } from '../media/sniff-media.ts';

/** One take of one answer, with all that is known of it. */
export interface Recording extends Published {
  _id: Types.ObjectId;
  /** The session's `_id`. */
  session: Types.ObjectId;
  sessionId: string;
  userId: string;
  kind: SessionKind;
  /** Zero-based index into the session's questions. */
  questionId: number;
  /** Counts answers to the same question from 1. */
  take: number;
  createdAt: Date;
  updatedAt: Date;

  /** What was uploaded: its hash in hexadecimal, and what it is by its content. */
  sha256: string;
  container: Container;
  original: StoredMedia;
  /** What is played: the same media made seekable; null until the media stage is through. */
  playback: StoredMedia | null;
  durationMs: number | null;
  /** Loudness over time, 0–1. */
  peaks: number[];
  /** Whether the media stage found nothing to hear. */
  silent: boolean;

  /** The stage of which a job must exist; absent once the recording has ended. Written before the job is queued. */
  awaiting?: Stage | undefined;
  /** Counts how often processing was begun: a reprocess is another run. */
  run: number;
  /**
   * Counts how often workers took a stage in hand. A worker writes only while its own count stands, so one that was
   * given up for dead writes in vain. (`revision` would not do: it also grows when the user is deleted.)
   */
  leaseVersion: number;
  /** Leases on the awaited stage that never reported an end, good or bad; the current one counts. */
  interruptions: number;
  /** What the last tries did not find there, and until when it is left alone; null where nothing was missing. */
  outage: Outage | null;
  /** The last stage that something happened in, and what. */
  stage: Stage;
  stageStatus: RecordingSnapshot['stageStatus'];

  transcription: {
    status: 'pending' | 'completed' | 'failed';
    text: string;
    words?: Word[] | undefined;
    completedAt: Date | null;
    engine?: string | undefined;
    error?: string | undefined;
  };
  isCorrect: boolean | null;
  correctnessPercentage: number | null;
  /** The expert answer's text. */
  chatGPTResponse: string;
  assessment: Assessment;
  /** Of the request that began this run, for the logs of its jobs. */
  requestId?: string | undefined;
}

/** `data`: MongoDB or the object store; `engine`: the server of an engine. `tries` in a row have found it away. */
export interface Outage {
  what: 'data' | 'engine';
  tries: number;
  nextTryAt: Date;
}

/** An object in the store. */
export interface StoredMedia {
  key: string;
  mediaType: string;
  sizeBytes: number;
}

const storedMedia = new Schema<StoredMedia>(
  {
    key: { type: String, required: true },
    mediaType: { type: String, required: true },
    sizeBytes: { type: Number, required: true },
  },
  { _id: false },
);

const outage = new Schema<Outage>(
  {
    what: { type: String, required: true },
    tries: { type: Number, required: true },
    nextTryAt: { type: Date, required: true },
  },
  { _id: false },
);

export const recordingSchema = new Schema<Recording>(
  {
    session: { type: Schema.Types.ObjectId, required: true },
    sessionId: { type: String, required: true },
    userId: { type: String, required: true },
    kind: { type: String, required: true },
    questionId: { type: Number, required: true },
    take: { type: Number, required: true },
    sha256: { type: String, required: true },
    container: { type: String, required: true },
    original: { type: storedMedia, required: true },
    playback: { type: storedMedia, default: null },
    durationMs: { type: Number, default: null },
    peaks: [Number],
    silent: { type: Boolean, default: false },
    awaiting: String,
    run: { type: Number, required: true },
    leaseVersion: { type: Number, default: 0 },
    interruptions: { type: Number, default: 0 },
    outage: { type: outage, default: null },
    stage: { type: String, required: true },
    stageStatus: { type: String, required: true },
    transcription: { type: Schema.Types.Mixed, required: true },
    isCorrect: { type: Boolean, default: null },
    correctnessPercentage: { type: Number, default: null },
    chatGPTResponse: { type: String, default: '' },
    assessment: { type: Schema.Types.Mixed, required: true },
    requestId: String,
    ...publishedFields,
  },
  { collection: 'recordings', timestamps: true, versionKey: false },
);
// The same bytes again are the same recording; another answer is a new take.
recordingSchema.index({ session: 1, questionId: 1, sha256: 1 }, { unique: true });
recordingSchema.index({ session: 1, questionId: 1, take: 1 }, { unique: true });
// What the sweeper looks through: only what has not ended.
recordingSchema.index({ awaiting: 1, updatedAt: 1 }, { partialFilterExpression: { awaiting: { $exists: true } } });
recordingSchema.index({ unpublished: 1 }, { sparse: true });
recordingSchema.index({ updatedAt: 1 });
recordingSchema.index({ userId: 1 });
