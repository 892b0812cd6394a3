import { unknownTechnology } from '@interview-prep/contracts/catalog/technologies';
import type { RecordingSnapshot, SessionSnapshot } from '@interview-prep/contracts/events/snapshots';
import type { DeletionTarget } from '@interview-prep/contracts/recording/deletions';
import type { QuestionSource } from '@interview-prep/contracts/recording/question-sources';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { knownGroups } from '@interview-prep/kit/mongo/known-groups';
import { type Connection, Schema, type Types } from 'mongoose';
import type { Card } from 'ts-fsrs';

/** A session as shown in lists and details. Its `_id` is the snapshot's `entryId`. */
export interface SessionEntry extends Omit<SessionSnapshot, 'entryId' | 'user' | 'createdAt'> {
  _id: Types.ObjectId;
  /** Fields are null once the user is deleted. */
  user: { email: string | null; role: string | null; lastLogin: Date | null };
  createdAt: Date;
  /** The list that shows it; null if the specification leaves it out (no technology, or an unknown one). */
  listKind: SessionKind | null;
  /** The numbers of answered questions, and of those whose answer is still being processed. */
  answeredCount: number;
  pendingCount: number;
  /** The answered questions, zero-based; only in sessions with follow-up questions. */
  answeredQuestions?: number[];
  /** 0–100; null before the first verdict. */
  averageCorrectness: number | null;
  /** Scores in the average that depend on edited words. Absent in entries of older projections. */
  editedCount?: number;
  /** Scores in the average that a reviewer gave. Absent in entries of older projections. */
  reviewedCount?: number;
  /** The newest take of each question, so that a detail doesn't read older ones. Absent in entries of older projections. */
  newestTakes?: Types.ObjectId[];
  /** The results by technology of its questions. Absent in entries of older projections. */
  results?: TechnologyResult[];
  /** Its answers, only for assigned work: rosters add up those of many sessions. Absent in entries of older projections. */
  answers?: AnswerFigures[];
  /** Grows with each change of the recordings that were counted: an older count never replaces a newer one. */
  countsRevision: number;
  /** The version of the projection that wrote this; absent in entries of the first release. */
  projectionVersion?: number;
}

/** The result of an answer's newest take. */
export interface AnswerFigures {
  questionId: number;
  /** 0–100; null without a verdict. */
  percentage: number | null;
  pending: boolean;
  reviewed: boolean;
  /** The judge's score, if a reviewer gave a different verdict. */
  machinePercentage?: number;
  /** The judge; absent without a verdict from one. */
  engine?: string;
  durationMs: number | null;
  /** The required points of the expert answer: those covered, and those missed or partly covered. */
  made: string[];
  missed: string[];
}

/** A session's answers to the questions of one technology. */
export interface TechnologyResult {
  technology: string;
  /** The number of answers with a verdict, and their average, 0–100; null if there are none. */
  judgedCount: number;
  average: number | null;
  /** Scores in the average that depend on edited words. */
  editedCount: number;
  /** Scores that a reviewer gave. Absent in entries of older projections. */
  reviewedCount?: number;
  /** The total length of all processed takes. */
  spokenMs: number;
}

/** One user's question, identified by a hash of its text. */
export interface QuestionRef {
  userId: string;
  questionHash: string;
}

/** One take of one answer: the newest snapshot that recording published. */
export interface RecordingEntry
  extends Pick<RecordingSnapshot, 'questionId' | 'take' | 'revision'>,
    Partial<QuestionRef> {
  _id: Types.ObjectId;
  /** The session's `_id`. */
  entryId: Types.ObjectId;
  /** When it was recorded. Like `QuestionRef`, only for interviews; absent in entries of older projections. */
  answeredAt?: Date;
  snapshot: RecordingSnapshot;
  /** Whether the answer was deleted. Its snapshot is then empty. */
  deleted?: boolean;
  /** The session's revision in the event that wrote this. */
  sessionRevision?: number;
  /** As in `SessionEntry`. */
  projectionVersion?: number;
}

/** The number of a user's listed sessions in one technology. Lists and groups add these up. */
export interface Total {
  _id: string;
  listKind: SessionKind;
  userId: string;
  email: string | null;
  technology: string;
  count: number;
  /** When the newest of them began. */
  latest: Date;
  /** The newest counted sessions, so that none is added twice. */
  counted?: Types.ObjectId[];
}

/** Identifies a total; nothing is counted if `listKind` is null. */
export type CountKey = Pick<SessionEntry, 'listKind' | 'userId' | 'technology'>;

/** A point that the newest answer to its question missed or partly covered, and the number of answers that did. */
export interface MissedPointCount {
  text: string;
  /** The rest of the expert's sentence. */
  before: string;
  after: string;
  times: number;
}

export interface QuestionScore {
  entryId: Types.ObjectId;
  at: Date;
  /** 0–100. */
  percentage: number;
}

/** A summary of one user's judged answers to one question: the newest result, and when the question is due. */
export interface AnsweredQuestion {
  /** The user's id and the question's hash. */
  _id: string;
  userId: string;
  /** Without its number. */
  question: string;
  technology: string;
  /** The set of the newest answer, and the question's zero-based number there. */
  setId: string;
  setTitle: string;
  setQuestionId: number;
  /** The session of the newest answer, and the question's zero-based number there. */
  entryId: Types.ObjectId;
  questionId: number;
  answeredAt: Date;
  /** 0–100. */
  percentage: number;
  /** Whether the percentage depends on edited words. Absent in entries of older projections. */
  edited?: boolean;
  /** Whether a reviewer gave the percentage. Absent in entries of older projections. */
  reviewed?: boolean;
  /** One for the newest take of each session, oldest first. Absent in entries of older projections. */
  scores?: QuestionScore[];
  missed: MissedPointCount[];
  /** ts-fsrs's state; `due` is when the question comes back. */
  card: Card;
}

/** A deletion that recording published. */
export interface DeletionEntry {
  /** `deletionId` of the target. */
  _id: string;
  target: DeletionTarget;
  totals?: CountKey[];
  questions?: QuestionRef[];
}

/** The state of building the projection: a single document. */
export interface ProjectionState {
  _id: string;
  version: number;
}

export type HistoryModels = ReturnType<typeof historyModels>;

export function historyModels(connection: Connection) {
  const session = new Schema<SessionEntry>(
    {
      sessionId: { type: String, required: true },
      kind: { type: String, required: true },
      listKind: { type: String, default: null },
      setId: { type: String, required: true },
      title: String,
      technology: String,
      questions: [String],
      expertAnswers: [String],
      askedQuestions: { type: [Number], default: undefined },
      sources: { type: [Schema.Types.Mixed], default: undefined },
      followUps: { type: [Schema.Types.Mixed], default: undefined },
      answeredQuestions: { type: [Number], default: undefined },
      assignment: { type: Schema.Types.Mixed, default: undefined },
      userId: { type: String, required: true },
      user: { email: String, role: String, lastLogin: Date },
      createdAt: { type: Date, required: true },
      revision: { type: Number, required: true },
      answeredCount: { type: Number, default: 0 },
      pendingCount: { type: Number, default: 0 },
      averageCorrectness: { type: Number, default: null },
      editedCount: { type: Number, default: 0 },
      reviewedCount: { type: Number, default: 0 },
      newestTakes: { type: [Schema.Types.ObjectId], default: undefined },
      results: { type: [Schema.Types.Mixed], default: undefined },
      answers: { type: [Schema.Types.Mixed], default: undefined },
      countsRevision: { type: Number, default: 0 },
      projectionVersion: Number,
    },
    { collection: 'sessions', versionKey: false },
  );
  const newestFirst = { createdAt: -1, _id: -1 } as const;
  session.index({ listKind: 1, ...newestFirst });
  session.index({ listKind: 1, technology: 1, ...newestFirst });
  session.index({ listKind: 1, userId: 1, ...newestFirst });
  session.index({ listKind: 1, userId: 1, technology: 1, ...newestFirst });
  session.index({ sessionId: 1 });
  session.index({ 'assignment.assignmentId': 1, createdAt: 1 }, { sparse: true });
  session.index({ 'assignment.groupId': 1 }, { sparse: true });
  session.index({ userId: 1, createdAt: -1 });

  const recording = new Schema<RecordingEntry>(
    {
      entryId: { type: Schema.Types.ObjectId, required: true },
      userId: String,
      questionHash: String,
      answeredAt: Date,
      questionId: { type: Number, required: true },
      take: { type: Number, required: true },
      revision: { type: Number, required: true },
      snapshot: { type: Schema.Types.Mixed, required: true },
      deleted: Boolean,
      sessionRevision: Number,
      projectionVersion: Number,
    },
    // A deleted answer's snapshot is empty.
    { collection: 'recordings', versionKey: false, minimize: false },
  );
  recording.index({ entryId: 1, questionId: 1, take: -1 });
  recording.index({ userId: 1, questionHash: 1, answeredAt: -1 });

  const total = new Schema<Total>(
    {
      _id: { type: String, required: true },
      listKind: { type: String, required: true },
      userId: { type: String, required: true },
      email: { type: String, default: null },
      technology: { type: String, required: true },
      count: { type: Number, required: true },
      latest: { type: Date, required: true },
      counted: { type: [Schema.Types.ObjectId], default: undefined },
    },
    { collection: 'totals', versionKey: false },
  );
  total.index({ listKind: 1, userId: 1 });
  total.index({ userId: 1 });

  const answeredQuestion = new Schema<AnsweredQuestion>(
    {
      _id: { type: String, required: true },
      userId: { type: String, required: true },
      question: String,
      technology: String,
      setId: String,
      setTitle: String,
      setQuestionId: Number,
      entryId: Schema.Types.ObjectId,
      questionId: Number,
      answeredAt: Date,
      percentage: Number,
      edited: Boolean,
      reviewed: Boolean,
      scores: { type: [Schema.Types.Mixed], default: undefined },
      missed: [Schema.Types.Mixed],
      card: { type: Schema.Types.Mixed, required: true },
    },
    { collection: 'answeredQuestions', versionKey: false },
  );
  answeredQuestion.index({ userId: 1, 'card.due': 1, _id: 1 });

  const deletion = new Schema<DeletionEntry>(
    {
      _id: { type: String, required: true },
      target: { type: Schema.Types.Mixed, required: true },
      totals: { type: [Schema.Types.Mixed], default: undefined },
      questions: { type: [Schema.Types.Mixed], default: undefined },
    },
    { collection: 'deletions', versionKey: false },
  );

  const projection = new Schema<ProjectionState>(
    { _id: { type: String, required: true }, version: { type: Number, required: true } },
    { collection: 'projections', versionKey: false },
  );

  return {
    sessions: connection.model<SessionEntry>('Session', session),
    recordings: connection.model<RecordingEntry>('Recording', recording),
    totals: connection.model<Total>('Total', total),
    answeredQuestions: connection.model<AnsweredQuestion>('AnsweredQuestion', answeredQuestion),
    deletions: connection.model<DeletionEntry>('Deletion', deletion),
    projections: connection.model<ProjectionState>('Projection', projection),
    groups: knownGroups(connection),
  };
}

/** The list that shows a session: its kind's, unless its technology is missing or unknown. Source: specification, section 5. */
export function listOf({ kind, technology }: Pick<SessionSnapshot, 'kind' | 'technology'>): SessionKind | null {
  return technology.trim() === '' || technology === unknownTechnology ? null : kind;
}

/** The set that a session's question is from, and its index there: the session's own set, unless it mixes several. */
export function sourceOf(
  session: Pick<SessionSnapshot, 'setId' | 'title' | 'technology' | 'sources'>,
  questionId: number,
): QuestionSource {
  const { setId, title, technology } = session;
  return session.sources?.[questionId] ?? { setId, title, technology, questionId };
}
