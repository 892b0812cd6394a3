import type { SessionKind } from '@interview-prep/contracts/recordings';
import type { RecordingSnapshot, SessionSnapshot } from '@interview-prep/contracts/snapshots';
import { unknownTechnology } from '@interview-prep/contracts/technologies';
import { type Connection, type Model, Schema, type Types } from 'mongoose';

/** One sitting of one set by one user: what a history list shows, and the head of a detail. */
export interface SessionEntry {
  _id: Types.ObjectId;
  sessionId: string;
  kind: SessionKind;
  /** The list in which it is shown; null where histories drop it (no technology, or an unknown one). */
  listedAs: SessionKind | null;
  setId: string;
  title: string;
  technology: string;
  questions: string[];
  expertAnswers: string[];
  userId: string;
  user: { email: string | null; role: string | null; lastLogin: Date | null };
  createdAt: Date;
  revision: number;
  answeredCount: number;
  pendingCount: number;
  averageCorrectness: number | null;
  /** Sum of the recordings' revisions that the counts above are of: older sums never overwrite them. */
  countsRevision: number;
  /** Whether the session is in `totals` yet. */
  totalled: boolean;
}

/** One take of one answer, as recording told of it. */
export interface RecordingEntry {
  _id: Types.ObjectId;
  entryId: Types.ObjectId;
  questionId: number;
  take: number;
  revision: number;
  snapshot: RecordingSnapshot;
}

/** How many listed sessions one user has in one technology: sums of these are the lists' totals and groups. */
export interface Total {
  _id: string;
  listedAs: SessionKind;
  userId: string;
  email: string | null;
  technology: string;
  count: number;
  latest: Date;
}

/** The collections of the history database. */
export interface HistoryModels {
  sessions: Model<SessionEntry>;
  recordings: Model<RecordingEntry>;
  totals: Model<Total>;
}

export function historyModels(connection: Connection): HistoryModels {
  const session = new Schema<SessionEntry>(
    {
      sessionId: { type: String, required: true },
      kind: { type: String, required: true },
      listedAs: { type: String, default: null },
      setId: { type: String, required: true },
      title: String,
      technology: String,
      questions: [String],
      expertAnswers: [String],
      userId: { type: String, required: true },
      user: { email: String, role: String, lastLogin: Date },
      createdAt: { type: Date, required: true },
      revision: { type: Number, required: true },
      answeredCount: { type: Number, default: 0 },
      pendingCount: { type: Number, default: 0 },
      averageCorrectness: { type: Number, default: null },
      countsRevision: { type: Number, default: 0 },
      totalled: { type: Boolean, default: false },
    },
    { collection: 'sessions', versionKey: false },
  );
  const newestFirst = { createdAt: -1, _id: -1 } as const;
  session.index({ listedAs: 1, ...newestFirst });
  session.index({ listedAs: 1, technology: 1, ...newestFirst });
  session.index({ listedAs: 1, userId: 1, ...newestFirst });
  session.index({ listedAs: 1, userId: 1, technology: 1, ...newestFirst });
  session.index({ sessionId: 1 });
  session.index({ userId: 1 });

  const recording = new Schema<RecordingEntry>(
    {
      entryId: { type: Schema.Types.ObjectId, required: true },
      questionId: { type: Number, required: true },
      take: { type: Number, required: true },
      revision: { type: Number, required: true },
      snapshot: { type: Schema.Types.Mixed, required: true },
    },
    { collection: 'recordings', versionKey: false },
  );
  recording.index({ entryId: 1, questionId: 1, take: -1 });

  const total = new Schema<Total>(
    {
      _id: { type: String, required: true },
      listedAs: { type: String, required: true },
      userId: { type: String, required: true },
      email: { type: String, default: null },
      technology: { type: String, required: true },
      count: { type: Number, required: true },
      latest: { type: Date, required: true },
    },
    { collection: 'totals', versionKey: false },
  );
  total.index({ listedAs: 1, userId: 1 });
  total.index({ userId: 1 });

  return {
    sessions: connection.model<SessionEntry>('Session', session),
    recordings: connection.model<RecordingEntry>('Recording', recording),
    totals: connection.model<Total>('Total', total),
  };
}

/** The list that shows a session: its kind's, unless its technology is missing or unknown. Source: specification, section 5. */
export const listOf = ({ kind, technology }: Pick<SessionSnapshot, 'kind' | 'technology'>): SessionKind | null =>
  technology.trim() === '' || technology === unknownTechnology ? null : kind;
