import type { RecordingSnapshot } from '@interview-prep/contracts/events/snapshots';
import type { Assessment, SessionKind, Stage, Transcription } from '@interview-prep/contracts/recording/recordings';
import { followChanges, type Published, publishedFields } from '@interview-prep/kit/redis/outbox';
import { Schema, type Types } from 'mongoose';
import type { Container } from '../media/sniff-media.ts';

/**
 * One stored answer with its media, transcript and verdict. What history shows of it is declared once, in the contracts'
 * `RecordingSnapshot`. `Published` adds `revision`, and `unpublished` while history does not have the newest change.
 */
export interface Recording
  extends Published,
    Omit<RecordingSnapshot, 'recordingId' | 'createdAt' | 'mediaType' | 'transcription' | 'revision'> {
  _id: Types.ObjectId;
  /** The session's `_id`. */
  session: Types.ObjectId;
  sessionId: string;
  userId: string;
  kind: SessionKind;
  createdAt: Date;
  updatedAt: Date;

  /** The hash of the uploaded bytes, in hexadecimal. */
  sha256: string;
  /** The detected format of the uploaded bytes, whatever the browser called it. */
  container: Container;
  original: StoredMedia;
  /** The same media made seekable, which is played. Null until the media stage has ended. */
  playback: StoredMedia | null;
  /** Whether the media stage heard no speech. */
  silent: boolean;

  /** The stage that must have a job. Absent once processing has ended. Written before the job is queued. */
  awaiting?: Stage | undefined;
  /** Its round-robin priority in that stage's queue: 1 goes first. Absent in recordings from older releases. */
  turn?: number | undefined;
  /** The number of the current processing run. Reprocessing starts the next one. */
  run: number;
  /**
   * Grows each time a worker takes a stage. A worker writes its result only while its lease version is the current one, so
   * a worker that hung changes nothing when it resumes. (`revision` can't serve: it also grows when the user is deleted.)
   */
  leaseVersion: number;
  /** Leases on the awaited stage that never reported an outcome, including the current one. */
  interruptions: number;
  /** The outage that made the last attempts fail; null if there was none. */
  outage: Outage | null;

  /** When an admin gave up on a failed answer, which hides it from the list of failures. */
  givenUpAt?: Date | undefined;

  transcription: Omit<Transcription, 'completedAt'> & { completedAt: Date | null };
  /** The point that the candidate claims to have made, and the words that make it. Null once the claim is judged. */
  claim?: { point: number; firstWord: number; lastWord: number } | null;
  /** The number of points that the candidate has claimed for this answer. */
  claimCount?: number;
  /** A corrected transcript for the worker to compare with the original, and the answer's state `before`. Null once compared. */
  correction?: {
    userId: string;
    text: string;
    before: { stage: Stage; stageStatus: RecordingSnapshot['stageStatus']; status: Assessment['status'] };
  } | null;
  /**
   * The session's assignment, on the newest take of each question, for the review queue. `feedbackAt`
   * is as in the session.
   */
  assigned?: { assignmentId: string; groupId: string; feedbackAt: Date | null } | undefined;
  /** The time of a review whose event is not queued yet, ISO 8601. Auth then mails the candidate if they want it. */
  unannouncedReview?: string | undefined;
  /** The time of an appeal whose event is not queued yet, ISO 8601. Auth then mails the admins who want it. */
  unannouncedAppeal?: string | undefined;
  /** Set if the answer came in parts: windows that were transcribed while it was spoken are kept with its upload. */
  uploadId?: string | undefined;
  /** The request that started this run, for the logs of its jobs. */
  requestId?: string | undefined;
}

/** `data`: MongoDB or the object store; `engine`: the server of an engine. */
export const outageKinds = ['data', 'engine'] as const;

/** An outage that blocks a stage. */
export interface Outage {
  what: (typeof outageKinds)[number];
  /** Consecutive failed attempts, not counting the sweeper's probes before `nextTryAt`. */
  tries: number;
  /** The sweeper queues the stage again at this time. */
  nextTryAt: Date;
}

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
    mediaDeletion: Schema.Types.Mixed,
    silent: { type: Boolean, default: false },
    awaiting: String,
    turn: Number,
    run: { type: Number, required: true },
    leaseVersion: { type: Number, default: 0 },
    interruptions: { type: Number, default: 0 },
    outage: { type: outage, default: null },
    givenUpAt: Date,
    stage: { type: String, required: true },
    stageStatus: { type: String, required: true },
    transcription: { type: Schema.Types.Mixed, required: true },
    delivery: Schema.Types.Mixed,
    isCorrect: { type: Boolean, default: null },
    correctnessPercentage: { type: Number, default: null },
    chatGPTResponse: { type: String, default: '' },
    assessment: { type: Schema.Types.Mixed, required: true },
    guestFeedback: { type: [Schema.Types.Mixed], default: undefined },
    claim: { type: Schema.Types.Mixed, default: null },
    claimCount: { type: Number },
    correction: { type: Schema.Types.Mixed, default: null },
    assigned: Schema.Types.Mixed,
    unannouncedReview: String,
    unannouncedAppeal: String,
    uploadId: String,
    requestId: String,
    ...publishedFields,
  },
  { collection: 'recordings', timestamps: true, versionKey: false },
);
// The same bytes are the same recording; another answer to the question is the next take.
recordingSchema.index({ session: 1, questionId: 1, sha256: 1 }, { unique: true });
recordingSchema.index({ session: 1, questionId: 1, take: 1 }, { unique: true });
// For the sweeper and for turns: unfinished recordings by turn, overall and per user.
const isAwaiting = { partialFilterExpression: { awaiting: { $exists: true } } };
recordingSchema.index({ awaiting: 1, turn: 1 }, isAwaiting);
recordingSchema.index({ userId: 1, awaiting: 1, turn: 1 }, isAwaiting);
// One correction at a time per user, since diffing takes a worker's time.
recordingSchema.index({ 'correction.userId': 1 }, { unique: true, sparse: true });
// For the sweeper's probes: recordings blocked by an outage.
recordingSchema.index(
  { 'outage.what': 1, awaiting: 1, updatedAt: 1 },
  { partialFilterExpression: { 'outage.what': { $exists: true } } },
);
// For the list of failures.
recordingSchema.index({ stageStatus: 1, updatedAt: -1 }, { partialFilterExpression: { stageStatus: 'failed' } });
followChanges(recordingSchema);
// For the lists of appeals and reviews.
recordingSchema.index({ 'assessment.appeal.createdAt': -1 }, { sparse: true });
recordingSchema.index({ 'assessment.review.createdAt': -1 }, { sparse: true });
// For a group's review queue: appeals, uncertain verdicts and reviewed answers.
recordingSchema.index(
  { 'assigned.groupId': 1, 'assessment.appeal.createdAt': 1 },
  { partialFilterExpression: { 'assessment.appeal.createdAt': { $exists: true } } },
);
recordingSchema.index(
  { 'assigned.assignmentId': 1, createdAt: 1 },
  { partialFilterExpression: { 'assessment.points.creditRange': { $exists: true } } },
);
recordingSchema.index(
  { 'assigned.groupId': 1, 'assessment.review.createdAt': -1 },
  { partialFilterExpression: { 'assessment.review.createdAt': { $exists: true } } },
);
// For the admins' overview.
recordingSchema.index({ stageStatus: 1, createdAt: -1 }, { partialFilterExpression: { stageStatus: 'failed' } });
// For the retention of media.
recordingSchema.index({ 'mediaDeletion.at': 1, kind: 1, createdAt: 1 });
recordingSchema.index({ updatedAt: 1 });
recordingSchema.index({ userId: 1 });
