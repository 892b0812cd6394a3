import type { SetOptions } from '@interview-prep/contracts/catalog/sets';
import type { SessionAssignment } from '@interview-prep/contracts/recording/assignments';
import type { FollowUp } from '@interview-prep/contracts/recording/follow-ups';
import type { QuestionSource } from '@interview-prep/contracts/recording/question-sources';
import type { SessionKind } from '@interview-prep/contracts/recording/recordings';
import { Schema, type Types } from 'mongoose';
import { type SetContent, setContentFields } from '../sets/model.ts';

/** The set of a question in a mixed session, with the set's options. */
export type SessionSource = QuestionSource & SetOptions;

/**
 * One sitting of one set by one user. It keeps a snapshot of the set and the user from when it began. Follow-up questions are
 * added after the set's.
 */
export interface Session extends SetContent {
  /** The history entry's id. */
  _id: Types.ObjectId;
  /** The UUID that the browser chose, in lower case. */
  sessionId: string;
  kind: SessionKind;
  setId: string;
  /** The zero-based indexes of the questions that are asked; absent if all are. */
  askedQuestions?: number[];
  /** Parallel to `questions`, in a session that mixes questions of several sets. */
  sources?: SessionSource[];
  /** Its follow-up questions, which are at the end of `questions`. The text becomes '' once the answer it follows is deleted. */
  followUps?: FollowUp[];
  /** Identifies the take of limited work. Unique, so that concurrent sessions can't exceed the limit. */
  takeKey?: string;
  /** The assignment that it was taken for, and when its candidate starts seeing feedback. */
  assignment?: Omit<SessionAssignment, 'feedbackAt'> & { feedbackAt: Date | null };
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
    ...setContentFields,
    askedQuestions: { type: [Number], default: undefined },
    sources: { type: [Schema.Types.Mixed], default: undefined },
    followUps: { type: [Schema.Types.Mixed], default: undefined },
    takeKey: { type: String },
    assignment: {
      type: new Schema(
        {
          assignmentId: String,
          groupId: String,
          late: Boolean,
          feedback: String,
          feedbackAt: { type: Date, default: null },
        },
        { _id: false },
      ),
    },
    userId: { type: String, required: true },
    user: { email: String, role: String, lastLogin: Date },
    createdAt: { type: Date, required: true },
    revision: { type: Number, required: true },
  },
  { collection: 'sessions', versionKey: false },
);
sessionSchema.index({ sessionId: 1 }, { unique: true });
sessionSchema.index({ userId: 1 });
// For the earlier answers to a set's question.
sessionSchema.index({ setId: 1, createdAt: -1 });
// For the takes of assigned work.
sessionSchema.index({ takeKey: 1 }, { unique: true, sparse: true });
sessionSchema.index({ 'assignment.assignmentId': 1, userId: 1 }, { sparse: true });
// For retention.
sessionSchema.index({ createdAt: 1 });

/** For a session that mixes several sets, the session with the title and options of the question's own set. */
export function withSetOfQuestion<Mixed extends Pick<Session, 'sources'>>(session: Mixed, questionId: number): Mixed {
  const source = session.sources?.[questionId];
  if (!source) return session;
  const { setId, title, technology, vocabulary, language, lengthHintSeconds } = source;
  return { ...session, setId, title, technology, vocabulary, language, lengthHintSeconds };
}
