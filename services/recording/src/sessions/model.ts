import type { ExpertPoint } from '@interview-prep/contracts/expert-points';
import type { SessionKind } from '@interview-prep/contracts/recordings';
import { expertPointsField } from '@interview-prep/kit/expert-points-field';
import { Schema, type Types } from 'mongoose';

/** One sitting of one set by one user. Questions, expert answers and user stay as they were when it began. */
export interface Session {
  /** The history entry's id. */
  _id: Types.ObjectId;
  /** The UUID that the browser chose, in lower case. */
  sessionId: string;
  kind: SessionKind;
  setId: string;
  title: string;
  technology: string;
  questions: string[];
  expertAnswers: string[];
  /** The points of the expert answers; absent in sessions that began before sets had them. */
  expertPoints?: ExpertPoint[][] | undefined;
  /** The set's own list of likely terms; absent where the set says nothing, as in sessions of older versions. */
  vocabulary?: string[] | undefined;
  /** ISO 639-1: what is spoken; absent where the set does not say. */
  language?: string | undefined;
  userId: string;
  /** Null once the user is deleted. */
  user: { email: string | null; role: string | null; lastLogin: Date | null };
  createdAt: Date;
  revision: number;
}

export const sessionSchema = new Schema<Session>(
  {
    sessionId: { type: String, required: true },
    kind: { type: String, required: true },
    setId: { type: String, required: true },
    title: String,
    technology: String,
    questions: [String],
    expertAnswers: [String],
    expertPoints: expertPointsField,
    vocabulary: { type: [String], default: undefined },
    language: String,
    userId: { type: String, required: true },
    user: { email: String, role: String, lastLogin: Date },
    createdAt: { type: Date, required: true },
    revision: { type: Number, required: true },
  },
  { collection: 'sessions', versionKey: false },
);
sessionSchema.index({ sessionId: 1 }, { unique: true });
sessionSchema.index({ userId: 1 });
